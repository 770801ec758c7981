/** History read from repositories that are made here with git: odd names, odd contents, gaps, merges, settings. */
import { spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type PastChange, readHistory } from '../../../src/core/harness';

let folder: string;
let clock: number;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'harnessmith-repository-'));
  clock = 1_700_000_000;
  run('init', '-q', '-b', 'main');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const isSource = (path: string) => /\.(py|ts|go|rs|md)$/.test(path);

function run(...args: string[]): string {
  return runWith(undefined, ...args);
}

function runWith(input: string | undefined, ...args: string[]): string {
  const date = `${++clock} +0000`;
  const who = { GIT_AUTHOR_NAME: 'A', GIT_AUTHOR_EMAIL: 'a@b.example', GIT_COMMITTER_NAME: 'A' };
  const done = spawnSync('git', args, {
    cwd: folder,
    encoding: 'utf8',
    input,
    env: {
      ...process.env,
      ...who,
      GIT_COMMITTER_EMAIL: 'a@b.example',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  });
  if (done.status !== 0) throw new Error(`git ${args.join(' ')}: ${done.stderr}`);
  return done.stdout.trim();
}

async function write(files: Record<string, string | Buffer>): Promise<void> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
}

async function commit(message: string, files: Record<string, string | Buffer>): Promise<string> {
  await write(files);
  run('add', '-A');
  runWith(message, 'commit', '-q', '--allow-empty', '--cleanup=verbatim', '-F', '-');
  return run('rev-parse', 'HEAD');
}

const history = (heads: readonly string[] = ['HEAD'], known: readonly string[] = []): Promise<PastChange[]> =>
  readHistory(folder, { heads, known, accepts: isSource });
const named = (changes: readonly PastChange[]) => changes.map(({ message }) => message);
const python = (name: string, value = 1) => `def ${name}():\n    return ${value}\n`;

describe('names of files', () => {
  it.each([
    ['a quotation mark', 'say "hi".py'],
    ['a backslash', 'back\\slash.py'],
    ['a line break', 'two\nlines.py'],
    ['a tab', 'tab\there.py'],
    ['a bell', 'bell\u0007.py'],
    ['a space at both ends of a folder', ' in /a file .py'],
    ['letters of other scripts', 'größe/日本語.py'],
    ['a dash in front', '-rf.py'],
    ['what looks like a header of a diff', 'x/+++ b.py'],
    ['what looks like no file', 'dev/null.py'],
    ['quotes, a line break and other letters at once', 'ü"\n\\n.py'],
  ])('with %s come back as they are', async (_what, path) => {
    const id = await commit('add', { [path]: python('f') });
    expect(await history()).toEqual([
      { id, time: expect.any(Number), message: 'add', files: [{ path, names: ['f'] }] },
    ]);
  });
});

describe('texts that look like the output of git', () => {
  it('in a message begin no commit, no file and no change', async () => {
    const body = [
      'fix',
      '',
      '\x01deadbeef 5',
      '\x02',
      'diff --git a.py a.py',
      '--- evil.py',
      '+++ evil.py',
      '@@ -1 +1 @@ def evil():',
      '+def evil():',
      'done',
    ].join('\n');
    const first = await commit('begin', { 'a.py': python('f') });
    const second = await commit(body, { 'a.py': python('f', 2) });
    const changes = await history();
    expect(changes.map(({ id }) => id)).toEqual([second, first]);
    expect(changes[0]?.files).toEqual([{ path: 'a.py', names: ['f'] }]);
    expect(changes[0]?.message).toContain('done');
  });

  it.each([
    ['a carriage return', '\r'],
    ['a line separator', '\u2028'],
    ['a paragraph separator', '\u2029'],
  ])('behind %s in a changed line begin nothing', async (_what, end) => {
    const lies = [
      '\x01deadbeef 5',
      'lie\x02',
      'diff --git e.py e.py',
      '--- e.py',
      '+++ e.py',
      '@@ -1 +1 @@',
      '+def evil():',
    ];
    const first = await commit('begin', { 'a.py': python('f') });
    const second = await commit('more', { 'a.py': `def f():\n    return "${end}${lies.join(end)}"\n` });
    const changes = await history();
    expect(changes.map(({ id }) => id)).toEqual([second, first]);
    expect(changes[0]?.files).toEqual([{ path: 'a.py', names: ['f'] }]);
  });

  it('in removed and added lines are lines', async () => {
    await commit('begin', { 'a.md': '-- x.py\n++ y.py\ntext\n' });
    await commit('change', { 'a.md': '-- z.py\ntext\n' });
    expect((await history())[0]?.files.map(({ path }) => path)).toEqual(['a.md']);
  });
});

describe('contents of files', () => {
  it('that are binary or very long name nothing and stop nothing', async () => {
    await commit('begin', { 'a.py': python('f'), 'b.py': Buffer.from([0, 1, 2, 255, 10, 0]) });
    await commit('change', {
      'a.py': python('f', 2),
      'b.py': Buffer.from([0, 9, 9, 255, 10, 0]),
      'long.py': `x = "${'a'.repeat(2_000_000)}"\ndef after():\n    pass\n`,
    });
    const [last] = await history();
    expect(last?.files.find(({ path }) => path === 'a.py')?.names).toEqual(['f']);
    expect(last?.files.find(({ path }) => path === 'long.py')?.names).toEqual(['after']);
    expect(last?.files.find(({ path }) => path === 'b.py')?.names ?? []).toEqual([]);
  });

  it('that differ only in spaces or line ends are no change', async () => {
    await commit('begin', { 'a.py': python('f') });
    await commit('indent', { 'a.py': 'def f():\n        return 1\n' });
    await commit('line ends', { 'a.py': 'def f():\r\n        return 1\r\n' });
    expect((await history()).flatMap(({ files }) => files.flatMap(({ names }) => names))).toEqual(['f']);
  });

  it('without a line end at the end are read to the end', async () => {
    await commit('begin', { 'a.py': 'def f():\n    return 1' });
    await commit('change', { 'a.py': 'def f():\n    return 1\n\n\ndef last():\n    return 2' });
    expect((await history())[0]?.files[0]?.names).toContain('last');
  });

  it('that were removed name the definitions that went', async () => {
    await commit('begin', { 'a.py': python('f'), 'b.py': python('keep') });
    run('rm', '-q', 'a.py');
    await commit('remove', {});
    expect((await history())[0]?.files).toEqual([{ path: 'a.py', names: ['f'] }]);
  });
});

describe('the shape of the past', () => {
  it('leaves merges out and reads both sides of them', async () => {
    await commit('begin', { 'a.py': python('f'), 'b.py': python('g') });
    run('checkout', '-q', '-b', 'side');
    await commit('side', { 'b.py': python('g', 2) });
    run('checkout', '-q', 'main');
    await commit('main', { 'a.py': python('f', 2) });
    run('merge', '-q', '--no-ff', '-m', 'merge', 'side');
    expect(named(await history()).sort()).toEqual(['begin', 'main', 'side']);
  });

  it('shows a rename as one file that went and one that came', async () => {
    await commit('begin', { 'a.py': python('f') });
    await rename(join(folder, 'a.py'), join(folder, 'moved.py'));
    await commit('move', {});
    expect((await history())[0]?.files.map(({ path }) => path).sort()).toEqual(['a.py', 'moved.py']);
  });

  it('of several heads is read once each, and what is known not again', async () => {
    const base = await commit('begin', { 'a.py': python('f') });
    run('checkout', '-q', '-b', 'side');
    const side = await commit('side', { 'a.py': python('f', 2) });
    run('checkout', '-q', 'main');
    const main = await commit('main', { 'a.py': python('f', 3) });
    expect(named(await history([main, side])).sort()).toEqual(['begin', 'main', 'side']);
    expect(named(await history([main, side], [base])).sort()).toEqual(['main', 'side']);
    expect(named(await history([main], [side]))).toEqual(['main']);
  });

  it('of a shallow clone ends where the clone ends', async () => {
    for (let n = 1; n <= 5; n++) await commit(`change ${n}`, { 'a.py': python('f', n) });
    const clone = await mkdtemp(join(tmpdir(), 'harnessmith-shallow-'));
    spawnSync('git', ['clone', '-q', '--depth', '2', `file://${folder}`, clone]);
    const changes = await readHistory(clone, { heads: ['HEAD'], accepts: isSource });
    expect(named(changes)).toEqual(['change 5', 'change 4']);
    await rm(clone, { recursive: true });
  });

  it('goes on behind commits whose objects are missing', async () => {
    const ids: string[] = [];
    for (let n = 1; n <= 6; n++)
      ids.push(await commit(`change ${n}`, { 'a.py': python('f', n), 'b.py': python('g', n) }));
    const blob = run('rev-parse', `${ids[2]}:b.py`);
    await rm(join(folder, '.git', 'objects', blob.slice(0, 2), blob.slice(2)));
    const messages = named(await history());
    // The diffs of the third and of the fourth commit need the object; all others are whole.
    expect(messages).toEqual(expect.arrayContaining(['change 6', 'change 5', 'change 2', 'change 1']));
    expect(new Set(messages).size).toBe(messages.length);
  });

  it('is empty for a head that is no commit, and for one without commits', async () => {
    expect(await history()).toEqual([]);
    await commit('begin', { 'a.py': python('f') });
    expect(await history(['no-such-branch'])).toEqual([]);
    expect(await history(['0000000000000000000000000000000000000000'])).toEqual([]);
  });
});

describe('a hostile request or repository', () => {
  it('cannot pass options to git by the name of a head', async () => {
    await commit('begin', { 'a.py': python('f') });
    const file = join(folder, 'written-by-git');
    expect(await history([`--output=${file}`])).toEqual([]);
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await history(['HEAD'], [`x --output=${file}`])).toEqual([]);
    expect(await readdir(folder)).not.toContain('written-by-git');
  });

  it('runs no program that the repository names, and is read the same whatever its settings', async () => {
    await commit('begin', { 'a.py': python('f'), 'größe.py': python('g') });
    await commit('change', { 'a.py': python('f', 2) });
    const before = await history();
    await write({ '.gitattributes': '*.py diff=evil\n' });
    for (const [key, value] of [
      ['diff.evil.command', 'touch ran-command'],
      ['diff.evil.textconv', 'touch ran-textconv; cat'],
      ['diff.external', 'touch ran-external'],
      ['core.fsmonitor', 'touch ran-fsmonitor'],
      ['core.pager', 'touch ran-pager'],
      ['core.quotePath', 'true'],
      ['diff.noprefix', 'false'],
      ['diff.mnemonicPrefix', 'true'],
      ['diff.renames', 'copies'],
      ['diff.context', '9'],
      ['diff.interHunkContext', '9'],
      ['color.ui', 'always'],
      ['log.showRoot', 'false'],
      ['log.showSignature', 'true'],
      ['log.decorate', 'full'],
      ['format.pretty', 'oneline'],
      ['i18n.logOutputEncoding', 'ISO-8859-1'],
    ])
      run('config', key as string, value as string);
    expect((await readdir(folder)).filter((name) => name.startsWith('ran-'))).toEqual([]);
    const after = await history();
    expect((await readdir(folder)).filter((name) => name.startsWith('ran-'))).toEqual([]);
    // The attributes of the repository come before ours, so names may be fewer; the rest is the same.
    const outline = (changes: readonly PastChange[]) =>
      changes.map(({ id, message, files }) => [id, message, files.map(({ path }) => path)]);
    expect(outline(after)).toEqual(outline(before));
  });

  it('gives messages in letters, whatever the encoding of the commit', async () => {
    await commit('Größe ändern', { 'a.py': python('f') });
    run('config', 'i18n.logOutputEncoding', 'ISO-8859-1');
    expect(named(await history())).toEqual(['Größe ändern']);
  });

  it('keeps no more of a message than can be of use', async () => {
    await commit(`long\n\n${'word '.repeat(4_000)}`, { 'a.py': python('f') });
    const [change] = await history();
    expect(change?.message.length).toBeLessThanOrEqual(4_000);
  });
});
