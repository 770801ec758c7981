import { describe, expect, it } from 'vitest';
import { openHarness } from '../../../src/core/harness';
import { createRun, executeRun, findSuite, listTasks, screeningWeights, splitsOf } from '../../../src/core/validation';
import { commitAside, nodeCommand, openWithSuite, repository, writeFiles } from './repository';

const names = Array.from({ length: 400 }, (_, index) => `t${index}`);

describe('splits', () => {
  it('dealt by a seed keep their shares, and new tasks move no old one', () => {
    const shares = { seed: 3, search: 0.5, selection: 0.3, sealed: 0.2 };
    const dealt = splitsOf('s', { splits: shares }, names) ?? {};
    const count = (split: string) => names.filter((task) => dealt[task] === split).length;
    expect(Math.abs(count('search') - 200)).toBeLessThan(40);
    expect(Math.abs(count('sealed') - 80)).toBeLessThan(32);
    const more = splitsOf('s', { splits: shares }, [...names, 'new']) ?? {};
    expect(names.every((task) => more[task] === dealt[task])).toBe(true);
    expect(splitsOf('s', { splits: { ...shares, seed: 4 } }, names)).not.toEqual(dealt);
    expect(splitsOf('s', {}, names)).toBeUndefined();
  });

  it.each([
    [{ search: ['a'], selection: ['a', 'b'], sealed: [] }, 'the task "a" stands in search and in selection'],
    [{ search: ['a'], selection: [], sealed: [] }, 'a task stands in no split: b'],
    [{ search: ['a', 'x'], selection: ['b'], sealed: [] }, 'names "x", which is no task'],
    [{ seed: 1, search: 0.8, selection: 0.3, sealed: 0 }, 'shares are above 1'],
  ])('%j is refused', (splits, words) => {
    expect(() => splitsOf('s', { splits }, ['a', 'b'])).toThrow(words);
  });

  it('the sealed one is opened on purpose, once a campaign, as a whole', async () => {
    const root = repository({ 'rule.txt': 'no\n' });
    const suite = {
      tasks: ['a', 'b', 'c', 'd'],
      splits: { search: ['a'], selection: ['b'], sealed: ['c', 'd'] },
      command: nodeCommand('process.exit(0)'),
      trials: 1,
    };
    const harness = await openWithSuite(root, suite);
    const commit = commitAside(root, { 'rule.txt': 'yes\n' });
    const candidate = { commit };
    const selection = await createRun({ harness, candidate });
    expect(selection).toMatchObject({
      split: 'selection',
      tasks: ['b'],
      taskSplits: { b: 'selection' },
      earlierLooks: 0,
    });
    await executeRun(root, selection.id);
    expect(await createRun({ harness, candidate })).toMatchObject({ earlierLooks: 1 });
    expect(await createRun({ harness })).toMatchObject({ split: 'search', tasks: ['a'] });
    const refused = (request: object) => expect(createRun({ harness, candidate, ...request })).rejects;
    await refused({ tasks: ['b', 'c'] }).toMatchObject({ code: 'sealed-task' });
    await refused({ split: 'sealed' }).toMatchObject({ code: 'sealed-unconfirmed' });
    await refused({ split: 'sealed', openSealed: true, tasks: ['c'] }).toMatchObject({ code: 'sealed-task' });
    const sealed = await createRun({ harness, candidate, split: 'sealed', openSealed: true });
    expect(sealed.tasks).toEqual(['c', 'd']);
    await refused({ split: 'sealed', openSealed: true }).toThrow(`is spent: run ${sealed.id} has scored it`);
    // A new campaign opens another one.
    const next = await openWithSuite(root, { ...suite, campaign: 'two' });
    expect(await createRun({ harness: next, candidate, split: 'sealed', openSealed: true })).toMatchObject({
      split: 'sealed',
    });
    await refused({ split: 'search', tasks: ['b'] }).toMatchObject({ code: 'task-unknown' });
  });

  it('are asked for only where there are some', async () => {
    const root = repository({ 'a.txt': '' });
    const harness = await openWithSuite(root, { tasks: ['a'], command: nodeCommand('') });
    await expect(createRun({ harness, split: 'search' })).rejects.toMatchObject({ code: 'split-unknown' });
    const empty = await openWithSuite(root, {
      tasks: ['a'],
      command: nodeCommand(''),
      splits: { seed: 1, search: 1, selection: 0 },
    });
    await expect(createRun({ harness: empty, split: 'selection' })).rejects.toMatchObject({ code: 'split-empty' });
  });
});

describe('screening', () => {
  it('draws by weight, keeps the chances, and admits nothing', async () => {
    const root = repository({ 'rule.txt': 'no\n' });
    const tasks = names.slice(0, 12);
    const harness = await openWithSuite(root, {
      tasks,
      command: nodeCommand("process.exit(require('fs').readFileSync('rule.txt', 'utf8').includes('yes') ? 0 : 1)"),
      trials: 1,
      concurrency: 8,
    });
    const commit = commitAside(root, { 'rule.txt': 'yes\n' });
    const run = await createRun({ harness, candidate: { commit }, screen: { size: 8, weights: { t0: 100 }, seed: 2 } });
    expect(run.tasks).toContain('t0');
    expect(run.screening?.inclusion.t0).toBe(1);
    const { verdict } = await executeRun(root, run.id);
    expect(verdict.p).toBeLessThanOrEqual(0.05);
    expect(verdict.verdict).toBe('undecided');
    expect(verdict.population).toMatchObject({ tasks: 12, hajek: 1 });
    expect(verdict.sentence).toContain('it admits nothing. Over all 12 tasks it stands for +100.0 pp (Hajek');
    await expect(createRun({ harness, screen: { size: 13 } })).rejects.toMatchObject({ code: 'screen-wrong' });
  });

  it('prefers tasks that vary and tasks that touch the change', () => {
    const known = new Map([
      ['steady', { passed: 6, of: 6 }],
      ['varies', { passed: 3, of: 6 }],
    ]);
    const weights = screeningWeights(['steady', 'varies', 'new'], known, new Set(['steady']));
    expect(weights.varies).toBeCloseTo(0.25, 12);
    expect(weights.new).toBeCloseTo(0.25, 12);
    expect(weights.steady).toBeCloseTo((4 * 7) / 64, 12);
  });
});

describe('tasks of a suite', () => {
  const suite = (tasks: object) => ({ tasks, command: ['x'] });
  const tasksOf = async (root: string, tasks: object) => {
    const harness = await openWithSuite(root, suite(tasks));
    return listTasks(root, 'main', findSuite(harness).suite);
  };

  it('are files of a pattern or lines of a dataset', async () => {
    const root = repository({
      'evals/b.yaml': '',
      'evals/deep/a.yaml': '',
      'evals/c.md': '',
      'node_modules/evals/x.yaml': '',
    });
    expect(await tasksOf(root, { files: 'evals/**/*.yaml' })).toEqual(['evals/b.yaml', 'evals/deep/a.yaml']);
    await expect(tasksOf(root, { files: '*.nothing' })).rejects.toThrow('No file fits the pattern *.nothing');
    writeFiles(root, { 'd.jsonl': '{"id":"x"}\n\n{"id":7}\n', 'bad.jsonl': '{"id":"x"}\n{', 'none.jsonl': '\n' });
    expect(await tasksOf(root, { dataset: 'd.jsonl' })).toEqual(['x', '7']);
    await expect(tasksOf(root, { dataset: 'bad.jsonl' })).rejects.toThrow('Line 2 of bad.jsonl has no "id"');
    await expect(tasksOf(root, { dataset: 'none.jsonl' })).rejects.toThrow('has no lines');
    await expect(tasksOf(root, { dataset: 'gone.jsonl' })).rejects.toThrow('does not exist');
    await expect(tasksOf(root, { dataset: '../out.jsonl' })).rejects.toMatchObject({ exitCode: 2 });
  });

  it('with a wrong key are refused with the key that was meant', async () => {
    const root = repository({ 'a.txt': '' });
    const open = (config: object) => {
      writeFiles(root, { '.harnessmith/harness.json': JSON.stringify(config) });
      return openHarness(root);
    };
    await expect(open({ suites: { main: { tasks: ['a'], command: ['x'], trails: 3 } } })).rejects.toMatchObject({
      nextStep: 'Correct the entries named: "trails" is no key here, perhaps "trials".',
    });
    await expect(open({ suits: {} })).rejects.toMatchObject({ nextStep: expect.stringContaining('perhaps "suites"') });
    await expect(open({ suites: { main: { tasks: { foldr: 'x' }, command: ['x'] } } })).rejects.toMatchObject({
      nextStep: expect.stringContaining('perhaps "folder"'),
    });
    await expect(open({ zzzzzz: 1 })).rejects.toMatchObject({ nextStep: 'Correct the entries named.' });
  });
});

describe('what a suite says about its trials', () => {
  it('which exit codes blame the environment, and how much a run may use', async () => {
    const root = repository({ 'tasks/a/instruction.md': 'do it', 'tasks/b/instruction.md': 'and this' });
    const harness = await openWithSuite(root, {
      tasks: { folder: 'tasks' },
      command: nodeCommand('process.exit(Number(process.argv[1] === "a") * 7)', '{task}'),
      infrastructure: { exitCodes: [9] },
      budget: { trials: 3 },
      trials: 2,
      concurrency: 1,
    });
    const run = await createRun({ harness });
    await expect(executeRun(root, run.id)).rejects.toMatchObject({ code: 'budget-spent' });
    const { trials } = await executeRun(root, run.id);
    expect(trials).toHaveLength(4);
    const [failed] = trials.filter(({ task }) => task === 'a');
    expect(failed).toMatchObject({ verdict: 'missing', infrastructure: false, engine: { name: 'command' } });
    expect(failed?.taskDigest).toMatch(/^[0-9a-f]{16}$/);
    expect(new Set(trials.map(({ taskDigest }) => taskDigest)).size).toBe(2);
  });

  it('that a candidate may not be measured on tasks it changed', async () => {
    const root = repository({ 'tasks/a/instruction.md': 'do it', 'tasks/b/instruction.md': 'and this' });
    const harness = await openWithSuite(root, { tasks: { folder: 'tasks' }, command: nodeCommand(''), trials: 1 });
    const commit = commitAside(root, { 'tasks/a/instruction.md': 'do nothing' });
    const run = await createRun({ harness, candidate: { commit } });
    const { verdict } = await executeRun(root, run.id);
    expect(verdict.treatments).toEqual(['1 task differs between the arms and is not compared: a.']);
  });
});
