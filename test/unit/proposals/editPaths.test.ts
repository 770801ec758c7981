import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEditPath, normalizeEditPath, readEditable } from '../../../src/core/proposals';
import { temporaryFolder } from './temporaryHarness';

async function reasonFor(root: string, path: string, protectedPatterns: string[] = []): Promise<string | undefined> {
  const checked = await checkEditPath(root, path, protectedPatterns);
  return 'reason' in checked ? checked.reason : undefined;
}

describe('normalizeEditPath', () => {
  it.each([
    ['../x', /outside/],
    ['src/../../x', /outside/],
    ['..', /outside/],
    ['/etc/passwd', /absolute/],
    ['C:/x', /absolute/],
    ['c:x', /absolute/],
    ['\\\\host\\x', /"\/"/],
    ['src\\x.ts', /"\/"/],
    ['.git/config', /\.git/],
    ['.GIT/config', /\.git/],
    ['sub/.git/hooks/post-commit', /\.git/],
    ['.git. /config', /\.git/],
    ['.g\u200cit/config', /\.git/],
    ['git~1/config', /\.git/],
    ['./.git/config', /\.git/],
    ['.harnessmith/harness.json', /\.harnessmith/],
    ['', /empty/],
    ['a\u0000b', /not printable/],
    ['src/', /folder/],
    ['.', /folder/],
  ])('refuses %j', (path, reason) => {
    expect(normalizeEditPath(path)).toEqual({ reason: expect.stringMatching(reason) });
  });

  it('normalizes what stays inside', () => {
    expect(normalizeEditPath('./src/../src/a.ts')).toEqual({ file: 'src/a.ts' });
    expect(normalizeEditPath('.gitignore')).toEqual({ file: '.gitignore' });
    expect(normalizeEditPath('a..b/...c')).toEqual({ file: 'a..b/...c' });
  });

  it('never gives a path that leads up or is absolute, whatever comes in', () => {
    const part = fc.constantFrom('..', '.', '', 'a', '.git', '/', '\\', 'b.ts', ' ', 'C:');
    fc.assert(
      fc.property(fc.array(part, { maxLength: 8 }), (parts) => {
        const result = normalizeEditPath(parts.join('/'));
        if ('reason' in result) return;
        expect(result.file.split('/')).not.toContain('..');
        expect(result.file.split('/')).not.toContain('.git');
        expect(result.file.startsWith('/')).toBe(false);
      }),
    );
  });
});

describe('checkEditPath', () => {
  it('refuses symbolic links on the way, also ones that stay inside', async () => {
    const outside = await temporaryFolder({ 'a.txt': 'a' });
    const root = await temporaryFolder({ 'real/a.txt': 'a' });
    await symlink(outside, join(root, 'out'));
    await symlink(join(root, 'real'), join(root, 'in'));
    await symlink(join(root, 'real/a.txt'), join(root, 'link.txt'));
    await symlink('loop', join(root, 'loop'));
    for (const path of ['out/a.txt', 'out/new.txt', 'in/a.txt', 'link.txt', 'loop/x', 'loop']) {
      expect(await reasonFor(root, path)).toMatch(/symbolic link/);
    }
    expect(await reasonFor(root, 'real/a.txt')).toBeUndefined();
  });

  it('refuses protected files, folders, files as folders, and nested repositories', async () => {
    const root = await temporaryFolder({ 'tests/verify.sh': '', 'sub/.git': 'gitdir: x', 'sub/a.txt': '', file: '' });
    await mkdir(join(root, 'folder'));
    expect(await reasonFor(root, 'tests/verify.sh', ['tests/**'])).toMatch(/protected/);
    expect(await reasonFor(root, 'Tests/Verify.sh', ['tests/**'])).toMatch(/protected/);
    expect(await reasonFor(root, 'folder')).toMatch(/not a regular file/);
    expect(await reasonFor(root, 'file/a.txt')).toMatch(/not a folder/);
    expect(await reasonFor(root, 'sub/a.txt')).toMatch(/repository of its own/);
    expect(await reasonFor(root, 'new/deep/a.txt', ['tests/**'])).toBeUndefined();
  });
});

describe('readEditable', () => {
  it('reads text to the byte and says why other files cannot be edited', async () => {
    const root = await temporaryFolder({
      'text.txt': '\uFEFFä\r\n',
      binary: new Uint8Array([1, 0, 2]),
      'latin1.txt': new Uint8Array([0x61, 0xe4, 0x0a]),
      'huge.txt': 'x'.repeat(2 * 1024 * 1024 + 1),
    });
    expect(await readEditable(root, 'text.txt')).toEqual({ text: '\uFEFFä\r\n' });
    expect(await readEditable(root, 'none.txt')).toEqual({ text: null });
    expect(await readEditable(root, 'binary')).toEqual({ reason: expect.stringMatching(/not UTF-8/) });
    expect(await readEditable(root, 'latin1.txt')).toEqual({ reason: expect.stringMatching(/not UTF-8/) });
    expect(await readEditable(root, 'huge.txt')).toEqual({ reason: expect.stringMatching(/over 2 MB/) });
  });
});
