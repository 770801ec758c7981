import { at, jsonLines, type Sample } from './sample';

/** Exports of services, dumps of model APIs, and event streams. */
export const services: Sample[] = [
  {
    name: 'langfuse.json',
    format: 'langfuse',
    content: {
      trace: { id: 'lf', name: 'agent', timestamp: at(0), scores: [{ name: 'quality', value: 0.5 }] },
      observations: [
        {
          id: '3',
          traceId: 'lf',
          parentObservationId: '1',
          type: 'TOOL',
          name: 'ls',
          startTime: at(2),
          endTime: at(3),
          input: '{}',
          output: '"a"',
          level: 'ERROR',
        },
        {
          id: '1',
          traceId: 'lf',
          parentObservationId: null,
          type: 'AGENT',
          name: 'root',
          startTime: at(0),
          endTime: at(4),
        },
        {
          id: '2',
          traceId: 'lf',
          parentObservationId: '1',
          type: 'GENERATION',
          name: 'turn',
          model: 'm',
          startTime: at(1),
          endTime: at(2),
          input: JSON.stringify(JSON.stringify([{ role: 'user', content: 'Go' }])),
          output: JSON.stringify({
            role: 'assistant',
            content: null,
            additional_kwargs: {},
            tool_calls: [{ id: 'c1', function: { name: 'ls', arguments: '{}' } }],
          }),
          usageDetails: { input: 5, output: 1 },
          totalCost: 0.25,
        },
      ],
    },
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1, toolErrors: 1 },
    run: {
      sessionId: 'lf',
      task: 'agent',
      costUsd: 0.25,
      scores: { quality: 0.5 },
      outcome: { verdict: 'unknown', reward: null, exception: null, source: null },
    },
  },
  {
    name: 'langsmith.json',
    format: 'langsmith',
    content: {
      post: [
        { id: 'r', trace_id: 'r', run_type: 'chain', name: 'agent', start_time: at(0), dotted_order: '1' },
        {
          id: 'l',
          trace_id: 'r',
          parent_run_id: 'r',
          run_type: 'llm',
          name: 'Chat',
          start_time: at(1),
          dotted_order: '2',
          inputs: { messages: [[{ lc: 1, id: ['langchain', 'HumanMessage'], kwargs: { content: 'Go' } }]] },
        },
        {
          id: 't',
          trace_id: 'r',
          parent_run_id: 'r',
          run_type: 'tool',
          name: 'ls',
          start_time: at(2),
          dotted_order: '3',
          inputs: { input: '{}' },
        },
      ],
      patch: [
        {
          id: 'l',
          trace_id: 'r',
          end_time: at(2),
          outputs: {
            generations: [
              [
                {
                  message: {
                    id: ['x', 'AIMessage'],
                    kwargs: { content: '', tool_calls: [{ id: 'c1', name: 'ls', args: {} }] },
                  },
                },
              ],
            ],
            llm_output: { token_usage: { prompt_tokens: 4, completion_tokens: 2 } },
          },
        },
        { id: 't', trace_id: 'r', end_time: at(3), error: 'no such tool' },
      ],
    },
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1, toolErrors: 1 },
    run: { sessionId: 'r', task: 'agent', tokens: { input: 4, output: 2, cached: null, inputIncludesCached: true } },
  },
  {
    name: 'response.json',
    format: 'responses',
    content: {
      input: [
        { role: 'user', content: 'Go' },
        { type: 'function_call', call_id: 'c0', name: 'ls', arguments: '{}' },
        { type: 'function_call_output', call_id: 'c0', output: 'a' },
      ],
      response: {
        id: 'resp',
        object: 'response',
        model: 'm',
        output: [
          { type: 'reasoning', summary: [{ text: 'Hm' }] },
          { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'Done' }] },
        ],
        usage: { input_tokens: 9, output_tokens: 2, input_tokens_details: { cached_tokens: 3 } },
      },
    },
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: {
      sessionId: 'resp',
      model: 'm',
      endsTruncated: false,
      tokens: { input: 9, output: 2, cached: 3, inputIncludesCached: true },
    },
  },
  {
    name: 'items.jsonl',
    format: 'responses',
    content: jsonLines(
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] },
      { type: 'reasoning', summary: [] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call', call_id: 'd', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
    ),
    counts: { modelTurns: 1, toolCalls: 2, resultsLinked: 1, userMessages: 1 },
    run: { endsTruncated: true },
  },
  {
    name: 'stream.sse',
    format: 'event-stream',
    content: [
      [
        'message_start',
        {
          message: {
            id: 'msg',
            model: 'm',
            role: 'assistant',
            usage: { input_tokens: 7, cache_read_input_tokens: 2, output_tokens: 1 },
          },
        },
      ],
      ['content_block_start', { index: 0, content_block: { type: 'text', text: '' } }],
      ['content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Look' } }],
      ['content_block_start', { index: 1, content_block: { type: 'tool_use', id: 'c', name: 'ls', input: {} } }],
      ['content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: '{"a"' } }],
      ['content_block_delta', { index: 1, delta: { type: 'input_json_delta', partial_json: ':1}' } }],
      ['message_delta', { delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } }],
      ['message_stop', {}],
    ]
      .map(([type, more]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...(more as object) })}\n\n`)
      .join(''),
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 0, userMessages: 0 },
    run: {
      sessionId: 'msg',
      model: 'm',
      endsTruncated: false,
      tokens: { input: 7, output: 9, cached: 2, inputIncludesCached: false },
    },
  },
  {
    name: 'chunks.txt',
    format: 'event-stream',
    content: `${[
      { role: 'assistant', content: 'Hi ' },
      { content: 'there' },
      { tool_calls: [{ index: 0, id: 'c', function: { name: 'f', arguments: '{' } }] },
      { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
    ]
      .map(
        (delta) =>
          `data: ${JSON.stringify({ id: 'chat', object: 'chat.completion.chunk', model: 'm', choices: [{ delta }] })}\n\n`,
      )
      .join('')}data: [DONE]\n`,
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 0, userMessages: 0 },
    warns: '1 answers have no end',
  },
  {
    name: 'managed.jsonl',
    format: 'managed-agents',
    content: jsonLines(
      ['client.beta.sessions.create', { agent: { name: 'A', model: { id: 'm' } } }],
      [
        'client.beta.sessions.events.send',
        ['sesn', { events: [{ type: 'user.message', content: [{ type: 'text', text: 'Go' }] }] }],
      ],
      [
        'client.beta.sessions.events.stream',
        { type: 'user.message', id: 'e1', processed_at: at(0), content: [{ type: 'text', text: 'Go' }] },
      ],
      ['client.beta.sessions.events.stream', { type: 'span.model_request_start', id: 'e2', processed_at: at(1) }],
      [
        'client.beta.sessions.events.stream',
        { type: 'agent.mcp_tool_use', id: 'e3', name: 'find', mcp_server_name: 'web', input: {}, processed_at: at(2) },
      ],
      [
        'client.beta.sessions.events.stream',
        {
          type: 'span.model_request_end',
          id: 'e4',
          processed_at: at(2),
          model_usage: {
            input_tokens: 2,
            output_tokens: 5,
            cache_read_input_tokens: 1,
            cache_creation_input_tokens: 3,
          },
        },
      ],
      [
        'client.beta.sessions.events.stream',
        {
          type: 'agent.mcp_tool_result',
          id: 'e5',
          mcp_tool_use_id: 'e3',
          content: [{ type: 'text', text: 'x' }],
          processed_at: at(3),
        },
      ],
      ['client.beta.sessions.events.stream', { type: 'span.model_request_start', id: 'e6', processed_at: at(4) }],
      [
        'client.beta.sessions.events.stream',
        { type: 'agent.message', id: 'e7', content: [{ type: 'text', text: 'Done' }], processed_at: at(5) },
      ],
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: {
      sessionId: 'sesn',
      model: 'm',
      tokens: { input: 2, output: 5, cached: 1, cacheWrite: 3, inputIncludesCached: false },
    },
  },
];
