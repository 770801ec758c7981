import { describe, expect, it } from 'vitest';
import {
  baselineReruns,
  createRun,
  executeRun,
  extendRun,
  historyOf,
  looksAt,
  overrideVerdict,
  readRun,
} from '../../../src/core/validation';
import { commitAside, nodeCommand, openWithSuite, repository } from './repository';

/** Passes a task when the harness file says so; the baseline passes half of its trials by seed. */
const program =
  "const [task, seed] = process.argv.slice(1); const text = require('fs').readFileSync('rule.txt', 'utf8').trim();" +
  "process.exit(text === 'always' || (text === 'half' && Number(seed) % 2 === 0) ? 0 : 1);";

async function example() {
  const root = repository({ 'rule.txt': 'half\n' });
  const harness = await openWithSuite(root, {
    tasks: ['a', 'b', 'c', 'd', 'e', 'f', 'g'],
    command: nodeCommand(program, '{task}', '{seed}'),
    trials: 2,
    concurrency: 8,
  });
  const better = commitAside(root, { 'rule.txt': 'always\n' });
  return { root, harness, better };
}

describe('runs among each other', () => {
  it('tell noise floor, looks, lineage and what was overruled', async () => {
    const { root, harness, better } = await example();
    const noise = await createRun({ harness, candidate: 'same' });
    await executeRun(root, noise.id);
    const first = await createRun({ harness, candidate: { commit: better, label: 'p1' } });
    const { verdict } = await executeRun(root, first.id);
    expect(verdict).toMatchObject({ verdict: 'accept', p: 2 ** -6 });
    expect(verdict.noiseFloor?.from).toBe(`repeats of the baseline in this run and ${noise.id}`);
    expect((await baselineReruns(root, first)).map(({ trials }) => trials.length)).toEqual([28]);
    expect((await looksAt(root, 'main', undefined)).map(({ id }) => id)).toEqual([first.id]);
    await overrideVerdict(root, first.id, 'too slow');
    const [last, before] = await historyOf(root, 'main');
    expect(last).toMatchObject({ run: first.id, verdict: 'accept', override: 'too slow', noise: false });
    expect(last?.arms.map(({ label, score }) => [label, score])).toEqual([
      [expect.stringContaining('commit'), 0.5],
      ['p1', 1],
    ]);
    expect(before).toMatchObject({ run: noise.id, noise: true, parent: null });
    expect(await historyOf(root, 'other')).toEqual([]);
  });

  it('grow only within the looks that were planned', async () => {
    const { root, harness, better } = await example();
    const run = await createRun({
      harness,
      candidate: { commit: better },
      rule: { looks: { planned: 2, boundary: "O'Brien-Fleming" } },
    });
    await expect(extendRun(root, run.id, 1)).rejects.toMatchObject({ code: 'run-unfinished' });
    const first = await executeRun(root, run.id);
    expect(first.verdict.level).toBeCloseTo(0.0052, 4);
    expect(first.verdict.verdict).toBe('undecided'); // p is 1/64
    await expect(extendRun(root, run.id, 0)).rejects.toMatchObject({ code: 'trials-wrong' });
    await extendRun(root, run.id, 2);
    const second = await executeRun(root, run.id);
    expect(second.trials).toHaveLength(56);
    expect(second.verdict.verdict).toBe('accept');
    expect(second.verdict.level).toBeGreaterThan(0.04);
    await expect(extendRun(root, run.id, 2)).rejects.toMatchObject({ code: 'looks-used' });
    const same = await createRun({ harness, candidate: 'same' });
    await executeRun(root, same.id);
    await expect(extendRun(root, same.id, 2)).rejects.toMatchObject({ code: 'noise-run' });
    expect((await readRun(root, run.id)).manifest.look).toBe(2);
  });
});
