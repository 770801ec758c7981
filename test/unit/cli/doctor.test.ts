import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { repository, temporaryFolder, writeFiles } from '../validation/repository';
import { documentOf, textOf } from './documents';

interface Check {
  name: string;
  state: string;
  detail: string;
  remedy?: string;
}

async function checks(folder: string): Promise<Record<string, Check>> {
  const { document } = await documentOf('doctor', folder, 'doctor');
  return Object.fromEntries(document.checks.map((check: Check) => [check.name, check]));
}

const suite = { tasks: ['a'], command: ['true'] };
const keyed = { provider: 'anthropic', model: 'm', apiKeyVariable: 'HARNESSMITH_TEST_KEY' };

describe('doctor', () => {
  it('tells a clean repository from one with changes and one without a commit', async () => {
    const root = repository({ 'a.py': 'x = 1\n' });
    expect((await checks(root)).git).toMatchObject({ state: 'ok', detail: expect.stringMatching(/; clean$/) });
    writeFileSync(join(root, 'a.py'), 'x = 2\n');
    expect((await checks(root)).git!.detail).toMatch(/; uncommitted changes$/);
  });

  it('gives a remedy for everything that is not in order', async () => {
    const found = Object.values(await checks(temporaryFolder()));
    const wrong = found.filter((check) => check.state !== 'ok');
    // No repository, no suite, no model.
    expect(wrong.map((check) => check.name)).toEqual(['git', 'Suites', 'Model']);
    for (const check of wrong) expect(check.remedy).toMatch(/\w/);
  });

  it('names suites and model of the harness, and warns while the key is not set', async () => {
    const root = repository({ 'a.py': '' });
    writeFiles(root, { '.harnessmith/harness.json': JSON.stringify({ suites: { quick: suite }, model: keyed }) });
    delete process.env.HARNESSMITH_TEST_KEY;
    const before = await checks(root);
    expect(before.Suites).toMatchObject({ state: 'ok', detail: 'quick' });
    expect(before.Model).toMatchObject({ state: 'warning', remedy: 'export HARNESSMITH_TEST_KEY=...' });
    process.env.HARNESSMITH_TEST_KEY = 'a-secret-value';
    onTestFinished(() => {
      delete process.env.HARNESSMITH_TEST_KEY;
    });
    const after = await checks(root);
    expect(after.Model!.state).toBe('ok');
    expect(JSON.stringify(after)).not.toContain('a-secret-value');
  });

  it('warns of a repository that would send a key to a host nobody allowed', async () => {
    const root = repository({ 'a.py': '' });
    const model = { ...keyed, apiKeyVariable: 'PATH', baseUrl: 'https://evil.example/v1' };
    writeFiles(root, { '.harnessmith/harness.json': JSON.stringify({ model }) });
    const remedy = expect.stringContaining('export HARNESSMITH_MODEL_HOSTS=evil.example');
    expect((await checks(root)).Model).toMatchObject({ state: 'warning', remedy });
  });

  it('is a no, with the place, when harness.json is wrong', async () => {
    const root = repository({ 'a.py': '' });
    writeFiles(root, { '.harnessmith/harness.json': '{"suites": {"s": {"tasks": [], "command": ["x"]}}}' });
    const { text, exitCode } = await textOf(root, 'doctor');
    expect(exitCode).toBe(1);
    expect(text).toMatch(/^problem Harness: .*harness\.json.*suites\.s\.tasks/m);
  });
});
