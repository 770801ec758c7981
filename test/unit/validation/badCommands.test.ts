import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { storePaths } from '../../../src/core/store';
import { createRun, executeRun } from '../../../src/core/validation';
import { isRunning, nodeCommand, openWithSuite, repository } from './repository';

/** Runs a suite of one task on the baseline alone and returns its only trial with its log. */
async function onlyTrial(suite: Record<string, unknown>) {
  const root = repository({ file: '' });
  const harness = await openWithSuite(root, { tasks: ['t'], trials: 1, ...suite });
  const { id } = await createRun({ harness });
  const { trials, verdict } = await executeRun(root, id);
  const trial = trials[0];
  if (!trial || trials.length !== 1) throw new Error(`${trials.length} trials instead of one`);
  const folder = storePaths(root).run(id);
  return { trial, verdict, folder, log: join(folder, trial.output) };
}

const writeResult = (text: string) =>
  nodeCommand('require("fs").writeFileSync(process.argv[1] + "/result.json", process.argv[2])', '{out}', text);
const result = { file: 'result.json' };

describe('a suite command', () => {
  it('that hangs is stopped with its children, even when they ignore SIGTERM', async () => {
    const hang = `
      process.on('SIGTERM', () => undefined);
      const child = require('child_process').spawn(process.execPath, ['-e',
        'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000)'], { stdio: 'ignore' });
      require('fs').writeFileSync(process.argv[1] + '/pids', process.pid + ' ' + child.pid);
      setInterval(() => undefined, 1000);`;
    const { trial, folder } = await onlyTrial({ command: nodeCommand(hang, '{out}'), timeoutSeconds: 1 });
    expect(trial).toMatchObject({
      verdict: 'missing',
      reward: null,
      exitCode: null,
      infrastructure: false,
      exception: { type: 'TrialTimeout', message: expect.stringContaining('after 1 s') },
    });
    const pids = readFileSync(join(folder, 'trials/t--baseline-1/out/pids'), 'utf8').split(' ').map(Number);
    expect(pids).toHaveLength(2);
    expect(pids.map(isRunning)).toEqual([false, false]);
  });

  it('that hangs after it wrote its result has a timeout and a reward', async () => {
    const late = `require('fs').writeFileSync(process.argv[1] + '/result.json', '{"reward": 1}');
      setInterval(() => undefined, 1000);`;
    const { trial } = await onlyTrial({ command: nodeCommand(late, '{out}'), timeoutSeconds: 1, result });
    expect(trial).toMatchObject({
      verdict: 'pass',
      reward: 1,
      exception: { type: 'TrialTimeout' },
      infrastructure: false,
    });
  });

  it('that floods its output leaves a small log that says how much is missing', async () => {
    const flood = ['sh', '-c', 'echo first; head -c 200000000 /dev/zero; echo; echo last; exit 1'];
    const before = process.memoryUsage().rss;
    const { trial, log } = await onlyTrial({ command: flood });
    expect(trial).toMatchObject({ verdict: 'fail', exitCode: 1 });
    expect(statSync(log).size).toBeLessThan(140_000);
    const text = readFileSync(log, 'latin1');
    expect(text.startsWith('first\n')).toBe(true);
    expect(text.endsWith('\nlast\n')).toBe(true);
    const dropped = Number(/\[\.\.\. (\d+) bytes left out \.\.\.\]/.exec(text)?.[1]);
    expect(dropped).toBe(200_000_000 + 'first\n\nlast\n'.length - 2 * 64 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(150_000_000);
  });

  const leaves = (detach: string) => `${detach} sh -c 'echo $$ > "$0/pid"; exec sleep 600' "$1" & sleep 0.3; exit 0`;
  it.each([
    ['in its group', ''],
    // Only Linux tells which other processes belong to a trial.
    ...(process.platform === 'linux' ? [['in a session of its own, with the output open', 'setsid']] : []),
  ])('that leaves a child behind %s is a pass, and the child is ended', async (_, detach) => {
    const { trial, folder } = await onlyTrial({ command: ['sh', '-c', leaves(detach ?? ''), 'sh', '{out}'] });
    expect(trial).toMatchObject({ verdict: 'pass', exitCode: 0, exception: null });
    const pid = Number(readFileSync(join(folder, 'trials/t--baseline-1/out/pid'), 'utf8'));
    expect(pid).toBeGreaterThan(0);
    expect(isRunning(pid)).toBe(false);
  });

  it('that is ended by a signal is an infrastructure failure that names it', async () => {
    const { trial } = await onlyTrial({ command: nodeCommand('process.kill(process.pid, "SIGKILL")') });
    expect(trial).toMatchObject({
      verdict: 'missing',
      exitCode: null,
      infrastructure: true,
      exception: { type: 'CommandKilled', message: 'The command was ended by SIGKILL.' },
    });
  });

  it('that ends with another exit code is an infrastructure failure', async () => {
    const { trial } = await onlyTrial({ command: nodeCommand('process.exit(42)') });
    expect(trial).toMatchObject({
      verdict: 'missing',
      exitCode: 42,
      infrastructure: true,
      exception: { type: 'CommandError' },
    });
  });

  it('that does not exist gives no verdict at all, with the reason', async () => {
    const root = repository({ file: '' });
    const harness = await openWithSuite(root, { tasks: ['a', 'b'], trials: 2, command: ['no-such-program-here'] });
    const { id } = await createRun({ harness, candidate: 'same' });
    const { verdict, trials } = await executeRun(root, id);
    expect(trials).toHaveLength(8);
    expect(trials.every((trial) => trial.infrastructure && trial.verdict === 'missing')).toBe(true);
    expect(trials[0]?.exception?.message).toBe('The program no-such-program-here was not found.');
    expect(verdict.verdict).toBe('not measured');
    expect(verdict.coverage).toEqual({ measured: 0, planned: 8 });
    expect(verdict.bounds).toEqual([-1, 1]);
    expect(verdict.sentence).toContain('Only 0 of 8 trials have a verdict (no verdict: 4 CommandNotStarted in the');
  });

  it('can be tried again after the environment is repaired', async () => {
    const root = repository({ file: '' });
    const flag = join(root, '.harnessmith', 'ready');
    const command = nodeCommand('process.exit(require("fs").existsSync(process.argv[1]) ? 0 : 9)', flag);
    const harness = await openWithSuite(root, { tasks: ['a', 'b'], trials: 1, command });
    const { id } = await createRun({ harness, candidate: 'same' });
    expect((await executeRun(root, id)).verdict.verdict).toBe('not measured');
    writeFileSync(flag, '');
    let made = 0;
    await executeRun(root, id, { onTrial: () => made++ });
    expect(made).toBe(0);
    const again = await executeRun(root, id, { rerunInfrastructure: true, onTrial: () => made++ });
    expect(made).toBe(4);
    expect(again.trials).toHaveLength(4);
    expect(again.verdict).toMatchObject({ verdict: 'undecided', coverage: { measured: 4, planned: 4 } });
  });

  it.each([
    ['no JSON', '{"reward": 1', 'not valid JSON', true],
    ['no number', '{"reward": "1"}', 'The reward in result.json is "1", not a number from 0 to 1.', true],
    ['a bare NaN', '{"reward": NaN}', 'not valid JSON', true],
    ['an infinite reward', '{"reward": 1e999}', 'is Infinity, not a number from 0 to 1', true],
    ['a reward out of range', '{"reward": 7}', 'is 7, not a number from 0 to 1', true],
    ['no reward', '{}', 'has no reward', false],
    ['a list', '[1]', 'is not as expected', true],
  ])('that writes a result with %s has no verdict', async (_, text, message, infrastructure) => {
    const { trial } = await onlyTrial({ command: writeResult(text), result });
    expect(trial).toMatchObject({
      verdict: 'missing',
      reward: null,
      infrastructure,
      exception: { type: 'ResultMissing', message: expect.stringContaining(message) },
    });
  });

  it('that writes no result, or one outside {out}, has no verdict', async () => {
    const { trial } = await onlyTrial({ command: nodeCommand(''), result });
    expect(trial.exception?.message).toBe('The command wrote no result file result.json.');
    const link = 'require("fs").symlinkSync("/etc/hostname", process.argv[1] + "/result.json")';
    const linked = await onlyTrial({ command: nodeCommand(link, '{out}'), result, trace: 'result.json' });
    expect(linked.trial).toMatchObject({ verdict: 'missing', trace: null, exception: { type: 'ResultMissing' } });
    expect(linked.trial.exception?.message).toContain('outside');
  });
});
