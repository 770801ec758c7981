import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openHarness, SuiteConfig } from '../../../src/core/harness';
import { findSuite, listTasks, suiteNames, taskTexts } from '../../../src/core/validation';
import { openWithSuite, temporaryFolder, writeFiles } from './repository';

const suite = (tasks: unknown) => SuiteConfig.parse({ tasks, command: ['run'] });

describe('findSuite', () => {
  it('finds by name, or the only one', async () => {
    const harness = await openWithSuite(temporaryFolder(), { tasks: ['a'], command: ['run'] });
    expect(suiteNames(harness)).toEqual(['main']);
    expect(findSuite(harness).name).toBe('main');
    expect(findSuite(harness, 'main').suite).toMatchObject({ trials: 3, concurrency: 2, result: 'exit-code' });
    expect(() => findSuite(harness, 'toString')).toThrow('has no suite "toString"');
  });

  it('names the known suites when the name is unknown or unclear', async () => {
    const root = temporaryFolder();
    const one = { tasks: ['a'], command: ['run'] };
    writeFiles(root, { '.harnessmith/harness.json': JSON.stringify({ suites: { quick: one, full: one } }) });
    const harness = await openHarness(root);
    expect(() => findSuite(harness)).toThrow('has 2 suites: "quick", "full".');
    expect(() => findSuite(harness, 'slow')).toThrow(
      expect.objectContaining({ code: 'suite-unknown', nextStep: 'Name one of "quick", "full".' }),
    );
  });

  it('says where to add a suite when there is none', async () => {
    const harness = await openHarness(temporaryFolder());
    expect(() => findSuite(harness)).toThrow(expect.objectContaining({ code: 'suite-missing', exitCode: 2 }));
  });
});

describe('listTasks', () => {
  it('takes a list as it stands and folders sorted', async () => {
    const root = temporaryFolder();
    writeFiles(root, { 'tasks/b/x': '', 'tasks/a/x': '', 'tasks/readme.md': '', 'tasks/.hidden/x': '' });
    expect(await listTasks(root, 's', suite(['z', 'a']))).toEqual(['z', 'a']);
    expect(await listTasks(root, 's', suite({ folder: 'tasks' }))).toEqual(['a', 'b']);
  });

  it.each([
    [{ folder: 'missing' }, 'The task folder missing of suite "s" does not exist.'],
    [{ folder: 'tasks/readme.md' }, 'does not exist'],
    [{ folder: 'empty' }, 'has no sub-folders, so there are no tasks'],
    [{ folder: '../' }, 'outside'],
    [{ folder: 'link' }, 'outside'],
    [['a', 'b', 'a'], 'names the task "a" twice'],
  ])('refuses %j', async (tasks, message) => {
    const root = temporaryFolder();
    writeFiles(root, { 'tasks/readme.md': '', 'empty/file': '' });
    symlinkSync('/usr', join(root, 'link'));
    await expect(listTasks(root, 's', suite(tasks))).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(message),
    });
  });
});

describe('taskTexts', () => {
  it('gathers the names of all suites and the instructions that are there', async () => {
    const root = temporaryFolder();
    const suites = {
      named: { tasks: ['z'], command: ['run'] },
      folders: { tasks: { folder: 'tasks' }, command: ['run'] },
    };
    writeFiles(root, {
      '.harnessmith/harness.json': JSON.stringify({ suites }),
      'tasks/a/instruction.md': 'Sum the numbers.',
      'tasks/a/files/orders.csv': '1',
      'tasks/a/verify.mjs': "import 'node:fs';\nassert.equal(total, 'sum 4711');\nassert.ok('short');",
      'tasks/b/other': '',
    });
    expect(await taskTexts(await openHarness(root))).toEqual({
      names: ['z', 'a', 'b'],
      instructions: ['Sum the numbers.'],
      files: ['orders.csv', 'other'],
      answers: ['sum 4711'],
      folders: ['tasks'],
    });
  });

  it('reads no instruction from outside the repository', async () => {
    const root = temporaryFolder();
    const outside = temporaryFolder();
    writeFiles(outside, { secret: 'not yours' });
    writeFiles(root, { 'tasks/a/x': '' });
    symlinkSync(join(outside, 'secret'), join(root, 'tasks/a/instruction.md'));
    const harness = await openWithSuite(root, { tasks: { folder: 'tasks' }, command: ['run'] });
    await expect(taskTexts(harness)).rejects.toMatchObject({ code: 'path-outside' });
  });
});
