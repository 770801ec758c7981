import { mkdir, mkdtemp, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  git,
  gitFacts,
  openHarness,
  readHarnessFile,
  realInside,
  resolveInside,
  walkFiles,
} from '../../../src/core/harness';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'harnessmith-harness-'));
});

async function write(path: string, text = 'x = 1\n'): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

async function listed(): Promise<string[]> {
  return (await walkFiles(await openHarness(root))).files.map((file) => file.path);
}

describe('openHarness', () => {
  it('takes defaults without a configuration', async () => {
    const harness = await openHarness(root);
    expect(harness.configFile).toBeNull();
    expect(harness.config.roots).toEqual(['.']);
  });

  it('names an unknown key and the file', async () => {
    await write('.harnessmith/harness.json', '{"root": ["src"]}');
    await expect(openHarness(root)).rejects.toThrow(/harness\.json.*"root"/);
  });

  it('refuses roots outside the repository and folders that do not exist', async () => {
    await write('.harnessmith/harness.json', '{"roots": ["../other"]}');
    await expect(openHarness(root)).rejects.toMatchObject({ code: 'path-outside' });
    await expect(openHarness(join(root, 'none'))).rejects.toMatchObject({ code: 'harness-missing', exitCode: 2 });
  });
});

describe('walkFiles', () => {
  it('leaves out foreign, ignored and excluded files', async () => {
    await write('agent.py');
    await write('node_modules/pkg/index.js');
    await write('.gitignore', 'secret/\n*.log\n');
    await write('secret/a.py');
    await write('run.log');
    await write('sub/.gitignore', '/local.py\n');
    await write('sub/local.py');
    await write('sub/deep/local.py');
    await write('generated/b.py');
    await write('.harnessmith/harness.json', '{"exclude": ["generated/"]}');
    expect(await listed()).toEqual(['.gitignore', 'agent.py', 'sub/.gitignore', 'sub/deep/local.py']);
  });

  it('reads dist where it is all there is, and leaves it out beside its source', async () => {
    await write('dist/main.js');
    expect(await listed()).toEqual(['dist/main.js']);
    await write('src/main.ts');
    expect(await listed()).toEqual(['src/main.ts']);
  });

  it('does not follow symbolic links, so loops end', async () => {
    await write('a/b/code.py');
    await symlink('..', join(root, 'a/b/up'));
    await symlink('/etc', join(root, 'etc'));
    expect(await listed()).toEqual(['a/b/code.py']);
  });

  it('says why a large text file was left out', async () => {
    await write('bundle.js', 'x'.repeat(2 * 1024 * 1024 + 1));
    const { files, skipped } = await walkFiles(await openHarness(root));
    expect(files).toEqual([]);
    expect(skipped).toEqual([{ path: 'bundle.js', reason: expect.stringContaining('2 MB') }]);
  });

  it('lists each file once when roots overlap', async () => {
    await write('.harnessmith/harness.json', '{"roots": [".", "src"]}');
    await write('src/a.py');
    expect(await listed()).toEqual(['src/a.py']);
  });

  it('stops when cancelled', async () => {
    await write('a.py');
    await expect(walkFiles(await openHarness(root), { signal: AbortSignal.abort() })).rejects.toMatchObject({
      exitCode: 130,
    });
  });
});

describe('paths', () => {
  it('stay inside', async () => {
    expect(() => resolveInside(root, '../x')).toThrow(/outside/);
    expect(() => resolveInside(root, '/etc/passwd')).toThrow(/outside/);
    expect(resolveInside(root, '..x')).toBe(join(root, '..x'));
    await symlink('/etc', join(root, 'link'));
    await expect(realInside(root, 'link/passwd')).rejects.toMatchObject({ code: 'path-outside' });
    await expect(realInside(root, 'link/new-file')).rejects.toMatchObject({ code: 'path-outside' });
    await expect(realInside(root, 'new/file')).resolves.toBe(join(root, 'new/file'));
  });

  it('name a missing file', async () => {
    await expect(readHarnessFile({ root }, 'gone.py')).rejects.toThrow(/gone\.py/);
  });
});

describe('git', () => {
  it('tells head, dirt and submodules', async () => {
    expect((await gitFacts(root)).repository).toBe(false);
    await git(root, ['init', '-q']);
    expect(await gitFacts(root)).toMatchObject({ repository: true, head: null, dirty: false });
    await write('a.py');
    expect((await gitFacts(root)).dirty).toBe(true);
    await git(root, ['add', '.']);
    await git(root, ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first']);
    const facts = await gitFacts(root);
    expect(facts.head).toMatch(/^[0-9a-f]{40}$/);
    expect(facts.dirty).toBe(false);
    await write('.gitmodules', '[submodule "x"]\n\tpath = vendor/x\n\turl = ../x\n');
    expect((await gitFacts(root)).submodules).toEqual(['vendor/x']);
  });

  it('names the command that failed', async () => {
    await expect(git(root, ['log'])).rejects.toThrow(/git log failed/);
  });

  it('does not run hooks of the repository', async () => {
    await git(root, ['init', '-q']);
    await writeFile(join(root, '.git/hooks/pre-commit'), '#!/bin/sh\ntouch "$PWD/hook-ran"\n', { mode: 0o755 });
    await write('a.py');
    await git(root, ['add', 'a.py']);
    await git(root, ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', 'first']);
    expect(await listed()).toEqual(['a.py']);
  });

  it('does not run the file system monitor a repository names', async () => {
    await git(root, ['init', '-q']);
    const monitor = join(root, '.git', 'monitor');
    await writeFile(monitor, `#!/bin/sh\ntouch "${root}/monitor-ran"\n`, { mode: 0o755 });
    await git(root, ['config', 'core.fsmonitor', monitor]);
    await write('a.py');
    expect((await gitFacts(root)).dirty).toBe(true);
    expect(await listed()).toEqual(['a.py']);
  });
});
