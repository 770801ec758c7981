import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTraces, openTrace } from '../../../src/core/traces';
import { atifDocument, claudeLine, fixtures, importOne, jsonLines, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();

/** Counts made by hand or by an independent program. */
const EXPECTED: [string, object][] = [
  [
    'atif/nat_exmp06_atif.json',
    {
      format: 'atif',
      formatVersion: '1.7',
      sessionId: 'orchestrator-006',
      model: 'gpt-4o',
      endsTruncated: false,
      started: '2026-01-06T00:00:01Z',
      ended: '2026-01-06T00:00:06Z',
      tokens: { input: null, output: null, cached: null, inputIncludesCached: null },
      counts: {
        steps: 7,
        modelTurns: 3,
        toolCalls: 0,
        resultsLinked: 0,
        resultsOrphan: 0,
        userMessages: 3,
        compactions: 0,
      },
    },
  ],
  [
    'atif/nemo_relay_atif_v1.7_real_redacted.json',
    {
      format: 'atif',
      model: null,
      tokens: { input: 8983, output: 7, cached: null },
      counts: { modelTurns: 1, toolCalls: 4, resultsLinked: 4, userMessages: 1 },
    },
  ],
  [
    'mini/django__django-10999/django__django-10999.traj.json',
    {
      format: 'mini-swe-agent',
      formatVersion: '1',
      task: 'django__django-10999',
      model: 'google/gemini-3-pro-preview',
      exitStatus: 'Submitted',
      costUsd: 0.15756699999999998,
      endsTruncated: false,
      started: '2025-11-18T23:51:34.000Z',
      ended: '2025-11-18T23:53:10.000Z',
      outcome: { verdict: 'fail', reward: 0, source: 'report.json' },
      tokens: { input: 115373, output: 4833, cached: 72875, inputIncludesCached: true },
      counts: { modelTurns: 18, toolCalls: 18, resultsLinked: 17, resultsOrphan: 0, userMessages: 1 },
    },
  ],
  [
    'mini/calc-1.json',
    {
      formatVersion: '1.1',
      task: 'local__calc-1',
      exitStatus: 'Submitted',
      outcome: { verdict: 'unknown' },
      counts: { modelTurns: 4, toolCalls: 6, resultsLinked: 5, userMessages: 1 },
    },
  ],
  [
    'mini/calc-1-limit.traj.json',
    { exitStatus: 'LimitsExceeded', endsTruncated: false, counts: { modelTurns: 2, toolCalls: 3, resultsLinked: 3 } },
  ],
  ['mini/calc-1-responses.traj.json', { counts: { modelTurns: 3, toolCalls: 4, resultsLinked: 3, userMessages: 1 } }],
  [
    'mini/bare-list.traj.json',
    {
      task: null,
      model: null,
      endsTruncated: false,
      counts: { modelTurns: 10, toolCalls: 10, resultsLinked: 9, userMessages: 1 },
    },
  ],
  [
    'mini/text-actions.traj.json',
    { exitStatus: 'Submitted', counts: { modelTurns: 2, toolCalls: 2, resultsLinked: 1, userMessages: 1 } },
  ],
  [
    'claude/small.jsonl',
    {
      format: 'claude-code',
      sessionId: '6da7d497-00e2-460d-a6b4-d280e0314cfd',
      model: 'claude-opus-4-6',
      endsTruncated: false,
      tokens: { input: 12, output: 471, cached: 206288, inputIncludesCached: false },
      started: '2026-02-06T06:42:15.125Z',
      counts: { modelTurns: 6, toolCalls: 3, resultsLinked: 3, userMessages: 3 },
    },
  ],
  [
    'claude/tail-only.jsonl',
    { counts: { modelTurns: 1, toolCalls: 0, userMessages: 1 }, tokens: { input: 10, output: 6 } },
  ],
  [
    'claude/with-subagents/b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093.jsonl',
    { counts: { modelTurns: 2, toolCalls: 4, resultsLinked: 4, subagentRuns: 4 } },
  ],
];

describe('recorded traces of each format', () => {
  it.each(EXPECTED)('%s has the right counts', async (name, expected) => {
    expect(await importOne(join(fixtures, name))).toMatchObject(expected);
  });

  it('tells what is missing or odd', async () => {
    const warnings = async (name: string) => (await importOne(join(fixtures, name))).warnings.join('\n');
    expect(await warnings('claude/tail-only.jsonl')).toContain('parentUuid outside the file');
    expect(await warnings('claude/with-subagents/b3a7bd3c-5a10-4e7b-8ff0-7fc0cd6d1093.jsonl')).toContain(
      '2 of 4 sub-agent files',
    );
    expect(await warnings('atif/nemo_relay_atif_v1.7_real_redacted.json')).toContain(
      'Unknown source value "<redacted>"',
    );
    expect(await warnings('mini/calc-1.json')).toBe('');
  });

  it('names the parent of sub-agent runs and keeps their counts apart', async () => {
    const { runs } = await importTraces([join(fixtures, 'claude/with-subagents')]);
    const parent = runs.find((run) => run.memberOf === undefined);
    expect(runs).toHaveLength(3);
    expect(
      runs
        .filter((run) => run.memberOf === parent?.id)
        .map((run) => run.sessionId)
        .sort(),
    ).toEqual(['aa9d784', 'ac47f8c']);
    expect(parent?.counts.toolCalls).toBe(4);
  });
});

describe('ATIF habits', () => {
  const importSteps = async (steps: unknown[], change: object = {}) => {
    const place = await folder();
    await writeFiles(place, { 'trajectory.json': atifDocument({ steps, ...change }) });
    return importOne(join(place, 'trajectory.json'));
  };
  const call = { tool_call_id: 'c1', function_name: 'exec', arguments: { command: 'ls' } };

  it('takes a result in a step of its own as a tool step, linked by extra.tool_call_id', async () => {
    const run = await importSteps([
      { source: 'user', message: 'go' },
      {
        source: 'agent',
        message: '',
        tool_calls: [call],
        metrics: { prompt_tokens: 5, completion_tokens: 1, cached_tokens: 90 },
      },
      {
        source: 'agent',
        message: 'out',
        observation: { results: [{ content: 'out' }] },
        extra: { openclaw_role: 'toolResult', tool_call_id: 'c1' },
      },
    ]);
    expect(run.counts).toMatchObject({ modelTurns: 1, toolCalls: 1, resultsLinked: 1, resultsOrphan: 0 });
    expect(run.endsTruncated).toBe(true);
    expect(run.tokens.inputIncludesCached).toBe(false);
  });

  it('takes results without any id as answers of the same step, and without calls as feedback on the format', async () => {
    const run = await importSteps([
      {
        source: 'agent',
        message: 'x',
        observation: { results: [{ content: 'Previous response had parsing errors' }] },
      },
      {
        source: 'agent',
        message: 'y',
        tool_calls: [{ ...call, function_name: 'submit' }],
        observation: { results: [{ content: 'ok' }] },
      },
    ]);
    expect(run.counts).toMatchObject({ resultsLinked: 1, resultsOrphan: 1, noActionTurns: 1 });
    expect(run.endsTruncated).toBe(false);
    const reader = await openTrace(run);
    expect((await reader.step(1)).event).toBe('format_error');
    await reader.close();
  });

  it('takes any unasked result of a turn without calls as feedback, and a later system step that says so as compaction', async () => {
    const run = await importSteps([
      { source: 'system', message: 'You are an agent. Old context is compacted for you.' },
      { source: 'user', message: 'Fix the thing.' },
      { source: 'agent', message: 'x', observation: { results: [{ content: 'Reply again.' }] } },
      { source: 'system', message: '[The conversation grew too long: 9 earlier messages were removed.]' },
      { source: 'agent', message: 'done' },
    ]);
    expect(run).toMatchObject({ title: 'Fix the thing.', warnings: [], counts: { compactions: 1, resultsOrphan: 1 } });
    const reader = await openTrace(run);
    expect([(await reader.step(3)).event, (await reader.step(4)).event]).toEqual(['format_error', 'compaction']);
    await reader.close();
  });

  it('leaves copied context out of the counts and finds summarization files by the end of their name', async () => {
    const place = await folder();
    const reference = { session_id: 's-summary', trajectory_path: 'old/trajectory.summarization-1-summary.json' };
    await writeFiles(place, {
      'trajectory.json': atifDocument({
        steps: [
          { source: 'user', message: 'go', is_copied_context: true },
          {
            source: 'system',
            message: 'Performed context summarization.',
            observation: { results: [{ subagent_trajectory_ref: [reference] }] },
          },
          { source: 'agent', message: 'done' },
        ],
      }),
      'x.trajectory.summarization-1-summary.json': atifDocument({ session_id: 's-summary' }),
    });
    const { runs } = await importTraces([place]);
    const main = runs.find((run) => run.sessionId === 'session-1');
    expect(main?.counts).toMatchObject({ userMessages: 0, compactions: 1, subagentRuns: 1, steps: 3 });
    expect(main?.warnings).toEqual([]);
    expect(runs.find((run) => run.sessionId === 's-summary')?.memberOf).toBe(main?.id);
  });
});

describe('Claude Code habits', () => {
  it('joins the lines of one message, takes the largest usage, ignores progress lines', async () => {
    const place = await folder();
    const first = claudeLine(2, 'assistant', [{ type: 'thinking', thinking: 'hm' }]);
    const second = claudeLine(2, 'assistant', [{ type: 'tool_use', id: 't1', name: 'Bash', input: { command: 'ls' } }]);
    const more = { ...fields(second.message), usage: { input_tokens: 3, output_tokens: 50 } };
    await writeFiles(place, {
      's.jsonl': jsonLines(
        claudeLine(1, 'user', 'list the files'),
        first,
        { type: 'progress', uuid: 'p', parentUuid: 'u1', sessionId: 's-1', data: { type: 'agent_progress' } },
        { ...second, message: more },
        claudeLine(3, 'user', [{ type: 'tool_result', tool_use_id: 't1', content: 'a', is_error: true }], {
          parentUuid: 'u2',
        }),
        claudeLine(4, 'assistant', [{ type: 'text', text: 'There is a.' }], { parentUuid: 'u3' }),
      ),
    });
    const run = await importOne(join(place, 's.jsonl'));
    expect(run.counts).toMatchObject({
      steps: 4,
      modelTurns: 2,
      toolCalls: 1,
      resultsLinked: 1,
      toolErrors: 1,
      userMessages: 1,
    });
    expect(run.tokens).toMatchObject({ input: 6, output: 54 });
    expect(run.title).toBe('list the files');
    const reader = await openTrace(run);
    expect(await reader.step(2)).toMatchObject({ kind: 'agent', reasoning: 'hm', calls: [{ id: 't1', name: 'Bash' }] });
    expect((await reader.raw(2)).split('\n')).toHaveLength(2);
    await reader.close();
  });

  it('counts a compaction once and does not count its summary as a user message', async () => {
    const place = await folder();
    await writeFiles(place, {
      's.jsonl': jsonLines(
        claudeLine(1, 'user', 'go'),
        {
          type: 'system',
          subtype: 'compact_boundary',
          uuid: 'b',
          parentUuid: null,
          sessionId: 's-1',
          compactMetadata: { trigger: 'auto' },
        },
        claudeLine(2, 'user', 'This session is continued', { isCompactSummary: true, parentUuid: 'b' }),
        claudeLine(3, 'user', '<command-name>/clear</command-name>'),
        claudeLine(4, 'assistant', 'ok'),
      ),
    });
    const run = await importOne(join(place, 's.jsonl'));
    expect(run.counts).toMatchObject({ compactions: 1, userMessages: 1, modelTurns: 1 });
  });
});

describe('SWE-agent', () => {
  it('reads prompts from the history, steps from the trajectory, and keeps demonstrations out of the counts', async () => {
    const place = await folder();
    await writeFiles(place, {
      'task__one.traj': {
        environment: 'swe_main',
        trajectory: [
          {
            action: 'ls -la\n',
            observation: 'a.txt',
            response: 'look\n```\nls -la\n```',
            thought: 'look',
            execution_time: 0.5,
            query: [{ role: 'user', content: 'long' }],
          },
          { action: 'submit', observation: '', response: 'submit', thought: 'submit' },
          { action: '', observation: 'Exited (autosubmitted)', response: '', thought: 'Exit due to cost limit' },
        ],
        history: [
          { role: 'system', content: 'You are a programmer.' },
          { role: 'user', content: 'A demonstration', is_demo: true },
          { role: 'assistant', content: 'demo', is_demo: true },
          { role: 'user', content: 'Fix the bug.' },
          { role: 'assistant', content: 'look' },
        ],
        info: {
          exit_status: 'submitted (exit_cost)',
          submission: 'diff',
          model_stats: { instance_cost: 0.2, tokens_sent: 100, tokens_received: 9, api_calls: 2 },
        },
      },
    });
    const run = await importOne(join(place, 'task__one.traj'));
    expect(run).toMatchObject({
      format: 'swe-agent',
      task: 'task__one',
      costUsd: 0.2,
      endsTruncated: false,
      title: 'Fix the bug.',
    });
    expect(run.counts).toMatchObject({ steps: 7, modelTurns: 2, toolCalls: 2, resultsLinked: 2, userMessages: 1 });
    const reader = await openTrace(run);
    expect(await reader.step(5)).toMatchObject({ calls: [{ name: 'ls', args: { command: 'ls -la' } }], seconds: 0.5 });
    expect(await reader.step(7)).toMatchObject({ kind: 'event', event: 'limit' });
    await reader.close();
  });
});

describe('chat messages', () => {
  it('are read from a list, from "messages" and from lines, in both protocols', async () => {
    const place = await folder();
    const openai = [
      { role: 'system', content: 's' },
      { role: 'user', content: 'u' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'c', function: { name: 'f', arguments: '{"a":1}' } }] },
      { role: 'tool', tool_call_id: 'c', content: 'r' },
      { role: 'assistant', content: 'end' },
    ];
    const anthropic = [
      { role: 'user', content: 'u' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: { a: 1 } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c', content: [{ type: 'text', text: 'r' }] }] },
      { role: 'assistant', content: [{ type: 'text', text: 'end' }] },
    ];
    await writeFiles(place, {
      'a.json': openai,
      'b.json': { model: 'm', messages: openai },
      'c.jsonl': jsonLines(...anthropic),
      'd.json': anthropic,
    });
    const { runs } = await importTraces([place]);
    expect(runs).toHaveLength(4);
    for (const run of runs) {
      expect(run).toMatchObject({ format: 'chat', endsTruncated: false });
      expect(run.counts).toMatchObject({
        modelTurns: 2,
        toolCalls: 1,
        resultsLinked: 1,
        resultsOrphan: 0,
        userMessages: 1,
      });
    }
  });
});

function fields(value: unknown): object {
  return typeof value === 'object' && value !== null ? value : {};
}
