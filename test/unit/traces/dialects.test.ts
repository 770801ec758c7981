import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTraces } from '../../../src/core/traces';
import { jsonLines, temporaryFolders, traceRows, writeFiles } from './helpers';
import { at } from './samples/sample';

const folder = temporaryFolders();
const read = traceRows(folder);

describe('Codex rollouts', () => {
  const line = (type: string, payload: object) => ({ timestamp: at(1), type, payload });
  const total = (input: number, output = 1) =>
    line('event_msg', {
      type: 'token_count',
      info: { total_token_usage: { input_tokens: input, output_tokens: output } },
    });
  const says = (text: string) =>
    line('response_item', { type: 'message', role: 'assistant', content: [{ type: 'output_text', text }] });

  it('cumulative counts: repeated ones count once, a smaller one begins a new count', async () => {
    const { run } = await read(
      'r.jsonl',
      jsonLines(says('A'), total(10), total(10), says('B'), total(25), says('C'), total(7)),
    );
    expect(run.tokens.input).toBe(32);
    expect(run.counts.modelTurns).toBe(3);
  });

  it('tools that the provider runs need no output line; others that have none end the run open', async () => {
    const search = line('response_item', { type: 'web_search_call', id: 'ws', action: { query: 'x' } });
    const { run, rows } = await read('r.jsonl', jsonLines(search, says('Found')));
    expect(rows).toEqual(['agent | "Found" | calls ws web_search {"query":"x"} | answers ws ""']);
    expect(run.endsTruncated).toBe(false);
    const open = await read(
      'r.jsonl',
      jsonLines(line('response_item', { type: 'local_shell_call', call_id: 'c', action: { command: ['ls'] } })),
    );
    expect(open.run).toMatchObject({
      endsTruncated: true,
      warnings: ['1 tool call has no result: the trace ends there.'],
    });
  });

  it('aborts, sub-agents, forks and namespaces are told', async () => {
    const { run, rows } = await read(
      'r.jsonl',
      jsonLines(
        line('session_meta', { id: 'child', forked_from_id: 'parent' }),
        line('session_meta', { id: 'parent' }),
        line('response_item', {
          type: 'function_call',
          call_id: 'c',
          namespace: 'mcp',
          name: 'find',
          arguments: 'no JSON',
        }),
        line('event_msg', { type: 'collab_agent_spawn_end', new_thread_id: 'helper', new_agent_nickname: 'Ada' }),
        line('event_msg', { type: 'turn_aborted', reason: 'interrupted' }),
      ),
    );
    expect(rows).toEqual([
      'agent | calls c mcp.find "no JSON"',
      'event subagent | "Ada" | starts helper',
      'event aborted | "interrupted"',
    ]);
    expect(run).toMatchObject({ sessionId: 'child', counts: { subagentRuns: 1 } });
    expect(run.warnings.join()).toContain('forked from parent');
  });
});

describe('exec streams', () => {
  it('an item that was begun and not completed shows that the stream was cut; failures are events', async () => {
    const { run, rows } = await read(
      'e.jsonl',
      jsonLines(
        { type: 'thread.started', thread_id: 't' },
        {
          type: 'item.completed',
          item: { id: 'a', type: 'file_change', changes: [{ path: 'x' }], status: 'completed' },
        },
        { type: 'item.completed', item: { id: 't', type: 'todo_list', items: [{ text: 'x' }] } },
        { type: 'turn.failed', error: { message: 'no quota' } },
        { type: 'item.started', item: { id: 'b', type: 'command_execution' } },
      ),
    );
    expect(rows).toEqual([
      'agent | calls a file_change {"changes":[{"path":"x"}]} | answers a ""',
      'event plan | "[{\\"text\\":\\"x\\"}]"',
      'event exception | "no quota"',
    ]);
    expect(run.endsTruncated).toBe(true);
    expect(run.warnings.join()).toContain('1 items were started and not completed');
  });
});

describe('Inspect samples', () => {
  const log = (sample: object) => ({
    version: 2,
    status: 'error',
    eval: { model: 'm' },
    samples: [{ id: 'x', epoch: 1, messages: [], ...sample }],
  });

  it.each<[unknown, unknown]>([
    [{ a: { value: 'C' } }, { verdict: 'pass', reward: 1 }],
    [{ a: { value: 'I' } }, { verdict: 'fail', reward: 0 }],
    [{ a: { value: 'P' } }, { verdict: 'fail', reward: 0.5 }],
    [
      { a: { value: 1 }, b: { value: 'I' } },
      { verdict: 'fail', reward: 0 },
    ],
    [{ a: { value: true } }, { verdict: 'pass', reward: 1 }],
    [{ a: { value: { part: 1 } } }, { verdict: 'unknown', reward: null }],
    [null, { verdict: 'unknown', reward: null }],
  ])('scores %j: %j', async (scores, outcome) => {
    expect((await read('l.json', log({ scores }))).run.outcome).toMatchObject(outcome as object);
  });

  it('an error is an exception beside a missing verdict; a limit is the exit status', async () => {
    const failed = await read('l.json', log({ error: { message: 'sandbox died' } }));
    expect(failed.run.outcome).toMatchObject({ verdict: 'missing', exception: 'sandbox died' });
    const limited = await read(
      'l.json',
      log({ scores: { a: { value: 'C' } }, error: { message: 'late' }, limit: { type: 'time' } }),
    );
    expect(limited.run).toMatchObject({ exitStatus: 'limit: time', outcome: { verdict: 'pass', exception: 'late' } });
  });

  it('tool calls that start agents are sub-agents; compactions, limits and notes are events', async () => {
    const events = [
      {
        event: 'model',
        output: {
          choices: [
            {
              message: {
                content: [
                  { type: 'reasoning', reasoning: 'Hm' },
                  { type: 'text', text: 'Go' },
                ],
                tool_calls: [{ id: 'c', function: 'helper', arguments: {} }],
              },
            },
          ],
        },
      },
      { event: 'tool', id: 'c', function: 'helper', result: [{ type: 'text', text: 'done' }], agent_span_id: 'span' },
      { event: 'model', pending: true },
      { event: 'compaction', type: 'trim', tokens_before: 9, tokens_after: 3 },
      { event: 'sample_limit', type: 'token', message: 'too many' },
      { event: 'info', data: 'a note' },
      { event: 'approval', decision: 'reject', explanation: 'unsafe' },
      { event: 'store', changes: [] },
    ];
    const { run, rows } = await read('l.json', log({ events }));
    expect(rows).toEqual([
      'agent | "Go" | thinks "Hm" | calls c helper {}',
      'tool | answers c "done" | starts span',
      'event compaction | "{\\"type\\":\\"trim\\",\\"before\\":9,\\"after\\":3}"',
      'event limit | "token: too many"',
      'event note | "a note"',
      'event approval | "unsafe"',
    ]);
    expect(run.counts).toMatchObject({ modelTurns: 1, subagentRuns: 1, compactions: 1 });
  });
});

describe('spans', () => {
  const nano = '1800000000000000000';
  const span = (spanId: string, parentSpanId: string, attributes: object, more: object = {}) => ({
    traceId: 't',
    spanId,
    parentSpanId,
    name: spanId,
    startTimeUnixNano: nano,
    endTimeUnixNano: '1800000001500000000',
    attributes,
    ...more,
  });

  it('times are nanoseconds in text; durations are seconds; an agent inside an agent is a sub-agent', async () => {
    const agent = { 'gen_ai.operation.name': 'invoke_agent' };
    const { run, rows } = await read('s.json', [
      span('root', '', agent),
      span('helper', 'root', agent),
      span('turn', 'helper', { 'gen_ai.operation.name': 'chat', 'gen_ai.completion': 'Hi', 'gen_ai.usage.cost': 0.5 }),
    ]);
    expect(rows).toEqual(['event subagent | "helper" | starts helper', 'agent | "Hi" | takes 1.5']);
    expect(run).toMatchObject({ started: '2027-01-15T08:00:00.000Z', costUsd: 0.5, counts: { subagentRuns: 1 } });
  });

  it('an error without content shows its message; a tool without a call is call and result', async () => {
    const failed = { status: { code: 'STATUS_CODE_ERROR', message: 'rate limit' } };
    const { rows } = await read('s.json', [
      span('turn', '', { 'gen_ai.operation.name': 'chat' }, failed),
      span('execute_tool ls', '', { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.call.arguments': '{"a":1}' }),
    ]);
    expect(rows).toEqual([
      'agent | "rate limit" | takes 1.5',
      'tool | calls span-execute_tool ls ls {"a":1} | answers span-execute_tool ls "" | takes 1.5',
    ]);
  });

  it('two traces in one file are two runs', async () => {
    const place = await folder();
    const turn = { 'gen_ai.operation.name': 'chat', 'gen_ai.completion': 'Hi' };
    await writeFiles(place, {
      's.json': [span('a', '', turn), span('b', 'a', turn), { ...span('c', '', turn), traceId: 'u' }],
    });
    const { runs } = await importTraces([join(place, 's.json')]);
    expect(runs.map((run) => [run.sessionId, run.counts.modelTurns])).toEqual([
      ['t', 2],
      ['u', 1],
    ]);
  });
});

describe('Markdown histories', () => {
  it('text before the first Aider session, and a session without anything, are kept apart', async () => {
    const place = await folder();
    await writeFiles(place, {
      'a.md':
        '# aider chat started at 2026-01-01 10:00:00\n\n# aider chat started at 2026-01-01 11:00:00\n\n#### go\n\n> litellm.APIError: failed to connect\n',
    });
    const { runs } = await importTraces([join(place, 'a.md')]);
    expect(runs.map((run) => [run.sessionId, run.counts.steps, run.warnings])).toEqual([
      ['2026-01-01 10:00:00', 0, ['No messages or calls were found in it.']],
      ['2026-01-01 11:00:00', 2, []],
    ]);
  });

  it('a tool block that is not closed, and one that failed, in SpecStory', async () => {
    const text =
      '<!-- Generated by SpecStory -->\n_**Agent (m 2026-01-01 10:00Z)**_\n\n<tool-use data-tool-name="Bash"><details>\n`ls`\n```text\nExit code 1\nno\n```\n</details></tool-use>\n<tool-use data-tool-name="Read"><details>\nfile';
    const { rows } = await read('s.md', text);
    expect(rows[0]).toMatch(
      /calls at-\d+-1 Bash .* calls at-\d+-2 Read \{"input":"file"\} \| fails at-\d+-1 "Exit code 1\\nno" \| answers at-\d+-2 ""/,
    );
  });

  it('other Markdown and text in a folder is not looked at', async () => {
    const place = await folder();
    await writeFiles(place, {
      'README.md': '# aider is nice',
      'notes.txt': 'plain',
      'out.txt': jsonLines(
        { type: 'thread.started', thread_id: 'x' },
        { type: 'item.completed', item: { type: 'agent_message', text: 'Hi' } },
      ),
    });
    const { runs, unknown } = await importTraces([place]);
    expect(runs.map((run) => run.format)).toEqual(['codex-exec']);
    expect(unknown.map(({ reason }) => reason).join()).toContain('2 files with other endings');
  });
});

describe('AHE in-memory traces', () => {
  it('an answer that begins with a call has no empty line before its text', async () => {
    const call = { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{}' } }] };
    const span = { input: [{ role: 'user', content: 'Go' }], output: [call, { role: 'assistant', content: 'Look' }] };
    const { rows } = await read('t.json', { trace_id: 't', spans: [span] });
    expect(rows).toEqual(['user | "Go"', 'agent | "Look" | calls c f {}']);
  });
});

describe('answers of which only the output tokens are recorded', () => {
  const answer = { role: 'assistant', content: 'Look' };
  it.each<[string, unknown]>([
    [
      'Langfuse',
      {
        trace: { id: 't' },
        observations: [{ id: 'o', traceId: 't', type: 'GENERATION', output: answer, usageDetails: { output: 3 } }],
      },
    ],
    [
      'LangSmith',
      {
        post: [{ id: 'r', trace_id: 'r', run_type: 'llm', outputs: { ...answer, usage: { output_tokens: 3 } } }],
        patch: [],
      },
    ],
    [
      'pi',
      jsonLines(
        { type: 'session', version: 3, id: 's', cwd: '/' },
        {
          type: 'message',
          id: 'a',
          message: { ...answer, content: [{ type: 'text', text: 'Look' }], usage: { output: 3 } },
        },
      ),
    ],
  ])('%s: the step shows what the run counts', async (_, content) => {
    const { run, rows } = await read('t.json', content);
    expect(run.tokens.output).toBe(3);
    expect(rows).toEqual(['agent | "Look" | tokens null/3']);
  });
});
