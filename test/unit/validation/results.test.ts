import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readTrialSet, type Trial } from '../../../src/core/validation';
import { trialsOf } from '../../../src/core/validation/results/resultReader';
import { temporaryFolder, writeFiles } from './repository';

function folderWith(files: Record<string, unknown>): string {
  const folder = temporaryFolder();
  const texts = Object.entries(files).map(([path, value]) => [path, JSON.stringify(value)]);
  writeFiles(folder, Object.fromEntries(texts));
  return folder;
}

const short = (trials: Trial[]) => trials.map(({ task, repeat, verdict }) => `${task} ${repeat} ${verdict}`);

describe('repeats', () => {
  it('keep their numbers, and those without get the free ones in order', () => {
    const found = ['a', 'a', 'b', 'a'].map((task, index) => ({
      task,
      verdict: 'pass' as const,
      output: String(index),
      repeat: index === 1 ? 1 : undefined,
    }));
    expect(trialsOf('r', found).map(({ task, repeat }) => `${task}${repeat}`)).toEqual(['a2', 'a1', 'b1', 'a3']);
  });

  it('are never dropped and never share a number, whatever a file says', () => {
    const one = fc.record({ task: fc.constantFrom('a', 'b'), repeat: fc.option(fc.integer({ min: 1, max: 4 })) });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 30 }), (list) => {
        const found = list.map(({ task, repeat }) => ({
          task,
          repeat: repeat ?? undefined,
          verdict: 'fail' as const,
          output: '',
        }));
        const trials = trialsOf('r', found);
        expect(trials).toHaveLength(list.length);
        expect(new Set(trials.map(({ task, repeat }) => `${task}/${repeat}`)).size).toBe(list.length);
      }),
    );
  });
});

describe('results of terminal-bench', () => {
  const record = (task: string, attempt: number, is_resolved: boolean | null, failure_mode = 'unset') => ({
    task_id: task,
    trial_name: `${task}.${attempt}-of-2.run`,
    is_resolved,
    failure_mode,
    total_input_tokens: 10,
    total_output_tokens: 5,
  });

  it('take the repeat from the name, since they stand in the order they ended', async () => {
    const run = folderWith({ 'results.json': { results: [record('a', 2, true), record('a', 1, false)] } });
    const { trials } = await readTrialSet(run);
    expect(short(trials)).toEqual(['a 2 pass', 'a 1 fail']);
    expect(trials[0]).toMatchObject({ tokens: 15, reward: 1, exception: null });
  });

  it('keep a missing verdict apart from a failure, and a timeout from both', async () => {
    const results = [record('a', 1, null, 'test_timeout'), record('b', 1, true, 'agent_timeout')];
    const { trials } = await readTrialSet(folderWith({ 'results.json': { results } }));
    expect(trials[0]).toMatchObject({ verdict: 'missing', reward: null, infrastructure: true });
    expect(trials[1]).toMatchObject({ verdict: 'pass', exception: { type: 'agent_timeout' }, infrastructure: false });
  });

  it('are read from the trials when the run was killed', async () => {
    const run = folderWith({ 'a/a.1-of-2.run/results.json': record('a', 1, true), 'run.log/x': {} });
    expect(short((await readTrialSet(run)).trials)).toEqual(['a 1 pass']);
  });

  it('are read from a file of any name', async () => {
    const folder = folderWith({ 'run1_results.json': { results: [record('a', 1, true)] } });
    expect(short((await readTrialSet(join(folder, 'run1_results.json'))).trials)).toEqual(['a 1 pass']);
  });
});

describe('results of SWE-bench', () => {
  it('tell infrastructure from failures, and count an empty patch as one', async () => {
    const file = folderWith({
      'm.r.json': {
        schema_version: 2,
        submitted_ids: ['a', 'b', 'c', 'd', 'e', 'f'],
        resolved_ids: ['a'],
        unresolved_ids: ['b', 'c'],
        infra_failure_ids: ['c'],
        empty_patch_ids: ['d'],
        error_ids: ['e'],
      },
    });
    const { trials } = await readTrialSet(join(file, 'm.r.json'));
    const of = (task: string) => trials.find((trial) => trial.task === task);
    expect(of('a')).toMatchObject({ verdict: 'pass' });
    expect(of('b')).toMatchObject({ verdict: 'fail', exception: null });
    expect(of('c')).toMatchObject({ verdict: 'missing', infrastructure: true });
    expect(of('d')).toMatchObject({ verdict: 'fail', exception: { type: 'EmptyPatch' } });
    expect(of('e')).toMatchObject({ verdict: 'missing', infrastructure: false });
    expect(of('f')).toMatchObject({ verdict: 'missing', exception: { type: 'NotEvaluated' } });
  });

  it('are read from the folders of the instances, a missing report being no failure', async () => {
    const logs = folderWith({
      'org__repo-1/report.json': { 'org__repo-1': { resolved: true } },
      'org__repo-2/report.json': { 'org__repo-2': { resolved: false } },
      'org__repo-345678/run_instance.log': 'killed',
    });
    const { trials } = await readTrialSet(logs);
    expect(short(trials)).toEqual(['org__repo-1 1 pass', 'org__repo-2 1 fail', 'org__repo-345678 1 missing']);
  });
});

describe('results of promptfoo', () => {
  const row = (testIdx: number, word: string, more: Record<string, unknown> = {}) => ({
    testIdx,
    promptIdx: 0,
    provider: { id: 'echo', label: '' },
    vars: { word },
    prompt: { raw: `Say ${word}` },
    testCase: { vars: { word } },
    success: true,
    score: 1,
    failureReason: 0,
    latencyMs: 500,
    response: { tokenUsage: { total: 7 } },
    ...more,
  });

  it('are grouped to repeats by what was asked, because no repeat is recorded', async () => {
    const rows = [row(5, 'b'), row(0, 'a'), row(1, 'b', { success: false, score: 0.5 }), row(4, 'a')];
    const folder = folderWith({ 'out.json': { evalId: 'e', results: { version: 3, results: rows } } });
    const { trials } = await readTrialSet(join(folder, 'out.json'));
    expect(short(trials)).toEqual(['word=a 1 pass', 'word=b 1 fail', 'word=a 2 pass', 'word=b 2 pass']);
    expect(trials[1]).toMatchObject({ reward: 0.5, tokens: 7, seconds: 0.5 });
  });

  it('take the repeat where the provider copied it, and an error of the provider for infrastructure', async () => {
    const rows = [
      row(0, 'a', { metadata: { repeatIndex: 2 } }),
      row(1, 'a', { failureReason: 2, success: false, score: 0, error: '429' }),
    ];
    const folder = folderWith({ 'out.json': { evalId: 'e', results: { results: rows } } });
    const { trials } = await readTrialSet(join(folder, 'out.json'));
    expect(short(trials)).toEqual(['word=a 3 pass', 'word=a 1 missing']);
    expect(trials[1]).toMatchObject({ infrastructure: true, exception: { type: 'ProviderError', message: '429' } });
  });

  it('keep two tests of one name apart', async () => {
    const named = (testIdx: number, word: string) => row(testIdx, word, { testCase: { description: 'same' } });
    const folder = folderWith({ 'out.json': { evalId: 'e', results: { results: [named(0, 'a'), named(1, 'b')] } } });
    expect(short((await readTrialSet(join(folder, 'out.json'))).trials)).toEqual(['same 1 pass', 'same #2 1 pass']);
  });
});

describe('results of Harbor', () => {
  it('are read from the lists of the job where the folders were not kept, whatever its counts are called', async () => {
    const evals = {
      a__m__d: {
        n_trials: 1,
        reward_stats: { reward: { '1.0': ['t__abcdef1'], '0.0': ['u__abcdef2'] } },
        exception_stats: { AgentTimeoutError: ['t__abcdef1'], VerifierTimeoutError: ['v__abcdef3'] },
      },
    };
    for (const counts of [
      { n_trials: 3, n_errors: 2 },
      { n_completed_trials: 3, n_errored_trials: 2 },
    ]) {
      const { trials } = await readTrialSet(folderWith({ 'result.json': { stats: { ...counts, evals } } }));
      expect(short(trials)).toEqual(['t 1 pass', 'u 1 fail', 'v 1 missing']);
      expect(trials.map(({ exception }) => exception?.type)).toEqual([
        'AgentTimeoutError',
        undefined,
        'VerifierTimeoutError',
      ]);
    }
  });

  it('blame the environment when the agent never started, and not when it was stopped at work', async () => {
    const stopped = { exception_info: { exception_type: 'AgentTimeoutError' } };
    const job = folderWith({
      'a__abcdef1/result.json': { ...stopped, agent_execution: { started_at: '2026-01-01T00:00:00Z' } },
      'b__abcdef2/result.json': { exception_info: { exception_type: 'DockerError' } },
    });
    const { trials } = await readTrialSet(job);
    expect(trials.map(({ task, infrastructure }) => [task, infrastructure])).toEqual([
      ['a', false],
      ['b', true],
    ]);
  });
});

it('a folder of nothing known is refused with what was looked for', async () => {
  await expect(readTrialSet(folderWith({ 'x.json': [] }))).rejects.toMatchObject({
    code: 'results-unknown',
    nextStep: expect.stringContaining('promptfoo'),
  });
});
