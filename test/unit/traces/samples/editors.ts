import { at, jsonLines, type Sample } from './sample';

const request = (text: string) => ({
  requestId: text,
  timestamp: Date.parse(at(1)),
  modelId: 'copilot/m',
  message: { text, parts: [] },
  response: [{ value: 'shown' }],
  result: {
    metadata: {
      toolCallRounds: [
        { response: 'Look', toolCalls: [{ id: 'c1__vscode-17', name: 'read', arguments: '{"a":1}' }] },
        { response: 'Done', toolCalls: [] },
      ],
      toolCallResults: {
        'c1__vscode-17': { content: [{ value: { node: { children: [{ text: 'a' }, { text: 'b' }] } } }] },
      },
    },
  },
});
const copilot = (type: string, data: object, second: number) => ({
  type,
  data,
  id: `e${second}`,
  timestamp: at(second),
  parentId: null,
});
const kimi = (event: object, second: number) => ({
  type: 'context.append_loop_event',
  event,
  time: Date.parse(at(second)),
});

/** Sessions of editors and of command line agents that came later. */
/** A line of one message of stream-json output; each repeats the message with one block of it and the usage so far. */
const streamLine = (block: object, output: number) => ({
  type: 'assistant',
  session_id: 'sj',
  message: {
    id: 'm1',
    role: 'assistant',
    model: 'm',
    content: [block],
    usage: { input_tokens: 3, output_tokens: output },
  },
});

export const editors: Sample[] = [
  {
    name: 'chat.json',
    format: 'vscode-chat',
    content: { version: 3, responderUsername: 'Copilot', sessionId: 'vs', requests: [request('Go')] },
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { sessionId: 'vs', model: 'copilot/m', title: 'Go', started: at(1) },
  },
  {
    name: 'parts.json',
    format: 'vscode-chat',
    content: {
      version: 3,
      responderUsername: 'Copilot',
      requests: [
        {
          message: { text: 'Go' },
          isCanceled: true,
          response: [
            { value: 'See ' },
            { kind: 'inlineReference', inlineReference: { path: '/a/b.ts' } },
            {
              kind: 'toolInvocationSerialized',
              toolCallId: 't',
              toolId: 'read',
              isComplete: true,
              pastTenseMessage: { value: 'Read b' },
            },
          ],
        },
      ],
    },
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
  },
  {
    name: 'chat.jsonl',
    format: 'vscode-chat',
    content: jsonLines(
      { kind: 0, v: { version: 3, sessionId: 'log', requests: [] } },
      { kind: 2, k: ['requests'], v: [request('First')] },
      { kind: 2, k: ['requests'], v: [request('Second')], i: 0 },
      { kind: 1, k: ['customTitle'], v: 'A title' },
      { kind: 1, k: ['__proto__', 'polluted'], v: 'yes' },
      { kind: 2, k: ['requests', 0, 'response'], v: [{ value: 'more' }] },
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { sessionId: 'log', title: 'Second' },
  },
  {
    name: 'replay.json',
    format: 'vscode-chatreplay',
    content: {
      totalPrompts: 1,
      prompts: [
        {
          prompt: 'Go',
          logs: [
            { kind: 'element' },
            {
              kind: 'request',
              metadata: {
                model: 'm',
                startTime: at(1),
                duration: 500,
                usage: { prompt_tokens: 4, completion_tokens: 2 },
              },
              response: { message: ['Look'] },
            },
            { kind: 'toolCall', id: 't', tool: 'read', args: '{"a":1}', response: ['text'] },
          ],
        },
      ],
    },
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { model: 'm', tokens: { input: 4, output: 2, cached: null, inputIncludesCached: true } },
  },
  {
    name: 'copilot.jsonl',
    format: 'copilot-cli',
    content: jsonLines(
      copilot('session.start', { sessionId: 'cp', selectedModel: 'm', copilotVersion: '1' }, 0),
      copilot('user.message', { content: 'Go' }, 1),
      copilot(
        'assistant.message',
        {
          content: 'Look',
          outputTokens: 4,
          toolRequests: [{ toolCallId: 'c', name: 'shell', arguments: '{"command":"ls"}' }],
        },
        2,
      ),
      copilot('tool.execution_start', { toolCallId: 'c', toolName: 'shell' }, 3),
      copilot(
        'assistant.message',
        { content: 'inner', parentToolCallId: 'c', toolRequests: [{ toolCallId: 'z', name: 'x' }] },
        4,
      ),
      copilot('tool.execution_complete', { toolCallId: 'c', success: false, result: { content: 'no' } }, 5),
      copilot('subagent.started', { agentName: 'helper' }, 6),
      copilot('session.truncation', {}, 7),
      copilot('assistant.message', { content: 'Done', toolRequests: [] }, 8),
    ),
    counts: {
      modelTurns: 2,
      toolCalls: 1,
      resultsLinked: 1,
      userMessages: 1,
      toolErrors: 1,
      subagentRuns: 1,
      compactions: 1,
    },
    run: { sessionId: 'cp', model: 'm', endsTruncated: false },
  },
  {
    name: 'kimi.jsonl',
    format: 'kimi',
    content: jsonLines(
      { type: 'turn.prompt', input: [{ type: 'text', text: 'Go' }], time: Date.parse(at(0)) },
      { type: 'llm.request', model: 'k', time: Date.parse(at(0)) },
      kimi({ type: 'step.begin', step: 1 }, 1),
      kimi({ type: 'content.part', stepUuid: 's1', part: { type: 'think', think: 'Hm' } }, 1),
      kimi({ type: 'tool.call', stepUuid: 's1', toolCallId: 'c', name: 'Bash', args: { command: 'ls' } }, 2),
      kimi({ type: 'step.end' }, 2),
      {
        type: 'usage.record',
        usage: { inputOther: 3, output: 2, inputCacheRead: 9, inputCacheCreation: 1 },
        time: Date.parse(at(2)),
      },
      kimi({ type: 'tool.result', toolCallId: 'c', result: { output: 'a' } }, 3),
      { type: 'context.apply_compaction', summary: 'short', time: Date.parse(at(4)) },
      kimi({ type: 'content.part', stepUuid: 's2', part: { type: 'text', text: 'Done' } }, 5),
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1, compactions: 1 },
    run: { model: 'k', tokens: { input: 3, output: 2, cached: 9, cacheWrite: 1, inputIncludesCached: false } },
  },
  {
    name: 'export.json',
    format: 'opencode',
    content: {
      info: { id: 'oc', title: 'Fix', version: '1', time: { created: Date.parse(at(0)), updated: Date.parse(at(9)) } },
      messages: [
        { info: { role: 'user', time: { created: Date.parse(at(1)) } }, parts: [{ type: 'text', text: 'Go' }] },
        {
          info: {
            role: 'assistant',
            modelID: 'm',
            cost: 0.5,
            tokens: { input: 3, output: 2, cache: { read: 4, write: 1 } },
            time: { created: Date.parse(at(2)) },
          },
          parts: [
            { type: 'reasoning', text: 'Hm' },
            { type: 'tool', callID: 'c', tool: 'bash', state: { status: 'error', input: {}, error: 'no' } },
            { type: 'text', text: 'Done' },
          ],
        },
      ],
    },
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1, toolErrors: 1 },
    run: { sessionId: 'oc', task: 'Fix', costUsd: 0.5, endsTruncated: false },
  },
  {
    name: 'storage/session/p/ses.json',
    format: 'opencode',
    content: {
      id: 's1',
      projectID: 'p',
      directory: '/w',
      title: 'Stored',
      time: { created: Date.parse(at(0)), updated: Date.parse(at(5)) },
    },
    beside: {
      'storage/message/s1/b.json': {
        id: 'm2',
        sessionID: 's1',
        role: 'assistant',
        modelID: 'm',
        time: { created: Date.parse(at(2)) },
      },
      'storage/message/s1/a.json': { id: 'm1', sessionID: 's1', role: 'user', time: { created: Date.parse(at(1)) } },
      'storage/part/m1/1.json': { id: 'p1', sessionID: 's1', messageID: 'm1', type: 'text', text: 'Go' },
      'storage/part/m2/1.json': {
        id: 'p2',
        sessionID: 's1',
        messageID: 'm2',
        type: 'tool',
        callID: 'c',
        tool: 'ls',
        state: { status: 'completed', input: {}, output: 'a' },
      },
      'storage/part/m2/2.json': { id: 'p3', sessionID: 's1', messageID: 'm2', type: 'compaction' },
    },
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1, compactions: 1 },
    run: { sessionId: 's1', title: 'Go' },
  },
  {
    name: 'story.md',
    format: 'specstory',
    content:
      '<!-- Generated by SpecStory -->\n\n<!-- Claude Code Session abc-1 (2026-01-01 12:00:00Z) -->\n\n_**User (2026-01-01 12:00:00Z)**_\n\nGo\n\n---\n\n_**Agent (model-x 2026-01-01 12:00:05Z)**_\n\n<think>Hm</think>\nLook\n<tool-use data-tool-type="shell" data-tool-name="Bash"><details>\n<summary>x</summary>\n`ls`\n\n```text\na\n```\n</details></tool-use>\n',
    counts: { modelTurns: 1, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { sessionId: 'abc-1', model: 'model-x', started: '2026-01-01T12:00:00Z' },
    warns: 'not recorded',
  },
  {
    name: '.aider.chat.history.md',
    format: 'aider',
    content:
      '# aider chat started at 2026-01-01 12:00:00\n\n> Aider v0.80.1\n> Main model: m with diff edit format\n\n#### fix it\n#### please\n\nI will fix it.\n\n```json\n{"a": 1}\n```\n\n> Tokens: 2.4k sent, 104 received. Cost: $0.25 message, $0.25 session.\n> Applied edit to a.py\n> Commit 1b2614a fix\n\n# aider chat started at 2026-01-02 12:00:00\n\n#### second\n\nDone.\n',
    runs: 2,
    counts: { modelTurns: 1, toolCalls: 0, resultsLinked: 0, userMessages: 1 },
    run: {
      sessionId: '2026-01-01 12:00:00',
      model: 'm',
      agentVersion: '0.80.1',
      costUsd: 0.25,
      title: 'fix it please',
      tokens: { input: 2400, output: 104, cached: null, inputIncludesCached: true },
    },
  },
  {
    name: 'goose.jsonl',
    format: 'goose',
    content: jsonLines(
      { working_dir: '/w', description: 'A fix', message_count: 4, input_tokens: 6, output_tokens: 2 },
      { role: 'user', created: 1_800_000_000, content: [{ type: 'text', text: 'Go' }] },
      {
        role: 'assistant',
        created: 1_800_000_001,
        content: [
          {
            type: 'toolRequest',
            id: 'c',
            toolCall: { status: 'success', value: { name: 'shell', arguments: { command: 'ls' } } },
          },
        ],
      },
      {
        role: 'user',
        created: 1_800_000_002,
        content: [
          { type: 'toolResponse', id: 'c', toolResult: { status: 'success', value: [{ type: 'text', text: 'a' }] } },
        ],
      },
      { role: 'assistant', created: 1_800_000_003, content: [{ type: 'text', text: 'Done' }] },
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 },
    run: { title: 'Go', agent: 'goose', tokens: { input: 6, output: 2, cached: null, inputIncludesCached: true } },
  },
  {
    name: 'claude-code.txt',
    format: 'claude-stream-json',
    content: jsonLines(
      { type: 'system', subtype: 'init', session_id: 'sj', model: 'm' },
      streamLine({ type: 'text', text: 'Look' }, 1),
      streamLine({ type: 'tool_use', id: 'c', name: 'Bash', input: {} }, 7),
      {
        type: 'assistant',
        session_id: 'sj',
        parent_tool_use_id: 'c',
        message: { id: 'mx', role: 'assistant', content: [{ type: 'text', text: 'inner' }] },
      },
      {
        type: 'user',
        session_id: 'sj',
        message: { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: 'a', is_error: true }] },
      },
      {
        type: 'assistant',
        session_id: 'sj',
        message: {
          id: 'm2',
          role: 'assistant',
          content: [{ type: 'text', text: 'Done' }],
          usage: { input_tokens: 4, output_tokens: 2 },
        },
      },
      {
        type: 'result',
        subtype: 'success',
        num_turns: 2,
        total_cost_usd: 0.5,
        usage: { input_tokens: 7, output_tokens: 9, cache_read_input_tokens: 1, cache_creation_input_tokens: 0 },
      },
    ),
    counts: { modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 0, toolErrors: 1, subagentRuns: 1 },
    run: {
      sessionId: 'sj',
      costUsd: 0.5,
      exitStatus: 'success',
      endsTruncated: false,
      tokens: { input: 7, output: 9, cached: 1, cacheWrite: 0, inputIncludesCached: false },
    },
    warns: '1 lines are of sub-agents',
  },
];
