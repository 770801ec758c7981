import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTraces, type TraceRun } from '../../../src/core/traces';
import { atifDocument, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();

async function trial(files: Record<string, unknown>, trace = 'agent/trajectory.json'): Promise<TraceRun> {
  const place = await folder();
  await writeFiles(place, { [trace]: atifDocument(), ...files });
  const { runs } = await importTraces([place]);
  const run = runs.find((one) => one.file === join(place, trace));
  if (run === undefined) throw new Error('the trace was not imported');
  return run;
}

const passed = { verifier_result: { rewards: { reward: 1 } } };

describe('outcome of a Harbor trial', () => {
  it('has three axes: a run that timed out may have passed', async () => {
    const run = await trial({
      'result.json': {
        trial_name: 't__1',
        task_name: 't',
        ...passed,
        exception_info: { exception_type: 'AgentTimeoutError' },
      },
    });
    expect(run.outcome).toEqual({
      verdict: 'pass',
      reward: 1,
      exception: 'AgentTimeoutError',
      source: '../result.json',
    });
    expect(run).toMatchObject({ task: 't', trial: 't__1' });
  });

  it.each<[string, Record<string, unknown>, object]>([
    ['no reward at all', { trial_name: 'x', verifier_result: null }, { verdict: 'missing', reward: null }],
    [
      'a fraction',
      { trial_name: 'x', verifier_result: { rewards: { reward: 0.5 } } },
      { verdict: 'fail', reward: 0.5 },
    ],
    [
      'another key',
      { trial_name: 'x', verifier_result: { rewards: { tests: 1, style: 0 } } },
      { verdict: 'fail', reward: 0 },
    ],
    ['a null reward', { trial_name: 'x', verifier_result: { rewards: { reward: null } } }, { verdict: 'missing' }],
  ])('%s', async (_, result, outcome) => {
    expect((await trial({ 'result.json': result })).outcome).toMatchObject(outcome);
    expect((await trial({ 'result.json': result }, 'trajectory.json')).outcome).toMatchObject({
      ...outcome,
      source: 'result.json',
    });
  });

  it.each<[string, object]>([
    ['1', { verdict: 'pass', reward: 1 }],
    ['0.0\n', { verdict: 'fail', reward: 0 }],
    ['', { verdict: 'missing', reward: null }],
    ['oops', { verdict: 'missing', reward: null }],
  ])('reward.txt %j, with the exception of exception.txt', async (text, outcome) => {
    const run = await trial({
      'verifier/reward.txt': text,
      'exception.txt': 'Traceback\n  File "x"\nharbor.errors.AgentTimeoutError: 900 s\n',
    });
    expect(run.outcome).toMatchObject({ ...outcome, exception: 'AgentTimeoutError' });
  });

  it('fills in tokens, cost and times only where the trace has none', async () => {
    const result = {
      trial_name: 'x',
      started_at: '2025-01-01T00:00:00Z',
      agent_result: { n_input_tokens: 7, n_output_tokens: 8, n_cache_tokens: 1, cost_usd: 3 },
      agent_info: { name: 'other', version: '2', model_info: { name: 'm' } },
    };
    const steps = [
      { source: 'user', message: 'a' },
      { source: 'agent', message: 'b' },
    ];
    const bare = await trial({
      'agent/trajectory.json': { schema_version: 'ATIF-v1.6', steps },
      'result.json': result,
    });
    expect(bare).toMatchObject({
      tokens: { input: 7, output: 8, cached: 1 },
      costUsd: 3,
      agent: 'other',
      model: 'm',
      started: '2025-01-01T00:00:00Z',
    });
    const full = await trial({ 'result.json': result });
    expect(full).toMatchObject({
      tokens: { input: 10, output: 2 },
      costUsd: 0.5,
      agent: 'tinker',
      started: '2026-01-02T03:04:05Z',
    });
  });

  it('is not taken from a job result, a broken file or another shape', async () => {
    for (const result of [{ n_total_trials: 3, stats: {} }, '{"trial_name": "x"', [1, 2], 'null']) {
      expect((await trial({ 'result.json': result })).outcome).toEqual({
        verdict: 'unknown',
        reward: null,
        exception: null,
        source: null,
      });
    }
  });
});

describe('outcome of a SWE-bench instance', () => {
  const mini = (id: string) => ({
    trajectory_format: 'mini-swe-agent-1',
    instance_id: id,
    info: { exit_status: 'Submitted' },
    messages: [{ role: 'user', content: 'x' }],
  });

  async function batch(files: Record<string, unknown>): Promise<Map<string | null, TraceRun>> {
    const place = await folder();
    await writeFiles(place, {
      'a/a.traj.json': mini('a'),
      'b/b.traj.json': mini('b'),
      'c/c.traj.json': mini('c'),
      ...files,
    });
    const { runs } = await importTraces([place]);
    return new Map(runs.map((run) => [run.task, run]));
  }

  it('"Submitted" is no verdict', async () => {
    expect((await batch({})).get('a')).toMatchObject({ exitStatus: 'Submitted', outcome: { verdict: 'unknown' } });
  });

  it('comes from a report beside it, keyed or not', async () => {
    const runs = await batch({
      'a/report.json': { resolved: true, tests_status: {} },
      'b/report.json': { b: { resolved: false } },
    });
    expect(runs.get('a')?.outcome).toMatchObject({ verdict: 'pass', source: 'report.json' });
    expect(runs.get('b')?.outcome.verdict).toBe('fail');
    expect(runs.get('c')?.outcome.verdict).toBe('unknown');
  });

  it('comes from a summary above it; an id that was not submitted has no verdict', async () => {
    const runs = await batch({
      'results.json': { resolved_ids: ['a'], unresolved_ids: ['b'], submitted_ids: ['a', 'b'] },
    });
    expect(['a', 'b', 'c'].map((id) => runs.get(id)?.outcome.verdict)).toEqual(['pass', 'fail', 'unknown']);
    const old = await batch({ 'results.json': { resolved: ['b'], error_ids: ['c'] } });
    expect(['a', 'b', 'c'].map((id) => old.get(id)?.outcome.verdict)).toEqual(['unknown', 'pass', 'missing']);
  });

  it('terminal-bench: a null verdict is missing, a timeout may have passed', async () => {
    const results = [
      { task_id: 'a', trial_name: 'a.1', is_resolved: true, failure_mode: 'agent_timeout' },
      { task_id: 'b', trial_name: 'b.1', is_resolved: null, failure_mode: 'parse_error' },
      { task_id: 'c', trial_name: 'c.1', is_resolved: false, failure_mode: 'unset' },
    ];
    const runs = await batch({ 'results.json': { results, n_resolved: 1 } });
    expect(runs.get('a')?.outcome).toMatchObject({ verdict: 'pass', exception: 'agent_timeout' });
    expect(runs.get('b')?.outcome).toMatchObject({ verdict: 'missing', exception: 'parse_error' });
    expect(runs.get('c')?.outcome).toMatchObject({ verdict: 'fail', exception: null });
  });
});

describe('outcome files', () => {
  it('are not listed as unknown when a run uses them, and say what they are when none does', async () => {
    const place = await folder();
    await writeFiles(place, {
      'one/agent/trajectory.json': atifDocument(),
      'one/result.json': { trial_name: 'x', ...passed },
      'one/config.json': { trial: 'x' },
      'two/report.json': { resolved: true },
    });
    const { runs, unknown, outcomeFiles } = await importTraces([place]);
    expect(outcomeFiles).toEqual([{ file: join(place, 'one/result.json'), run: runs[0]?.id }]);
    expect(unknown).toEqual([
      { file: join(place, 'one/config.json'), reason: 'belongs to the trial one; it holds no steps' },
      {
        file: join(place, 'two/report.json'),
        reason: 'a SWE-bench report, but no trace was found that it belongs to',
      },
    ]);
  });
});
