import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LinkDocument } from '../../../src/cli/commands/link';
import { git } from '../../../src/core/harness';
import { atifDocument, writeFiles } from '../traces/helpers';
import { runCli } from './runCli';

const NOTICE = 'The command was stopped because it ran longer than the configured limit';
let base: string;
let folder: string;
let trace: string;
let first: string;

async function commit(files: Record<string, string>): Promise<string> {
  await writeFiles(folder, files);
  await git(folder, ['add', 'src']);
  await git(folder, ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'change']);
  return (await git(folder, ['rev-parse', 'HEAD'])).stdout.trim();
}

async function link(...args: string[]) {
  const result = await runCli('link', ...args, '-C', folder, '--json');
  return { ...result, document: JSON.parse(result.stdout) };
}

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'harnessmith-at-commit-'));
  folder = join(base, 'harness');
  await mkdir(folder);
  await git(folder, ['init', '-q']);
  first = await commit({ 'src/shell.py': `class Shell:\n    def execute(self):\n        return "${NOTICE}"\n` });
  await commit({
    'src/shell.py': 'class Shell:\n    pass\n',
    'src/limit.py': `# limits\n\n\ndef stop():\n    return "${NOTICE}"\n`,
  });
  trace = join(folder, 'traces/run.json');
  const steps = [
    { source: 'user', message: 'Go.' },
    { source: 'user', message: NOTICE },
  ];
  await writeFiles(folder, {
    'traces/run.json': atifDocument({ steps }),
    '.harnessmith/harness.json': { traces: ['traces'] },
  });
});

afterAll(async () => {
  await rm(base, { recursive: true, force: true });
});

describe('links against a commit', () => {
  it('lead to the code as it was, and say which commit that is', async () => {
    const now = LinkDocument.parse((await link(trace, '--step', '2')).document).links[0];
    expect(now).toMatchObject({ file: 'src/limit.py', symbol: 'stop', start: 5 });
    expect(now?.commit).toBeUndefined();
    const { links } = LinkDocument.parse((await link(trace, '--step', '2', '--at-commit', first)).document);
    expect(links[0]).toMatchObject({ file: 'src/shell.py', symbol: 'Shell.execute', start: 3, commit: first });
    expect(links.every((one) => one.commit === first)).toBe(true);
    const { stdout } = await runCli('link', trace, '--step', '2', '--at-commit', 'HEAD~1', '-C', folder);
    expect(stdout).toContain(`Resolved against commit ${first}.`);
    expect(stdout).toContain(`3 |         return "${NOTICE}"`);
  });

  it('checks nothing out, and leaves the working tree as it is', async () => {
    const before = (await git(folder, ['status', '--porcelain'])).stdout;
    await link(trace, '--step', '2', '--at-commit', first);
    expect((await git(folder, ['status', '--porcelain'])).stdout).toBe(before);
    expect((await git(folder, ['rev-parse', 'HEAD'])).stdout.trim()).not.toBe(first);
  });

  it('go back from a place of that commit to the traces of now, which no commit holds', async () => {
    const { document } = await link('--site', 'src/shell.py:3', '--at-commit', first);
    expect(JSON.stringify(document)).toContain('Shell.execute');
    const { document: none } = await link('--site', 'src/shell.py:3');
    expect(JSON.stringify(none)).not.toContain('Shell.execute');
  });

  it('are refused for what is no commit, in words', async () => {
    for (const revision of ['no-such-tag', '--output=x', 'HEAD:src/shell.py']) {
      const { exitCode, document } = await link(trace, '--step', '2', `--at-commit=${revision}`);
      expect(exitCode).toBe(2);
      expect(document.error.message).toContain(revision);
    }
  });
});
