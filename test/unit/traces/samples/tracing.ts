import { at, jsonLines, type Sample } from './sample';

const nano = (second: number) => `${Date.parse(at(second))}000000`;
const attribute = ([key, value]: [string, unknown]) => ({
  key,
  value:
    typeof value === 'number'
      ? { intValue: String(value) }
      : { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
});
const span = (id: string, parent: string, start: number, attributes: Record<string, unknown>, more: object = {}) => ({
  traceId: 't1',
  spanId: id,
  parentSpanId: parent,
  name: id,
  startTimeUnixNano: nano(start),
  endTimeUnixNano: nano(start + 1),
  attributes: Object.entries(attributes).map(attribute),
  ...more,
});
const batch = (...spans: object[]) => ({ resourceSpans: [{ resource: {}, scopeSpans: [{ spans }] }] });
const answer = span('model', 'root', 1, {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.usage.input_tokens': 8,
  'gen_ai.usage.output_tokens': 3,
  'gen_ai.input.messages': [{ role: 'user', parts: [{ type: 'text', content: 'Go' }] }],
  'gen_ai.output.messages': [
    { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'ls', arguments: {} }] },
  ],
});

/** Spans and runs of tracing services. */
export const tracing: Sample[] = [
  {
    name: 'spans.jsonl',
    format: 'otel',
    content: jsonLines(
      batch(
        span(
          'tool',
          'root',
          2,
          { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'ls', 'gen_ai.tool.call.id': 'c1' },
          { status: { code: 2, message: 'broken' } },
        ),
        answer,
      ),
      batch(answer, span('root', '', 0, { 'gen_ai.operation.name': 'invoke_agent' })),
    ),
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1, toolErrors: 1 },
    run: {
      sessionId: 't1',
      model: 'm',
      started: at(0),
      ended: at(3),
      tokens: { input: 8, output: 3, cached: null, inputIncludesCached: true },
    },
    warns: '1 spans were exported twice',
  },
  {
    name: 'phoenix.json',
    format: 'otel',
    content: [
      {
        name: 'llm',
        span_kind: 'LLM',
        context: { trace_id: 'p', span_id: '1' },
        parent_id: null,
        start_time: at(0),
        end_time: at(1),
        status_code: 'OK',
        attributes: {
          llm: { model_name: 'm', token_count: { prompt: 4, completion: 1 } },
          'llm.input_messages.0.message.role': 'user',
          'llm.input_messages.0.message.content': 'Go',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'ls',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{"a":1}',
          'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
        },
      },
      {
        name: 'ls',
        span_kind: 'TOOL',
        context: { trace_id: 'p', span_id: '2' },
        parent_id: '1',
        start_time: at(2),
        end_time: at(3),
        attributes: { 'tool.name': 'ls', 'output.value': 'a' },
      },
    ],
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { sessionId: 'p', tokens: { input: 4, output: 1, cached: null, inputIncludesCached: true } },
  },
  {
    name: 'attributes.json',
    format: 'otel',
    content: {
      'gen_ai.operation.name': 'chat',
      'gen_ai.request.model': 'm',
      'gen_ai.prompt': '[{"role":"user","content":"Hi"}]',
      'gen_ai.completion': '{"text":"Hello"}',
    },
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    warns: 'Only the attributes of one span',
  },
  {
    name: 'call.json',
    format: 'chat',
    content: {
      messages: [{ role: 'user', content: 'Go' }],
      response: {
        id: 'r',
        model: 'm',
        created: 1_800_000_000,
        choices: [
          {
            message: {
              role: 'assistant',
              content: 'Hi',
              tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }],
            },
          },
        ],
        usage: { prompt_tokens: 5, completion_tokens: 1 },
      },
      cost: 0.125,
    },
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 0, userMessages: 1 },
    run: {
      sessionId: 'r',
      model: 'm',
      costUsd: 0.125,
      endsTruncated: false,
      tokens: { input: 5, output: 1, cached: null, inputIncludesCached: true },
    },
  },
  {
    name: 's.messages.json',
    format: 'cline',
    content: {
      version: 1,
      updated_at: at(9),
      sessionId: 'cl',
      agent: 'lead',
      system_prompt: 'x',
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'Before' }], metadata: { kind: 'compaction_summary' } },
        { id: 'u', role: 'user', ts: Date.parse(at(0)), content: [{ type: 'text', text: 'Go' }] },
        {
          id: 'a',
          role: 'assistant',
          ts: Date.parse(at(1)),
          content: [{ type: 'tool_use', id: 'c1', name: 'read', input: {} }],
          modelInfo: { id: 'm' },
          metrics: { inputTokens: 9, outputTokens: 2, cacheReadTokens: 4, cost: 0.5 },
        },
        {
          id: 'r',
          role: 'user',
          ts: Date.parse(at(2)),
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'x', is_error: true }],
        },
        { id: 'b', role: 'assistant', ts: Date.parse(at(3)), content: [{ type: 'text', text: 'Done' }] },
      ],
    },
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1, compactions: 1, toolErrors: 1 },
    run: { sessionId: 'cl', model: 'm', costUsd: 0.5, started: at(0), ended: at(3) },
  },
  {
    name: 'ui_messages.json',
    format: 'cline-ui',
    content: [
      { ts: Date.parse(at(0)), type: 'say', say: 'task', text: 'Go' },
      { ts: Date.parse(at(1)), type: 'say', say: 'api_req_started', text: '{"tokensIn":5,"tokensOut":1,"cost":0.25}' },
      { ts: Date.parse(at(2)), type: 'say', say: 'text', text: 'Dra', partial: true },
      { ts: Date.parse(at(2)), type: 'say', say: 'text', text: 'Draft done' },
      { ts: Date.parse(at(3)), type: 'ask', ask: 'command', text: 'ls' },
      { ts: Date.parse(at(4)), type: 'say', say: 'command_output', text: 'a' },
    ],
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { costUsd: 0.25 },
  },
];

/** Shapes that only some frameworks write. */
tracing.push(
  {
    name: 'nested-names.json',
    format: 'langfuse',
    content: {
      trace: { id: 'n', name: 'graph' },
      observations: [
        {
          id: 'w',
          traceId: 'n',
          parentObservationId: null,
          type: 'GENERATION',
          name: 'ai.generateText',
          startTime: at(0),
          input: '{"prompt":"Go"}',
          output: '"again"',
          usageDetails: { input: 50, output: 50 },
        },
        {
          id: 'g',
          traceId: 'n',
          parentObservationId: 'w',
          type: 'GENERATION',
          name: 'call_llm',
          startTime: at(1),
          input: '{"contents":[{"role":"user","parts":[{"text":"Go"}]}],"config":{"system_instruction":"Rules"}}',
          output: '{"content":{"role":"model","parts":[{"function_call":{"name":"look","args":{}}}]}}',
          usageDetails: { input: 3, output: 1 },
        },
        {
          id: 's',
          traceId: 'n',
          parentObservationId: 'w',
          type: 'SPAN',
          name: 'look',
          startTime: at(2),
          input: '{}',
          output: '{"kwargs":{"content":"a"},"id":["x","ToolMessage"]}',
        },
      ],
    },
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { tokens: { input: 3, output: 1, cached: null, inputIncludesCached: true } },
  },
  {
    name: 'plain-spans.json',
    format: 'otel',
    content: batch(span('first', '', 0, { anything: 'x' }), span('second', 'first', 1, {})),
    counts: { modelTurns: 0, toolCalls: 0, resultsLinked: 0, userMessages: 0, steps: 2 },
  },
  {
    name: 'cursor.jsonl',
    format: 'chat',
    content: jsonLines(
      { role: 'user', message: { content: [{ type: 'text', text: 'Go' }] } },
      { role: 'assistant', message: { content: [{ type: 'text', text: 'Done' }] } },
    ),
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: { title: 'Go' },
  },
  {
    name: 'request.json',
    format: 'responses',
    content: { model: 'm', instructions: 'Rules', tools: [], input: [{ role: 'user', content: 'Go' }] },
    counts: { modelTurns: 0, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: { model: 'm' },
  },
  {
    name: 'openclaw.jsonl',
    format: 'pi',
    content: jsonLines(
      { type: 'session', version: 3, id: 'oc', cwd: '/' },
      { type: 'message', id: 'a', parentId: 'oc', message: { role: 'user', content: 'Go' } },
      {
        type: 'message',
        id: 'b',
        parentId: 'a',
        message: { role: 'assistant', content: [{ type: 'toolCall', id: 'c1', name: 'ls', arguments: {} }] },
      },
      { type: 'message', id: 'c', parentId: 'c1', message: { role: 'toolResult', toolCallId: 'c1', content: 'x' } },
    ),
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { warnings: [] },
  },
);
