import { at, jsonLines, type Sample } from './sample';

/** Results of evaluations and run folders of optimizers. */
export const evaluations: Sample[] = [
  {
    name: 'dojo.json',
    format: 'agentdojo',
    content: {
      suite_name: 'banking',
      pipeline_name: 'p',
      user_task_id: 'user_task_1',
      injection_task_id: 'injection_task_2',
      attack_type: 'direct',
      utility: true,
      security: false,
      duration: 2,
      messages: [
        { role: 'user', content: [{ type: 'text', content: 'Pay' }] },
        { role: 'assistant', content: null, tool_calls: [{ function: 'send', args: { a: 1 }, id: 'c' }] },
        { role: 'tool', content: [{ type: 'text', content: '' }], tool_call_id: 'c', error: 'ValueError' },
        { role: 'assistant', content: [{ type: 'text', content: 'Done' }] },
      ],
    },
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1, toolErrors: 1 },
    run: {
      task: 'banking/user_task_1/injection_task_2',
      scores: { utility: true, security: false },
      outcome: { verdict: 'unknown', reward: null, exception: null, source: null },
    },
  },
  {
    name: 'promptfoo.json',
    format: 'promptfoo',
    content: {
      evalId: 'ev',
      results: {
        version: 3,
        results: [
          {
            id: 'a',
            testIdx: 0,
            provider: { id: 'p:m' },
            prompt: { raw: 'Say hi' },
            success: true,
            score: 1,
            response: { output: 'hi', tokenUsage: { prompt: 2, completion: 1 } },
            gradingResult: { pass: true, reason: 'equal' },
            cost: 0.5,
          },
          {
            id: 'b',
            testIdx: 1,
            provider: { id: 'p:m' },
            prompt: { raw: '[{"role":"system","content":"S"},{"role":"user","content":"U"}]' },
            success: false,
            score: 0,
            failureReason: 2,
            error: 'timeout',
            response: {},
          },
        ],
      },
      config: {},
    },
    runs: 2,
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: {
      sessionId: 'a',
      model: 'p:m',
      costUsd: 0.5,
      outcome: { verdict: 'pass', reward: 1, exception: null, source: 'promptfoo.json' },
    },
    warns: 'Which repeat a row is',
  },
  {
    name: 'rollouts/val/formula__cand_0003__t1.json',
    format: 'cap-evolve',
    content: {
      input: 'Solve',
      rollout: { output: 'x = 1', seconds: 2, error: '' },
      score: { task_id: 'formula', reward: 1, feedback: 'Passed', raw: {} },
    },
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: {
      task: 'formula',
      candidate: 'cand_0003',
      trial: '1',
      outcome: { verdict: 'pass', reward: 1, exception: null, source: 'formula__cand_0003__t1.json' },
    },
  },
  {
    name: 'evolution/observations/batch_0002.jsonl',
    format: 'a-evolve',
    content: jsonLines(
      {
        task_id: 't1',
        batch: 2,
        task_input: 'Solve',
        agent_output: 'done',
        success: true,
        score: 1,
        timestamp: at(0),
        feedback_detail: 'good',
      },
      {
        task_id: 't2',
        batch: 2,
        task: { id: 't2', input: 'Other' },
        trajectory: { output: 'no', steps: [{ role: 'assistant', content: 'trying' }] },
        feedback: { success: false, score: 0.25 },
      },
    ),
    beside: { 'evolution/metrics.json': { best_score: 1 } },
    runs: 2,
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: {
      task: 't1',
      candidate: 'batch_0002',
      outcome: { verdict: 'pass', reward: 1, exception: null, source: 'batch_0002.jsonl' },
    },
  },
  {
    name: 'iterations/7/meta.json',
    format: 'gepa',
    content: { iteration_id: 7, trace_i: 3, accepted: false, candidate_idx: null },
    beside: {
      'iterations/7/val_scores.json': { ex1: 1, ex2: 0.5 },
      'iterations/7/components/prompt.txt': 'Be exact.',
      'iterations/7/trajectories/ex1.json': [
        { role: 'user', content: 'Q' },
        { role: 'assistant', content: 'A' },
      ],
      'iterations/7/outputs/ex2.json': { answer: 3 },
    },
    runs: 2,
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: {
      task: 'ex1',
      candidate: '7',
      exitStatus: 'candidate rejected',
      outcome: { verdict: 'pass', reward: 1, exception: null, source: 'val_scores.json' },
    },
  },
  {
    name: 'cleaned.json',
    format: 'in-memory-tracer',
    content: {
      id: 'tr',
      name: 'agent',
      timestamp: at(0),
      system_prompt: 'Rules',
      messages_count: 3,
      generation_count: 2,
      model: 'm',
      messages: [
        { role: 'user', content: 'Go' },
        {
          role: 'assistant',
          content: 'Look',
          startTime: at(1),
          latency: 2,
          tool_calls: [{ id: 'c', name: 'bash', input: { command: 'ls' }, output: 'a' }],
        },
        { role: 'assistant', content: 'Done' },
      ],
    },
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { sessionId: 'tr', model: 'm', title: 'Go' },
  },
  {
    name: 'raw-trace.json',
    format: 'in-memory-tracer',
    content: {
      trace_id: 'raw',
      spans: [
        {
          name: 'llm.call',
          input: {
            messages: [
              { role: 'system', content: 'S' },
              { role: 'user', content: 'Q1' },
            ],
          },
          output: { messages: [{ role: 'assistant', content: 'A1' }] },
        },
        {
          name: 'llm.call',
          input: {
            messages: [
              { role: 'system', content: 'S' },
              { role: 'user', content: 'Q1' },
              { role: 'assistant', content: 'A1' },
              { role: 'user', content: 'Q2' },
            ],
          },
          output: { messages: [{ role: 'assistant', content: 'A2' }] },
        },
      ],
    },
    counts: { modelTurns: 2, toolCalls: 0, resultsLinked: 0, userMessages: 2 },
  },
  {
    name: 'agent-logs/episode-0/prompt.txt',
    format: 'episodes',
    content: 'Solve the task',
    beside: {
      'agent-logs/episode-0/response.txt': '{"analysis": "Look", "commands": [{"keystrokes": "ls\\n"}]}',
      'agent-logs/episode-0/debug.json': { model: 'm' },
      'agent-logs/episode-10/prompt.txt': 'c',
      'agent-logs/episode-10/response.txt': '{"analysis": "Done", "commands": [], "task_complete": true}',
      'agent-logs/episode-2/prompt.txt': 'b',
      'agent-logs/episode-2/response.txt': 'no JSON',
    },
    counts: { modelTurns: 3, toolCalls: 2, resultsLinked: 1, userMessages: 1 },
    run: { title: 'Solve the task', endsTruncated: false },
  },
  {
    name: 'agent/episodes/episode-0/request.json',
    format: 'episodes',
    content: { system: 'Rules', messages: [{ role: 'user', content: 'Go' }] },
    beside: {
      'agent/episodes/episode-0/response.json': {
        model: 'm',
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'c', name: 'bash', input: {} }],
        usage: { input_tokens: 3, output_tokens: 1, cache_read_input_tokens: 0 },
      },
      'agent/episodes/episode-0/tool-results.json': [{ type: 'tool_result', tool_use_id: 'c', content: 'a' }],
      'agent/episodes/episode-1/request.json': { system: 'Rules', messages: [] },
      'agent/episodes/episode-1/response.json': { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
    },
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { model: 'm' },
  },
  {
    name: 'sessions/agent.cast',
    format: 'asciinema',
    content: `{"version": 2, "width": 80, "height": 24, "timestamp": 1800000000}\n[0.5, "o", "$ "]\n[1.0, "i", "ls\\r"]\n[1.5, "o", "\\u001b[31ma\\u001b[0m\\r\\n"]\n[2.0, "o", "b"]\n[3.0, "m", "{\\"analysis\\": \\"Done\\"}"]\n`,
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 0 },
  },
  {
    name: 'pydantic_1.report.json',
    format: 'verdict',
    content: { resolved: true, tests_status: {}, patch_successfully_applied: false },
    counts: { modelTurns: 0, toolCalls: 0, resultsLinked: 0, userMessages: 0, steps: 0 },
    run: {
      task: 'pydantic_1',
      outcome: { verdict: 'pass', reward: 1, exception: null, source: 'pydantic_1.report.json' },
    },
    warns: 'A report without steps',
  },
  {
    name: 'results.json',
    format: 'verdict',
    content: {
      results: [
        { task_id: 'a', trial_name: 'a.1-of-2', is_resolved: true, failure_mode: 'agent_timeout' },
        { task_id: 'a', trial_name: 'a.2-of-2', is_resolved: null, failure_mode: 'parse_error' },
      ],
    },
    runs: 2,
    counts: { modelTurns: 0, toolCalls: 0, resultsLinked: 0, userMessages: 0 },
    run: {
      task: 'a',
      trial: 'a.1-of-2',
      outcome: { verdict: 'pass', reward: 1, exception: 'agent_timeout', source: 'results.json' },
    },
  },
];
