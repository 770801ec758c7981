import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePaths } from '../../../src/core/store';
import { compareResultFiles, compareRuns, createRun, executeRun, readTrialSet } from '../../../src/core/validation';
import { commitAside, nodeCommand, openWithSuite, repository, temporaryFolder, writeFiles } from './repository';
import { trial } from './trials';

const lines = (trials: unknown[]) => `${trials.map((each) => JSON.stringify(each)).join('\n')}\n`;

/** A job folder as Harbor lays it out; `rewards` by task, null for a trial whose verifier gave none. */
function harborJob(rewards: Record<string, (number | null)[]>): string {
  const folder = temporaryFolder();
  for (const [task, all] of Object.entries(rewards)) {
    for (const [index, reward] of all.entries()) {
      writeFiles(folder, {
        [`${task}__AbCd1${index}z/result.json`]: JSON.stringify({
          task_name: task,
          trial_name: `${task}__AbCd1${index}z`,
          started_at: `2026-01-01T00:00:0${9 - index}Z`,
          finished_at: `2026-01-01T00:01:0${9 - index}Z`,
          verifier_result: reward === null ? null : { rewards: { reward } },
          exception_info: reward === null ? { exception_type: 'AgentTimeoutError', exception_message: 'late' } : null,
          agent_result: { n_input_tokens: 5, n_output_tokens: 1, cost_usd: null },
        }),
      });
    }
  }
  writeFiles(folder, { 'result.json': '{"n_total_trials": 3}', 'logs/x': '' });
  return folder;
}

describe('comparing result files', () => {
  it('reads Harbor jobs: task, repeat by start time, three axes', async () => {
    const job = harborJob({ a: [1, 0.5], b: [null] });
    writeFiles(job, { 'c__QQQQQQ1/agent/trajectory.json': '{}', 'd__QQQQQQ2/result.json': '{' });
    const { trials } = await readTrialSet(job);
    const byName = Object.fromEntries(trials.map((each) => [`${each.task} ${each.repeat}`, each]));
    expect(Object.keys(byName).sort()).toEqual(['a 1', 'a 2', 'b 1', 'c 1', 'd 1']);
    expect(byName['a 1']).toMatchObject({ verdict: 'fail', reward: 0.5, seconds: 60, tokens: 6 });
    expect(byName['a 2']).toMatchObject({ verdict: 'pass', reward: 1 });
    expect(byName['b 1']).toMatchObject({
      verdict: 'missing',
      exception: { type: 'AgentTimeoutError', message: 'late' },
    });
    expect(byName['c 1']).toMatchObject({ verdict: 'missing', trace: 'c__QQQQQQ1/agent/trajectory.json' });
    expect(byName['c 1']?.exception?.message).toContain('has no result.json');
    expect(byName['d 1']?.exception?.message).toContain('not valid JSON');
  });

  it('judges a job against trials of ours on the tasks both have, and says what was left out', async () => {
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const job = harborJob(Object.fromEntries([...tasks, 'g'].map((task) => [task, [0]])));
    const file = join(temporaryFolder(), 'trials.jsonl');
    writeFiles(join(file, '..'), { 'trials.jsonl': lines(tasks.map((task) => trial(task, 'baseline', 1, 'pass'))) });
    const verdict = await compareResultFiles(job, file);
    expect(verdict).toMatchObject({ verdict: 'accept', up: 6, p: 0.03125, difference: 1 });
    expect(verdict.sentence).toContain('Candidate trials.jsonl against baseline');
    expect(verdict.sentence).toMatch(/1 task is only in .* and was left out\.$/);
  });

  it('takes the candidate of a file with both arms, and the last record of a trial made twice', async () => {
    const folder = temporaryFolder();
    writeFiles(folder, {
      'trials.jsonl': lines([
        trial('a', 'baseline', 1, 'pass'),
        trial('a', 'candidate', 1, 'missing'),
        trial('a', 'candidate', 1, 'fail'),
      ]),
    });
    const { trials } = await readTrialSet(folder);
    expect(trials.map((each) => [each.arm, each.verdict])).toEqual([['candidate', 'fail']]);
  });

  it.each([
    ['nothing there', () => join(temporaryFolder(), 'none'), 'does not exist'],
    ['an empty folder', () => temporaryFolder(), 'holds no trials'],
  ])('refuses %s', async (_, path, message) => {
    await expect(readTrialSet(path())).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });

  it('refuses sets without a common task', async () => {
    const job = harborJob({ a: [1] });
    await expect(compareResultFiles(job, harborJob({ b: [1] }))).rejects.toMatchObject({ code: 'no-common-task' });
  });
});

describe('comparing runs', () => {
  it('compares the candidates of two runs', async () => {
    const root = repository({ code: '1' });
    const fixed = commitAside(root, { code: '0' });
    const command = nodeCommand('process.exit(Number(require("fs").readFileSync("code", "utf8")))');
    const tasks = ['a', 'b', 'c', 'd', 'e', 'f'];
    const harness = await openWithSuite(root, { tasks, command, trials: 1, concurrency: 4 });
    const first = await createRun({ harness });
    const second = await createRun({ harness, candidate: { commit: fixed } });
    await expect(compareRuns(root, first.id, second.id)).rejects.toMatchObject({ code: 'run-empty' });
    await executeRun(root, first.id);
    await executeRun(root, second.id);
    const verdict = await compareRuns(root, first.id, second.id);
    expect(verdict).toMatchObject({ verdict: 'accept', run: `${first.id}..${second.id}`, up: 6 });
    expect(await compareResultFiles(storePaths(root).run(first.id), storePaths(root).run(second.id))).toMatchObject({
      verdict: 'accept',
    });
  });
});
