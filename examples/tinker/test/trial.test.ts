import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bench, passRate, recordTraces } from '../measure/bench.ts';
import { startSimulatedModel } from '../model/server.ts';
import { runTrial, trialName } from '../src/trial.ts';
import { action, folderWith, home, promptsDir, scriptedModel, shippedConfig, tasksDir } from './support.ts';

const readJson = (file: string) => JSON.parse(readFileSync(file, 'utf8'));

describe('runTrial', () => {
  it('writes trajectory, result and verifier output', async () => {
    const outDir = await folderWith();
    const { baseUrl } = await scriptedModel([
      action('shell', { command: 'sort -u names.txt > sorted.txt' }),
      action('submit'),
    ]);
    const taskDir = join(tasksDir, 'sort-names');
    const result = await runTrial({ taskDir, outDir, seed: 4, config: shippedConfig(), promptsDir, baseUrl });
    expect(result).toEqual({ reward: 1, exitStatus: 'submitted', error: null });
    expect(readJson(join(outDir, 'result.json'))).toMatchObject({
      task_name: 'sort-names',
      trial_name: trialName('sort-names', 4),
      agent_result: { n_input_tokens: 20, n_output_tokens: 4 },
      verifier_result: { rewards: { reward: 1 } },
      exception_info: null,
    });
    const trajectory = readJson(join(outDir, 'agent/trajectory.json'));
    expect(trajectory.schema_version).toBe('ATIF-v1.6');
    expect(trajectory.steps.map((step: { step_id: number }) => step.step_id)).toEqual([1, 2, 3, 4]);
    expect(existsSync(join(outDir, 'verifier/test-stdout.txt'))).toBe(true);
  });

  it('keeps an unreachable model apart from a failed task', async () => {
    const outDir = await folderWith();
    const { baseUrl } = await scriptedModel([401]);
    const taskDir = join(tasksDir, 'sort-names');
    const result = await runTrial({ taskDir, outDir, seed: 1, config: shippedConfig(), promptsDir, baseUrl });
    expect(result.exitStatus).toBeNull();
    expect(readJson(join(outDir, 'result.json')).exception_info.exception_type).toBe('ModelError');
  });
});

describe('the command line', () => {
  const ownNode = join(home, '../../node_modules/.bin/node');
  const node = existsSync(ownNode) ? ownNode : process.execPath;
  const run = (cwd: string, ...args: string[]) =>
    spawnSync(node, ['src/main.ts', ...args], { cwd, encoding: 'utf8', env: { ...process.env, TINKER_BASE_URL: '' } });

  it('runs from a copy in any folder, without packages, and reports the verdict by its exit code', async () => {
    const copy = await folderWith();
    for (const part of ['src', 'model', 'prompts', 'tasks', 'package.json', 'config.json']) {
      cpSync(join(home, part), join(copy, part), { recursive: true });
    }
    const out = join(copy, 'out');
    const passed = run(copy, 'run', '--task', 'tasks/largest-file', '--out', out, '--seed', '3');
    expect([passed.stderr, passed.status]).toEqual(['', 0]);
    writeFileSync(join(copy, 'tasks/largest-file/verify.mjs'), 'process.exit(1);');
    expect(run(copy, 'run', '--task', 'tasks/largest-file', '--out', out, '--seed', '3').status).toBe(1);
  });

  it('tells wrong usage from an unreachable model', async () => {
    const out = await folderWith();
    expect(run(home, 'run').status).toBe(2);
    expect(run(home, 'run', '--task', 'tasks/none', '--out', out).stderr).toContain('tasks/none');
    const task = ['--task', 'tasks/sort-names', '--out', out];
    expect(run(home, 'run', ...task, '--base-url', 'http://127.0.0.1:9/v1').status).toBe(3);
  });
});

describe('pass rates', () => {
  it('rise with better feedback and fall when the prompt no longer shows the format', async () => {
    const prompts = (name: string) => readFileSync(join(promptsDir, name), 'utf8');
    const repaired = await folderWith();
    const harmed = await folderWith();
    for (const folder of [repaired, harmed]) cpSync(promptsDir, folder, { recursive: true });
    writeFileSync(join(repaired, 'format_error.md'), '{{reason}}\nExpected: {{expected}}\nReply again.\n');
    writeFileSync(join(harmed, 'system.md'), prompts('system.md').replace(/```action[\s\S]*?```/, 'an action'));
    const model = await startSimulatedModel();
    try {
      const tasks = ['count-errors', 'default-port', 'off-by-one', 'settings-json', 'sort-names'];
      const shared = { config: shippedConfig(), baseUrl: model.baseUrl, tasksDir, tasks, seeds: [2, 3] };
      const rate = async (folder: string) => passRate(await bench({ ...shared, promptsDir: folder }));
      const baseline = await rate(promptsDir);
      expect(await rate(promptsDir)).toBe(baseline);
      expect(await rate(repaired)).toBeGreaterThan(baseline + 0.25);
      expect(await rate(harmed)).toBeLessThan(baseline);
    } finally {
      await model.close();
    }
  });

  it('keep the traces when asked to', async () => {
    const out = await folderWith();
    const model = await startSimulatedModel();
    try {
      const options = { config: shippedConfig(), promptsDir, baseUrl: model.baseUrl, tasksDir, tasks: ['sort-names'] };
      await recordTraces({ ...options, seeds: [1, 2] }, out);
      for (const seed of [1, 2]) {
        const folder = join(out, trialName('sort-names', seed));
        expect(readJson(join(folder, 'result.json')).agent_result.metadata.seed).toBe(seed);
        expect(readJson(join(folder, 'agent/trajectory.json')).steps.length).toBeGreaterThan(2);
      }
    } finally {
      await model.close();
    }
  });
});
