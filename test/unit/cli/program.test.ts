import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publishedSchema } from './documents';
import { runCli } from './runCli';

let folder: string;

beforeAll(async () => {
  folder = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-program-')));
  await mkdir(join(folder, 'inner'));
  await writeFile(join(folder, 'inner', 'agent.py'), 'def run():\n    return 1\n');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('wrong usage', () => {
  it.each([[['frob']], [['locate']], [['index', '--frob']], [['traces', 'frob']]])(
    'of %j is a document with --json, too',
    async (args) => {
      const { stdout, stderr, exitCode } = await runCli(...args, '--json');
      expect(exitCode).toBe(2);
      const { error } = publishedSchema('error').parse(JSON.parse(stdout)) as { error: { message: string } };
      expect(error).toMatchObject({ code: 'usage', nextStep: expect.stringContaining('--help') });
      expect(stderr).toContain(error.message);
    },
  );

  it('prints no document without --json, and none for help', async () => {
    expect(await runCli('frob')).toMatchObject({ stdout: '', exitCode: 2 });
    const help = await runCli('index', '--help', '--json');
    expect(help).toMatchObject({ exitCode: 0, stdout: expect.stringMatching(/^Usage: /) });
  });
});

describe('-C before the command', () => {
  it.each([['-C'], ['--directory']])('works with %s as it does behind it', async (option) => {
    const { stdout, exitCode } = await runCli(option, join(folder, 'inner'), 'index', '--json');
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ root: join(folder, 'inner'), functions: 1 });
    const nested = await runCli(option, join(folder, 'inner'), 'runs', 'list', '--json');
    expect(JSON.parse(nested.stdout)).toMatchObject({ runs: [] });
  });

  it('is no place for a second folder, nor for nothing', async () => {
    expect((await runCli('-C', folder)).exitCode).toBe(2);
    expect((await runCli('-C', join(folder, 'missing'), 'index')).stderr).toContain('missing does not exist');
  });
});
