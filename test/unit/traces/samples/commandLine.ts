import { at, jsonLines, type Sample } from './sample';

const codexLine = (second: number, type: string, payload: object) => ({ timestamp: at(second), type, payload });
const usage = (input: number, output: number) => ({
  input_tokens: input,
  cached_input_tokens: 2,
  output_tokens: output,
});
const tokens = (second: number, input: number, output: number) =>
  codexLine(second, 'event_msg', {
    type: 'token_count',
    info: { total_token_usage: usage(input, output), last_token_usage: usage(10, 3) },
  });

/** Sessions of command line agents. */
export const commandLine: Sample[] = [
  {
    name: 'rollout.jsonl',
    format: 'codex',
    content: jsonLines(
      codexLine(0, 'session_meta', { id: 'thread-1', cli_version: '0.99', cwd: '/w' }),
      codexLine(0, 'turn_context', { model: 'gpt-x' }),
      codexLine(0, 'response_item', {
        type: 'message',
        role: 'developer',
        content: [{ type: 'input_text', text: 'Rules' }],
      }),
      codexLine(0, 'response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: '<environment_context>x' }],
      }),
      codexLine(1, 'response_item', {
        type: 'message',
        role: 'user',
        content: [{ type: 'input_text', text: 'List files' }],
      }),
      codexLine(1, 'event_msg', { type: 'user_message', message: 'List files' }),
      codexLine(2, 'response_item', { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Think' }] }),
      codexLine(2, 'response_item', { type: 'function_call', name: 'shell', arguments: '{"cmd":"ls"}', call_id: 'c1' }),
      codexLine(2, 'response_item', {
        type: 'custom_tool_call',
        name: 'apply_patch',
        input: '*** Begin',
        call_id: 'c2',
      }),
      tokens(2, 10, 3),
      tokens(2, 10, 3),
      codexLine(3, 'response_item', {
        type: 'function_call_output',
        call_id: 'c1',
        output: '{"output":"a","metadata":{"exit_code":1}}',
      }),
      codexLine(3, 'response_item', {
        type: 'custom_tool_call_output',
        call_id: 'c2',
        output: [{ type: 'input_text', text: 'ok' }],
      }),
      codexLine(3, 'compacted', { message: 'shorter', replacement_history: [] }),
      codexLine(4, 'event_msg', { type: 'agent_message', message: 'Done' }),
      codexLine(4, 'response_item', {
        type: 'message',
        role: 'assistant',
        content: [{ type: 'output_text', text: 'Done' }],
      }),
      tokens(4, 30, 5),
      codexLine(5, 'event_msg', { type: 'task_complete' }),
    ),
    counts: { modelTurns: 2, toolCalls: 2, resultsLinked: 2, userMessages: 1, compactions: 1, toolErrors: 1 },
    run: {
      sessionId: 'thread-1',
      model: 'gpt-x',
      title: 'List files',
      tokens: { input: 30, output: 5, cached: 2, inputIncludesCached: true },
      endsTruncated: false,
      started: at(0),
      ended: at(5),
    },
  },
  {
    name: 'old-rollout.jsonl',
    format: 'codex',
    content: jsonLines(
      { id: 'old', timestamp: at(0), instructions: null, git: {} },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Hi' }] },
      { type: 'function_call', name: 'shell', arguments: '{}', call_id: 'c1' },
    ),
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 0, userMessages: 1 },
    run: { sessionId: 'old', endsTruncated: true },
    warns: '1 tool call has no result',
  },
  {
    name: 'exec.log',
    format: 'codex-exec',
    content: jsonLines(
      { type: 'thread.started', thread_id: 't-1' },
      { type: 'turn.started' },
      { type: 'item.completed', item: { id: 'i0', type: 'reasoning', text: 'Hm' } },
      { type: 'item.started', item: { id: 'i1', type: 'command_execution', command: 'ls', status: 'in_progress' } },
      {
        type: 'item.completed',
        item: { id: 'i1', type: 'command_execution', command: 'ls', aggregated_output: 'a', exit_code: 2 },
      },
      {
        type: 'item.completed',
        item: { id: 'i2', type: 'mcp_tool_call', server: 's', tool: 't', arguments: {}, result: { a: 1 } },
      },
      { type: 'item.completed', item: { id: 'i3', type: 'agent_message', text: 'Done' } },
      { type: 'turn.completed', usage: { input_tokens: 7, cached_input_tokens: 1, output_tokens: 2 } },
    ),
    counts: { modelTurns: 3, toolCalls: 2, resultsLinked: 2, userMessages: 0, toolErrors: 1 },
    run: {
      sessionId: 't-1',
      endsTruncated: false,
      tokens: { input: 7, output: 2, cached: 1, inputIncludesCached: true },
    },
  },
  {
    name: 'pi.jsonl',
    format: 'pi',
    content: jsonLines(
      { type: 'session', version: 3, id: 's', timestamp: at(0), cwd: '/w' },
      { type: 'message', id: 'a', parentId: null, timestamp: at(1), message: { role: 'user', content: 'Go' } },
      {
        type: 'message',
        id: 'dead',
        parentId: 'a',
        timestamp: at(2),
        message: { role: 'assistant', content: [{ type: 'text', text: 'Wrong way' }] },
      },
      {
        type: 'message',
        id: 'b',
        parentId: 'a',
        timestamp: at(3),
        message: {
          role: 'assistant',
          model: 'm',
          content: [
            { type: 'thinking', thinking: 'So' },
            { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'ls' } },
          ],
          usage: { input: 4, output: 2, cacheRead: 9, cacheWrite: 1, cost: { total: 0.5 } },
        },
      },
      {
        type: 'message',
        id: 'c',
        parentId: 'b',
        timestamp: at(4),
        message: { role: 'toolResult', toolCallId: 'c1', content: [{ type: 'text', text: 'x' }], isError: true },
      },
      { type: 'compaction', id: 'd', parentId: 'c', timestamp: at(5), summary: 'short' },
      {
        type: 'message',
        id: 'e',
        parentId: 'd',
        timestamp: at(6),
        message: { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
      },
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1, compactions: 1, toolErrors: 1 },
    run: {
      model: 'm',
      costUsd: 0.5,
      tokens: { input: 4, output: 2, cached: 9, cacheWrite: 1, inputIncludesCached: false },
    },
    warns: '1 entries lie on abandoned branches',
  },
  {
    name: 'gemini.jsonl',
    format: 'gemini-cli',
    content: jsonLines(
      { sessionId: 'g', projectHash: 'h', startTime: at(0), kind: 'main' },
      { id: 'u1', timestamp: at(1), type: 'user', content: [{ text: 'Go' }] },
      { id: 'm1', timestamp: at(2), type: 'gemini', content: 'draft', model: 'gemini-x' },
      {
        id: 'm1',
        timestamp: at(2),
        type: 'gemini',
        content: 'final',
        model: 'gemini-x',
        tokens: { input: 5, output: 1, cached: 2 },
        toolCalls: [
          {
            id: 'c1',
            name: 'shell',
            args: {},
            status: 'error',
            result: [{ functionResponse: { id: 'c1', response: { error: 'no' } } }],
          },
        ],
      },
      { id: 'u2', timestamp: at(3), type: 'user', content: 'Forget this' },
      { $rewindTo: 'u2' },
      { id: 'm2', timestamp: at(4), type: 'gemini', content: 'Done', tokens: { input: 6, output: 1, cached: 0 } },
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1, toolErrors: 1 },
    run: { sessionId: 'g', model: 'gemini-x', tokens: { input: 11, output: 2, cached: 2, inputIncludesCached: true } },
    warns: 'taken back',
  },
  {
    name: 'gemini-replaced.jsonl',
    format: 'gemini-cli',
    content: jsonLines(
      { sessionId: 'g', projectHash: 'h' },
      { id: 'u1', type: 'user', content: 'Gone' },
      {
        $set: {
          messages: [
            { id: 'u9', type: 'user', content: 'Kept' },
            { id: 'm9', type: 'gemini', content: 'Yes' },
          ],
        },
      },
    ),
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: { title: 'Kept' },
    warns: 'history was replaced',
  },
  {
    name: 'gemini.json',
    format: 'gemini-cli',
    content: {
      sessionId: 'g2',
      projectHash: 'h',
      messages: [
        { id: 'u', type: 'user', content: 'Go', timestamp: at(0) },
        { id: 'm', type: 'gemini', content: 'Done', thoughts: [{ subject: 'A', description: 'B' }], timestamp: at(1) },
      ],
    },
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
  },
  {
    name: 'contents.json',
    format: 'gemini-content',
    content: [
      { role: 'user', parts: [{ text: 'Go' }] },
      { role: 'model', parts: [{ text: 'Plan', thought: true }, { functionCall: { name: 'ls', args: {} } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'ls', response: { output: 'a' } } }] },
      { role: 'model', parts: [{ text: 'Done' }] },
    ],
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
  },
  {
    name: 'qwen.jsonl',
    format: 'qwen-code',
    content: jsonLines(
      {
        uuid: 'a',
        parentUuid: null,
        sessionId: 'q',
        timestamp: at(0),
        type: 'user',
        message: { role: 'user', parts: [{ text: 'Go' }] },
      },
      {
        uuid: 'b',
        parentUuid: 'a',
        sessionId: 'q',
        timestamp: at(1),
        type: 'assistant',
        model: 'qwen',
        message: { role: 'model', parts: [{ functionCall: { id: 'c', name: 'ls', args: {} } }] },
        usageMetadata: { promptTokenCount: 5, candidatesTokenCount: 1 },
      },
      {
        uuid: 'c',
        parentUuid: 'b',
        sessionId: 'q',
        timestamp: at(2),
        type: 'tool_result',
        message: { role: 'user', parts: [{ functionResponse: { id: 'c', response: { error: 'bad' } } }] },
      },
      {
        uuid: 'd',
        parentUuid: 'c',
        sessionId: 'q',
        timestamp: at(3),
        type: 'assistant',
        message: { role: 'model', parts: [{ text: 'Done' }] },
      },
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1, toolErrors: 1 },
    run: { model: 'qwen', tokens: { input: 5, output: 1, cached: null, inputIncludesCached: true } },
  },
];
