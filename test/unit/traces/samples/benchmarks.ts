import { at, jsonLines, type Sample } from './sample';

export const inspectSample = {
  id: 7,
  epoch: 2,
  messages: [],
  scores: { match: { value: 'C' } },
  model_usage: { 'p/m': { input_tokens: 5, output_tokens: 2, input_tokens_cache_read: 3, total_tokens: 10 } },
  attachments: { long: 'The whole task' },
  events: [
    { event: 'span_begin', id: 's1', type: 'solver', timestamp: at(0) },
    {
      event: 'model',
      span_id: 's1',
      timestamp: at(1),
      model: 'p/m',
      input: [
        { role: 'system', content: 'Rules', id: 'm0' },
        { role: 'user', content: 'attachment://long', id: 'm1' },
      ],
      output: {
        choices: [
          { message: { content: 'Look', tool_calls: [{ id: 'c1', function: 'bash', arguments: { cmd: 'ls' } }] } },
        ],
      },
    },
    {
      event: 'tool',
      span_id: 's1',
      timestamp: at(2),
      id: 'c1',
      function: 'bash',
      result: 'a',
      error: { type: 'timeout', message: 'late' },
    },
    {
      event: 'model',
      span_id: 's1',
      timestamp: at(3),
      model: 'p/m',
      input: [{ role: 'user', content: 'attachment://long', id: 'm1' }],
      output: { choices: [{ message: { content: 'Done' } }] },
    },
    { event: 'span_begin', id: 's2', type: 'scorer', timestamp: at(4) },
    {
      event: 'model',
      span_id: 's2',
      timestamp: at(4),
      input: [{ role: 'user', content: 'Grade it', id: 'g' }],
      output: { choices: [{ message: { content: 'C' } }] },
    },
    { event: 'score', span_id: 's2', timestamp: at(5), score: { value: 'C', explanation: 'right' } },
  ],
};
const action = (id: number, action: string, args: object, more: object = {}) => ({
  id,
  timestamp: at(id),
  source: 'agent',
  action,
  args,
  ...more,
});

/** Logs of evaluations and benchmarks. */
export const benchmarks: Sample[] = [
  {
    name: 'log.json',
    format: 'inspect',
    content: { version: 2, status: 'success', eval: { model: 'p/m', task: 't' }, plan: {}, samples: [inspectSample] },
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1, toolErrors: 1 },
    run: {
      sessionId: '7/2',
      trial: '2',
      title: 'The whole task',
      scores: { match: 'C' },
      outcome: { verdict: 'pass', reward: 1, exception: null, source: 'log.json' },
      tokens: { input: 5, output: 2, cached: 3, inputIncludesCached: false },
    },
  },
  {
    name: 'trajectory.json',
    format: 'openhands-v0',
    content: [
      { id: 0, timestamp: at(0), source: 'user', action: 'message', args: { content: 'Go' }, message: 'Go' },
      action(
        1,
        'run',
        { command: 'ls', thought: 'Look' },
        {
          tool_call_metadata: {
            tool_call_id: 'toolu_01',
            function_name: 'bash',
            model_response: { id: 'r1', model: 'm' },
          },
        },
      ),
      action(
        2,
        'read',
        { path: 'a' },
        {
          tool_call_metadata: {
            tool_call_id: 'toolu_01',
            function_name: 'read',
            model_response: { id: 'r1', model: 'm' },
          },
        },
      ),
      {
        id: 3,
        timestamp: at(3),
        source: 'agent',
        observation: 'run',
        cause: 1,
        content: 'a',
        extras: { metadata: { exit_code: 1 } },
      },
      { id: 4, timestamp: at(4), source: 'agent', observation: 'read', cause: 2, content: 'b' },
      action(5, 'condensation', { summary: 'short' }),
      action(
        6,
        'finish',
        { final_thought: 'Done' },
        {
          llm_metrics: {
            accumulated_cost: 0.25,
            accumulated_token_usage: { prompt_tokens: 9, completion_tokens: 4, cache_read_tokens: 1 },
          },
        },
      ),
    ],
    counts: { modelTurns: 2, toolCalls: 3, resultsLinked: 2, userMessages: 1, compactions: 1, toolErrors: 1 },
    run: {
      model: 'm',
      costUsd: 0.25,
      endsTruncated: false,
      tokens: { input: 9, output: 4, cached: 1, inputIncludesCached: true },
    },
  },
  {
    name: 'output.jsonl',
    format: 'openhands-v0',
    content: jsonLines(
      {
        instance_id: 'a-1',
        instruction: 'x',
        metrics: { accumulated_cost: 1 },
        history: [
          { action: 'message', content: 'Go', source: 'user' },
          { action: 'run', command: 'ls', thought: '' },
          { observation: 'run', content: 'a', exit_code: 0 },
        ],
      },
      {
        instance_id: 'a-2',
        instruction: 'x',
        metrics: {},
        history: [
          [
            { id: 1, action: 'run', args: { command: 'ls' } },
            { id: 2, cause: 1, observation: 'run', content: 'a' },
          ],
        ],
      },
    ),
    runs: 2,
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { task: 'a-1', costUsd: 1, endsTruncated: true },
  },
  {
    name: 'events.jsonl',
    format: 'openhands-v1',
    content: jsonLines(
      { id: '1', timestamp: at(0), source: 'agent', kind: 'SystemPromptEvent', system_prompt: { text: 'Rules' } },
      {
        id: '2',
        timestamp: at(1),
        source: 'user',
        kind: 'MessageEvent',
        llm_message: { role: 'user', content: [{ type: 'text', text: 'Go' }] },
      },
      {
        id: '3',
        timestamp: at(2),
        source: 'agent',
        kind: 'ActionEvent',
        thought: [{ type: 'text', text: 'Look' }],
        tool_name: 'terminal',
        tool_call_id: 'c1',
        llm_response_id: 'r1',
        tool_call: { arguments: '{"command":"ls"}' },
      },
      {
        id: '4',
        timestamp: at(3),
        source: 'environment',
        kind: 'ObservationEvent',
        action_id: '3',
        tool_call_id: 'c1',
        observation: { content: [{ type: 'text', text: 'a' }], exit_code: 1 },
      },
      { id: '5', timestamp: at(4), source: 'environment', kind: 'Condensation', summary: 'short' },
      {
        id: '6',
        timestamp: at(5),
        source: 'agent',
        kind: 'MessageEvent',
        llm_message: { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
      },
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1, compactions: 1, toolErrors: 1 },
  },
  {
    name: 'conversation/base_state.json',
    format: 'openhands-v1',
    content: {
      id: 'conv',
      agent: {},
      workspace: {},
      execution_status: 'finished',
      stats: {
        usage_to_metrics: {
          default: {
            model_name: 'm',
            accumulated_cost: 2,
            accumulated_token_usage: { prompt_tokens: 3, completion_tokens: 1 },
          },
        },
      },
    },
    beside: {
      'conversation/events/event-00010-b.json': {
        id: '2',
        timestamp: at(2),
        source: 'agent',
        kind: 'MessageEvent',
        llm_message: { role: 'assistant', content: 'Done' },
      },
      'conversation/events/event-00002-a.json': {
        id: '1',
        timestamp: at(1),
        source: 'user',
        kind: 'MessageEvent',
        llm_message: { role: 'user', content: 'Go' },
      },
    },
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: { sessionId: 'conv', model: 'm', costUsd: 2, title: 'Go' },
  },
  {
    name: 'airline.json',
    format: 'tau-bench',
    content: [0, 1].map((trial) => ({
      task_id: 3,
      trial,
      reward: trial,
      info: {},
      traj: [
        { role: 'system', content: 'Policy' },
        { role: 'user', content: 'Book' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'same', function: { name: 'book', arguments: '{"a":1}' } }],
        },
        { role: 'tool', tool_call_id: 'same', content: 'ok' },
        { role: 'assistant', content: 'Booked' },
      ],
    })),
    runs: 2,
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { task: '3', trial: '0', outcome: { verdict: 'fail', reward: 0, exception: null, source: 'airline.json' } },
  },
  {
    name: 'tau2.json',
    format: 'tau-bench',
    content: {
      info: {},
      tasks: [],
      simulations: [
        {
          id: 'sim',
          task_id: 'x',
          trial: 0,
          termination_reason: 'user_stop',
          agent_cost: 0.5,
          reward_info: { reward: 1 },
          messages: [
            { role: 'user', content: 'Hi' },
            {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'c1', name: 'look', arguments: {}, requestor: 'assistant' }],
            },
            { role: 'tool', id: 'c1', content: 'none', error: true },
            {
              role: 'user',
              content: '',
              tool_calls: [{ id: 'c2', name: 'restart', arguments: {}, requestor: 'user' }],
            },
            { role: 'tool', tool_messages: [{ id: 'c2', content: 'ok' }] },
          ],
        },
      ],
    },
    counts: { modelTurns: 1, toolCalls: 2, resultsLinked: 2, userMessages: 2, toolErrors: 1 },
    run: { sessionId: 'sim', costUsd: 0.5, exitStatus: 'user_stop', endsTruncated: false },
  },
];
