import { mkdir, mkdtemp, readdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  git,
  gitFacts,
  HarnessConfig,
  looksBinary,
  openHarness,
  readListed,
  realInside,
  resolveInside,
  walkFiles,
} from '../../../src/core/harness';
import { ownScopePackages } from '../../../src/core/harness/scopePackages';

let root: string;
beforeEach(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-harness-')));
});

async function write(path: string, text = 'x = 1\n'): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true });
  await writeFile(join(root, path), text);
}

const commit = async (message: string) => {
  await git(root, ['add', '-A']);
  await git(root, ['-c', 'user.name=t', '-c', 'user.email=t@example.org', 'commit', '-qm', message]);
};

describe('the configuration', () => {
  it('gives a suite its defaults, and needs a command and a task', () => {
    const suite = HarnessConfig.parse({ suites: { s: { tasks: ['a'], command: ['x'] } } }).suites.s;
    expect(suite).toMatchObject({ engine: 'command', result: 'exit-code', trials: 3, seed: 1, prepare: [] });
    for (const wrong of [
      { tasks: [], command: ['x'] },
      { tasks: ['a'], command: [] },
      { tasks: ['a'] },
      { tasks: ['a'], command: ['x'], trials: 0 },
      { tasks: ['a'], command: ['x'], trials: 2.5 },
      { tasks: ['a'], command: ['x'], engine: 'cloud' },
      { tasks: ['a'], command: ['x'], comand: ['y'] },
      { tasks: ['a'], command: ['x'], timeoutSeconds: 0 },
    ]) {
      expect([wrong, HarnessConfig.safeParse({ suites: { s: wrong } }).success]).toEqual([wrong, false]);
    }
  });

  it('has no place for a key itself, only for the name of its variable', () => {
    const model = { provider: 'anthropic', model: 'm' };
    expect(HarnessConfig.safeParse({ model: { ...model, apiKeyVariable: 'KEY' } }).success).toBe(true);
    expect(HarnessConfig.safeParse({ model: { ...model, apiKey: 'secret' } }).success).toBe(false);
  });

  it('applies to a branch unless it says otherwise', () => {
    expect(HarnessConfig.parse({}).review.applyTo).toBe('branch');
    expect(HarnessConfig.safeParse({ review: { applyTo: 'main' } }).success).toBe(false);
  });
});

describe('opening', () => {
  it('takes the name of the folder, or the one that is configured, and resolves links', async () => {
    await write('.harnessmith/harness.json', '{"name": "Named"}');
    const link = join(await mkdtemp(join(tmpdir(), 'harnessmith-link-')), 'link');
    await symlink(root, link);
    expect(await openHarness(link)).toMatchObject({ root, name: 'Named' });
    await expect(openHarness(join(root, '.harnessmith/harness.json'))).rejects.toMatchObject({
      code: 'harness-missing',
    });
  });

  it('refuses traces outside the repository, as paths that climb and as absolute ones', async () => {
    for (const path of ['../t', 'a/../../t', '/etc']) {
      await write('.harnessmith/harness.json', JSON.stringify({ traces: [path] }));
      await expect(openHarness(root)).rejects.toMatchObject({ code: 'path-outside', exitCode: 2 });
    }
  });
});

describe('paths', () => {
  it('are given back inside the root, or refused, whatever they are made of', () => {
    const part = fc.constantFrom('..', '.', 'a', 'b', '', '..a', 'a..', ' ', '...');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 6 }), fc.boolean(), (parts, absolute) => {
        const path = `${absolute ? '/' : ''}${parts.join('/')}`;
        const way = relative(root, resolve(root, path));
        const inside = way !== '..' && !way.startsWith('../') && !isAbsolute(way);
        if (inside) expect(resolveInside(root, path)).toBe(resolve(root, path));
        else expect(() => resolveInside(root, path)).toThrow(/outside/);
      }),
    );
  });

  it('may go over a link that stays inside, also for a file that will be made', async () => {
    await write('real/a.txt');
    await symlink('real', join(root, 'alias'));
    await expect(realInside(root, 'alias/a.txt')).resolves.toBe(join(root, 'alias/a.txt'));
    await expect(realInside(root, 'alias/new/file.txt')).resolves.toBe(join(root, 'alias/new/file.txt'));
    await symlink('..', join(root, 'real/up'));
    await expect(realInside(root, 'real/up/up')).resolves.toBeDefined();
    await symlink('../..', join(root, 'real/out'));
    await expect(realInside(root, 'real/out/x')).rejects.toMatchObject({ code: 'path-outside' });
  });
});

describe('listing', () => {
  it('is sorted and names each file once, whatever the roots are', async () => {
    for (const path of ['b/z.py', 'a/y.py', 'b/a/x.py', 'c.py']) await write(path);
    const all = ['a/y.py', 'b/a/x.py', 'b/z.py', 'c.py'];
    const roots = fc.uniqueArray(fc.constantFrom('.', 'a', 'b', './b', 'b/a', 'b/', 'a/../b'), { minLength: 1 });
    await fc.assert(
      fc.asyncProperty(roots, async (chosen) => {
        const harness = await openHarness(root);
        const { files } = await walkFiles({ ...harness, config: { ...harness.config, roots: chosen } });
        const clean = chosen.map((one) => relative(root, resolve(root, one)));
        const expected = all.filter((path) => clean.some((one) => one === '' || path.startsWith(`${one}/`)));
        expect(files.map((file) => file.path)).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });

  it('lets a later rule of .gitignore take a file back in', async () => {
    await write('.gitignore', '*.txt\n!keep.txt\n');
    await write('keep.txt');
    await write('drop.txt');
    const { files } = await walkFiles(await openHarness(root));
    expect(files.map((file) => file.path)).toEqual(['.gitignore', 'keep.txt']);
  });

  it('names a root that is not there', async () => {
    await write('.harnessmith/harness.json', '{"roots": ["missing"]}');
    await expect(walkFiles(await openHarness(root))).rejects.toMatchObject({
      code: 'root-unreadable',
      message: expect.stringContaining('missing'),
    });
  });

  it('gives nothing for a file that went away since', async () => {
    const harness = await openHarness(root);
    expect(await readListed(harness, { path: 'gone.py', bytes: 1, mtimeMs: 0 })).toBeUndefined();
  });

  it('takes a NUL byte near the start as a sign of a binary file', () => {
    expect(looksBinary(Buffer.from('text\n'))).toBe(false);
    expect(looksBinary(Buffer.from('a\u0000b'))).toBe(true);
    expect(looksBinary(new Uint8Array())).toBe(false);
    expect(looksBinary(Buffer.concat([Buffer.alloc(8192, 'a'), Buffer.from([0])]))).toBe(false);
  });
});

describe('packages of the own scope', () => {
  const installed = (name: string, dependencies: string[] = []) =>
    write(
      `node_modules/${name}/package.json`,
      JSON.stringify({ name, dependencies: Object.fromEntries(dependencies.map((one) => [one, '1.0.0'])) }),
    );
  const own = (dependencies: string[], name = '@me/agent') =>
    write(
      'package.json',
      JSON.stringify({ name, dependencies: Object.fromEntries(dependencies.map((one) => [one, '1'])) }),
    );

  it('are those of the scope, also over other ones of it; nothing of a stranger', async () => {
    await own(['@me/core', 'left-pad', '@you/tool']);
    await installed('@me/core', ['@me/deep', '@me/core']);
    await installed('@me/deep');
    await installed('left-pad');
    await installed('@you/tool', ['@me/hidden']);
    await installed('@me/hidden');
    expect(await ownScopePackages(root, '')).toEqual(['node_modules/@me/core', 'node_modules/@me/deep']);
  });

  it('are none without a scope, without a readable package.json, or when not installed', async () => {
    expect(await ownScopePackages(root, '')).toEqual([]);
    await write('package.json', '{ no json');
    expect(await ownScopePackages(root, '')).toEqual([]);
    await own(['@me/core'], 'agent');
    await installed('@me/core');
    expect(await ownScopePackages(root, '')).toEqual([]);
    await own(['@me/absent']);
    expect(await ownScopePackages(root, '')).toEqual([]);
  });

  it('never lead out of node_modules, by name or by link', async () => {
    await own(['@me/../../secret', '@me/..', '@me/linked']);
    await write('secret/package.json', '{"name": "@me/secret"}');
    await mkdir(join(root, 'node_modules/@me'), { recursive: true });
    await symlink(join(root, 'secret'), join(root, 'node_modules/@me/linked'));
    expect(await ownScopePackages(root, '')).toEqual([]);
  });
});

describe('git', () => {
  it('takes arguments and input as they are, without a shell', async () => {
    await git(root, ['init', '-q']);
    const { stdout } = await git(root, ['hash-object', '--stdin'], { input: 'hello\n' });
    // The name of this blob is the same everywhere: sha1("blob 6\0hello\n").
    expect(stdout.trim()).toBe('ce013625030ba8dba906f756967f9e9ca394464a');
    await git(root, ['log', '; touch injected', '$(touch injected)'], { allowFailure: true });
    expect(await readdir(root)).toEqual(['.git']);
  });

  it('gives the exit code where failure is allowed, and stops when cancelled', async () => {
    expect((await git(root, ['rev-parse', 'HEAD'], { allowFailure: true })).exitCode).not.toBe(0);
    await expect(git(root, ['status'], { signal: AbortSignal.abort() })).rejects.toMatchObject({ exitCode: 130 });
  });

  it('tells the top level of a folder below it, and names with spaces as they are', async () => {
    await git(root, ['init', '-q']);
    await write('deep/er/ä b.py');
    await commit('first');
    expect(await gitFacts(join(root, 'deep/er'))).toMatchObject({ repository: true, topLevel: root, dirty: false });
    expect((await git(root, ['ls-files'])).stdout).toBe('deep/er/ä b.py\n');
  });
});
