import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTraces, type Step, summaryOf } from '../../../src/core/traces';
import {
  argumentsOf,
  contentText,
  isoOfSeconds,
  isTime,
  numberOf,
  stringOf,
} from '../../../src/core/traces/reading/fields';
import { RunTally } from '../../../src/core/traces/tally';
import {
  atifDocument,
  claudeLine,
  fixtures,
  importOne,
  jsonLines,
  stepsOf,
  temporaryFolders,
  writeFiles,
} from './helpers';

const folder = temporaryFolders();

/** All steps of one trace that is written to a file first. */
async function stepsIn(name: string, content: unknown): Promise<Step[]> {
  const place = await folder();
  await writeFiles(place, { [name]: content });
  return stepsOfFile(join(place, name));
}

async function stepsOfFile(file: string): Promise<Step[]> {
  return stepsOf(await importOne(file));
}

describe('steps of ATIF', () => {
  it('carry reasoning, model, tokens, cost, time, duration and images', async () => {
    const [step] = await stepsIn(
      't.json',
      atifDocument({
        steps: [
          {
            source: 'agent',
            timestamp: '2026-01-02T03:04:06Z',
            model_name: 'm2',
            reasoning_content: 'because',
            message: [
              { type: 'text', text: 'See' },
              { type: 'image', source: { media_type: 'image/png', path: 'images/a.png' } },
            ],
            metrics: { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 4, cost_usd: 0.5 },
            extra: { exec_duration_ms: 1500 },
          },
        ],
      }),
    );
    expect(step).toMatchObject({
      kind: 'agent',
      text: 'See\n[image, image/png, images/a.png]',
      reasoning: 'because',
      model: 'm2',
      tokens: { input: 10, output: 2, cached: 4, inputIncludesCached: true },
      costUsd: 0.5,
      time: '2026-01-02T03:04:06Z',
      seconds: 1.5,
    });
  });

  it('mark failed results by exit code, status or flag', async () => {
    const call = { tool_call_id: 'c', function_name: 'exec', arguments: '{"command":"x"}' };
    const result = (extra: object, inner: object = {}) => ({
      source: 'agent',
      message: '',
      tool_calls: [call],
      observation: { results: [{ source_call_id: 'c', content: 'out', extra: inner }] },
      extra,
    });
    const steps = await stepsIn(
      't.json',
      atifDocument({
        steps: [
          result({}),
          result({ exec_exit_code: 2 }),
          result({ exec_status: 'failed' }),
          result({}, { is_error: true }),
        ],
      }),
    );
    expect(steps.map((step) => step.results[0]?.isError)).toEqual([false, true, true, true]);
    expect(steps[0]?.calls[0]?.args).toEqual({ command: 'x' });
  });
});

describe('steps of mini-swe-agent', () => {
  it('have a meaning by what came before: task, turn, result, feedback, submission', async () => {
    const block = (command: string) => `THOUGHT\n\n\`\`\`bash\n${command}\n\`\`\``;
    const steps = await stepsIn('x.traj.json', {
      trajectory_format: 'mini-swe-agent-1',
      info: { exit_status: 'Submitted' },
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'task' },
        { role: 'assistant', content: `${block('a')}\n${block('b')}` },
        { role: 'user', content: 'Please always provide EXACTLY ONE action' },
        { role: 'assistant', content: block('ls nowhere') },
        { role: 'user', content: '<returncode>2</returncode>\n<output>\nno\n</output>' },
        { role: 'assistant', content: block('echo SUBMIT') },
        { role: 'user', content: '<returncode> is how the diff begins' },
      ],
    });
    expect(steps.map((step) => step.event ?? step.kind)).toEqual([
      'system',
      'user',
      'agent',
      'format_error',
      'agent',
      'tool',
      'agent',
      'submission',
    ]);
    expect(steps[2]?.calls).toEqual([]);
    expect(steps[4]?.calls).toMatchObject([{ name: 'bash', args: { command: 'ls nowhere' } }]);
    expect(steps[5]?.results).toMatchObject([{ callId: steps[4]?.calls[0]?.id, isError: true }]);
  });

  it('name the limit or exception that ended the run, in both versions', async () => {
    const old = (status: string) => ({
      trajectory_format: 'mini-swe-agent-1',
      info: { exit_status: status },
      messages: [
        { role: 'user', content: 't' },
        { role: 'assistant', content: '```bash\nls\n```' },
        { role: 'user', content: '<returncode>0</returncode>' },
        { role: 'user', content: '' },
      ],
    });
    expect((await stepsIn('a.json', old('LimitsExceeded'))).at(-1)?.event).toBe('limit');
    expect((await stepsIn('a.json', old('RuntimeError'))).at(-1)?.event).toBe('exception');
    const [limit] = (await stepsOfFile(join(fixtures, 'mini/calc-1-limit.traj.json'))).slice(-1);
    expect(limit).toMatchObject({ kind: 'event', event: 'limit', text: 'LimitsExceeded' });
  });

  it('of the Responses shape have the text of their messages and their calls', async () => {
    const steps = await stepsOfFile(join(fixtures, 'mini/calc-1-responses.traj.json'));
    expect(steps[1]).toMatchObject({ kind: 'user', text: 'Please solve this issue: add(2,3) returns -1' });
    expect(steps[2]).toMatchObject({ kind: 'agent', calls: [{ id: 'fc_1', name: 'bash' }] });
    expect(steps[3]).toMatchObject({ kind: 'tool', results: [{ callId: 'fc_1', isError: false }] });
  });

  it('of a run without an exit status that stops on a result are truncated', async () => {
    const place = await folder();
    await writeFiles(place, {
      'a.json': {
        trajectory_format: 'mini-swe-agent-1',
        info: {},
        messages: [
          { role: 'user', content: 't' },
          { role: 'assistant', content: '```bash\nls\n```' },
          { role: 'user', content: '<returncode>0</returncode>' },
        ],
      },
    });
    expect(await importOne(join(place, 'a.json'))).toMatchObject({ endsTruncated: true, counts: { resultsLinked: 1 } });
  });
});

describe('steps of Claude Code', () => {
  it('show errors of the client as events, not as turns', async () => {
    const failed = claudeLine(2, 'assistant', [{ type: 'text', text: 'API Error: 529' }], { isApiErrorMessage: true });
    const steps = await stepsIn(
      's.jsonl',
      jsonLines(
        claudeLine(1, 'user', 'go'),
        failed,
        { type: 'system', subtype: 'api_error', uuid: 'e', parentUuid: 'u1', sessionId: 's-1', error: { status: 529 } },
        { type: 'system', subtype: 'turn_duration', uuid: 'd', parentUuid: 'u1', sessionId: 's-1', durationMs: 5 },
        { type: 'system', subtype: 'microcompact_boundary', uuid: 'm', parentUuid: 'u1', sessionId: 's-1' },
      ),
    );
    expect(steps.map((step) => step.event ?? step.kind)).toEqual([
      'user',
      'exception',
      'exception',
      'microcompact_boundary',
    ]);
    expect(steps[2]?.text).toContain('529');
  });

  it('keep results of parallel calls apart, with durations and the sub-agent they came from', async () => {
    const use = (id: string, name: string) => ({ type: 'tool_use', id, name, input: {} });
    const answer = (number: number, id: string, more: object) =>
      claudeLine(
        number,
        'user',
        [{ type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text: id }] }],
        more,
      );
    const steps = await stepsIn(
      's.jsonl',
      jsonLines(
        claudeLine(1, 'user', 'go'),
        claudeLine(2, 'assistant', [use('a', 'Task')]),
        answer(3, 'a', { toolUseResult: { agentId: 'ag1', totalDurationMs: 2500 } }),
        claudeLine(2, 'assistant', [use('b', 'Bash')]),
        answer(4, 'b', { toolUseResult: 'plain text' }),
      ),
    );
    expect(steps.map((step) => step.kind)).toEqual(['user', 'agent', 'tool', 'tool']);
    expect(steps[1]?.calls.map((call) => call.id)).toEqual(['a', 'b']);
    expect(steps[2]).toMatchObject({ seconds: 2.5, startsRun: 'ag1', results: [{ callId: 'a', text: 'a' }] });
  });

  it('a session that ends on an unanswered call or a result was stopped', async () => {
    const place = await folder();
    const call = claudeLine(2, 'assistant', [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }]);
    const result = claudeLine(3, 'user', [{ type: 'tool_result', tool_use_id: 't', content: 'x' }]);
    await writeFiles(place, {
      'call.jsonl': jsonLines(claudeLine(1, 'user', 'go'), call),
      'result.jsonl': jsonLines(claudeLine(1, 'user', 'go'), call, result),
      'whole.jsonl': jsonLines(claudeLine(1, 'user', 'go'), call, result, claudeLine(4, 'assistant', 'done')),
    });
    const { runs } = await importTraces([place]);
    expect(runs.map((run) => run.endsTruncated)).toEqual([true, true, false]);
  });
});

describe('summaries', () => {
  const base: Step = { n: 1, kind: 'agent', text: '', calls: [], results: [] };

  it('show text, else a result, else reasoning; without control characters and never half a character', () => {
    expect(summaryOf({ ...base, text: 'a\u0000b\u001b[31mred\u001b[0m\u2028c' }).preview).toBe('abred c');
    expect(summaryOf({ ...base, results: [{ callId: null, text: 'out', isError: true }] })).toMatchObject({
      preview: 'out',
      isError: true,
      textLength: 3,
    });
    expect(summaryOf({ ...base, reasoning: 'why' }).preview).toBe('why');
    expect(summaryOf({ ...base, text: `${'x'.repeat(399)}\u{1F600}` }).preview).toBe('x'.repeat(399));
  });

  it('show the one text argument of a call, or all arguments as JSON', () => {
    const preview = (args: unknown) => summaryOf({ ...base, calls: [{ id: 'c', name: 'f', args }] }).calls[0]?.preview;
    expect(preview({ command: 'ls -la' })).toBe('ls -la');
    expect(preview({ a: 1, b: 'x' })).toBe('{"a":1,"b":"x"}');
    expect(preview('raw')).toBe('raw');
    expect(preview(undefined)).toBe('');
  });
});

describe('fields of foreign records', () => {
  it('are read with care', () => {
    expect([stringOf('x'), stringOf(''), stringOf('<redacted>'), stringOf(3)]).toEqual(['x', null, null, null]);
    expect([numberOf(0), numberOf(Number.NaN), numberOf('3')]).toEqual([0, null, null]);
    expect([isoOfSeconds(1763509894), isoOfSeconds(3), isoOfSeconds('x')]).toEqual([
      '2025-11-18T23:51:34.000Z',
      null,
      null,
    ]);
    expect([isTime('2026-01-01T00:00:00Z'), isTime('yesterday'), isTime('<redacted>')]).toEqual([true, false, false]);
    expect(argumentsOf('{"a":1}')).toEqual({ a: 1 });
    expect(argumentsOf('*** Begin Patch')).toBe('*** Begin Patch');
    expect(contentText([{ type: 'tool_result', content: [{ text: 'in' }] }, 'plain', null, 3])).toBe('in\nplain');
  });
});

describe('tally', () => {
  it('keeps the first warnings and counts the others; links results to calls wherever they stand', () => {
    const tally = new RunTally();
    for (let index = 0; index < 60; index += 1) tally.warn(`warning ${index}`);
    const step = (calls: string[], results: (string | null)[]) => ({
      body: {
        kind: 'agent' as const,
        text: '',
        calls: calls.map((id) => ({ id, name: 'f', args: {} })),
        results: results.map((callId) => ({ callId, text: '', isError: false })),
      },
      ranges: [],
      counts: { modelTurn: true },
    });
    tally.step(step([], ['late']));
    tally.step(step(['late', 'open'], [null, 'lost']));
    const run = tally.run('/f', 'atif');
    expect(run.counts).toMatchObject({ resultsLinked: 1, resultsOrphan: 2, toolCalls: 2, noActionTurns: 1 });
    expect(run.warnings).toHaveLength(52);
    expect(run.warnings.slice(-2)).toEqual([
      '1 tool result without a call in the trace.',
      '10 more warnings were left out.',
    ]);
  });

  it('takes the earliest and latest time, whatever their zone', () => {
    const tally = new RunTally();
    for (const time of ['2026-01-01T10:00:00+02:00', '2026-01-01T09:00:00Z', 'never', null]) tally.time(time);
    expect(tally.run('/f', 'atif')).toMatchObject({
      started: '2026-01-01T10:00:00+02:00',
      ended: '2026-01-01T09:00:00Z',
    });
  });
});
