import { describe, expect, it } from 'vitest';
import { openHarness, SuiteConfig } from '../../../src/core/harness';
import { addSuite, suggestSuites } from '../../../src/core/validation';
import { repository } from './repository';

const suggested = async (files: Record<string, string>) => suggestSuites(await openHarness(repository(files)));

describe('suites from what is in a repository', () => {
  it.each([
    [
      { 'tasks/a/task.toml': '', 'tasks/b/task.toml': '' },
      'harbor',
      { engine: 'harbor', target: 'tasks', tasks: { folder: 'tasks' } },
    ],
    [{ 'tb/a/task.yaml': '' }, 'terminal-bench', { engine: 'terminal-bench', target: 'tb', tasks: { folder: 'tb' } }],
    [
      {
        'evals/sums.py':
          'from inspect_ai import Task, task\n\n@task\ndef sums():\n    return [Sample(id="one", input="1"), Sample(input="2", id=\'two\')]\n',
      },
      'inspect',
      { engine: 'inspect', target: 'evals/sums.py@sums', tasks: ['one', 'two'] },
    ],
    [
      { 'promptfooconfig.yaml': 'tests:\n  - description: adds\n  - description: greets\n' },
      'promptfoo',
      { engine: 'promptfoo', target: 'promptfooconfig.yaml', tasks: ['adds', 'greets'] },
    ],
    [
      { 'out/preds.json': '{"x__y-1": {"model_patch": "", "instance_id": "x__y-1"}}' },
      'swe-bench',
      {
        engine: 'swe-bench',
        target: 'SWE-bench/SWE-bench_Verified',
        arguments: ['-p', 'out/preds.json'],
        tasks: ['x__y-1'],
      },
    ],
    [
      { 'evals/test_a.py': '', 'evals/deep/test_b.py': '', 'tests/test_c.py': '' },
      'pytest',
      { tasks: ['evals/deep/test_b.py', 'evals/test_a.py'], command: ['python3', '-m', 'pytest', '-q', '{task}'] },
    ],
    [{ 'evals/a.eval.ts': '' }, 'vitest', { tasks: ['evals/a.eval.ts'], command: ['npx', 'vitest', 'run', '{task}'] }],
  ])('%j: %s', async (files, kind, config) => {
    const [only, ...others] = await suggested(files);
    expect(others).toEqual([]);
    expect(only).toMatchObject({ kind, config });
    SuiteConfig.parse(only?.config);
  });

  it('are none where nothing looks like tasks, and damaged files are passed over', async () => {
    expect(
      await suggested({ 'src/main.py': 'print(1)', 'promptfooconfig.yaml': ':\n  - {', 'preds.json': '[1]' }),
    ).toEqual([]);
  });
});

describe('adding a suite', () => {
  it('keeps what stands in harness.json and refuses what would not work', async () => {
    const root = repository({ '.harnessmith/harness.json': '{"name": "tinker"}' });
    const harness = await openHarness(root);
    const added = await addSuite(harness, 'evals', { tasks: ['a'], command: ['x', '{task}'] });
    expect(added.config).toMatchObject({ name: 'tinker', suites: { evals: { tasks: ['a'], engine: 'command' } } });
    await expect(addSuite(added, 'evals', { tasks: ['a'], command: ['x'] })).rejects.toMatchObject({
      code: 'suite-taken',
    });
    await expect(addSuite(added, 'other', { tasks: ['a'] })).rejects.toMatchObject({ code: 'suite-wrong' });
    const bare = await openHarness(repository({ 'a.txt': '' }));
    expect((await addSuite(bare, 'one', { tasks: ['a'], command: ['x'] })).configFile).not.toBeNull();
  });
});
