import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository, runGit, writeFiles } from '../validation/repository';
import { documentOf, textOf } from './documents';

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\nnine\nten\neleven\ntwelve\n';
const after = before.replace('two', 'TWO').replace('eleven', 'ELEVEN');

/** A repository and a patch with two changes of `prompt.md` that lie far enough apart to be two hunks. */
function patched() {
  const root = repository({ 'prompt.md': before, '.gitignore': '.harnessmith/\n' });
  writeFileSync(join(root, 'prompt.md'), after);
  const patch = `${runGit(root, 'diff')}\n`;
  writeFileSync(join(root, 'prompt.md'), before);
  writeFiles(root, { '.harnessmith/change.diff': patch });
  return { root, patch, file: join(root, '.harnessmith', 'change.diff') };
}

async function imported() {
  const made = patched();
  const { document } = await documentOf(
    'proposals-show',
    made.root,
    'proposals',
    'import',
    made.file,
    '--title',
    'Loud',
  );
  return { ...made, id: document.proposal.id as string, document };
}

const promptOf = (root: string) => readFileSync(join(root, 'prompt.md'), 'utf8');
type State = { state: string };

describe('proposals import and export', () => {
  it('gives back a patch that makes the same change', async () => {
    const { root, id, document } = await imported();
    expect(document.proposal.title).toBe('Loud');
    expect(document.hunks.map(({ hunk }: { hunk: { added: string[] } }) => hunk.added.join(''))).toEqual([
      expect.stringContaining('TWO'),
      expect.stringContaining('ELEVEN'),
    ]);
    const { document: out } = await documentOf('proposals-export', root, 'proposals', 'export', id);
    expect(out.file).toBeNull();
    // git is the judge: what it makes of the exported patch is what the first patch made.
    writeFileSync(join(root, '.harnessmith', 'out.diff'), out.text);
    runGit(root, 'apply', '.harnessmith/out.diff');
    expect(promptOf(root)).toBe(after);
  });

  it('writes to a file, knows the change manifest, and names the formats it has', async () => {
    const { root, id } = await imported();
    const file = join(root, '.harnessmith', 'manifest.json');
    const format = ['--format', 'change_manifest', '--out', file];
    const { document } = await documentOf('proposals-export', root, 'proposals', 'export', id, ...format);
    expect(document.file).toBe(file);
    expect(readFileSync(file, 'utf8')).toBe(document.text);
    expect(JSON.stringify(JSON.parse(document.text))).toContain('prompt.md');
    const wrong = await documentOf('proposals-export', root, 'proposals', 'export', id, '--format', 'docx');
    expect(wrong.exitCode).toBe(2);
    expect(wrong.document.error.nextStep).toContain('change_manifest');
  });

  it('refuses what is no patch, what is missing, and a patch of files outside', async () => {
    const { root, patch } = patched();
    writeFiles(root, {
      '.harnessmith/letter.txt': 'Dear all,\n',
      '.harnessmith/outside.diff': patch.replaceAll('prompt.md', '../../prompt.md'),
    });
    for (const name of ['letter.txt', 'outside.diff', 'missing.diff']) {
      const file = join(root, '.harnessmith', name);
      const { exitCode, document } = await documentOf('proposals-show', root, 'proposals', 'import', file);
      expect([name, exitCode, document.error?.nextStep]).toEqual([name, 2, expect.stringMatching(/\w/)]);
    }
    expect((await documentOf('proposals', root, 'proposals', 'list')).document.proposals).toEqual([]);
  });
});

describe('decisions', () => {
  it('hold for the named hunks, keep their reason, and can be taken back', async () => {
    const { root, id } = await imported();
    const { document } = await documentOf('proposals-show', root, 'proposals', 'accept', id, '--hunks', '1');
    expect(document.hunks.map(({ state }: State) => state)).toEqual(['accepted', 'open']);
    expect(promptOf(root)).toBe(before);
    await documentOf('proposals-show', root, 'proposals', 'reject', id, '--hunks', '2', '--reason', 'too loud');
    const { text } = await textOf(root, 'proposals', 'show', id);
    expect(text).toMatch(/hunk 1 {2}prompt\.md:\d+ {2}accepted/);
    expect(text).toMatch(/hunk 2 {2}prompt\.md:\d+ {2}rejected \(too loud\)/);
    expect((await textOf(root, 'proposals', 'list')).text).toBe(`${id}  Loud  1 of 2 hunks accepted\n`);
    const reopened = await textOf(root, 'proposals', 'reopen', id);
    expect(reopened.text).toBe(`open: 2 hunks of ${id}; 2 undecided.\n`);
  });

  it('are refused for hunks and decisions that are not there', async () => {
    const { root, id } = await imported();
    for (const options of [
      ['--hunks', '3'],
      ['--hunks', '1,99'],
      ['--decision', 'd9'],
    ]) {
      const { exitCode } = await documentOf('proposals-show', root, 'proposals', 'accept', id, ...options);
      expect([options, exitCode]).toEqual([options, 2]);
    }
    const { document } = await documentOf('proposals-show', root, 'proposals', 'show', id);
    expect(document.hunks.map(({ state }: State) => state)).toEqual(['open', 'open']);
  });
});

describe('apply and undo', () => {
  it('write the accepted hunks into the files and take them back', async () => {
    const { root, id } = await imported();
    await documentOf('proposals-show', root, 'proposals', 'accept', id, '--hunks', '2');
    const applied = await documentOf('proposals-apply', root, 'proposals', 'apply', id, '--to', 'workingTree');
    expect(applied.document).toMatchObject({ branch: null, files: ['prompt.md'], hunks: [2], left: [] });
    expect(promptOf(root)).toBe(before.replace('eleven', 'ELEVEN'));
    const undone = await documentOf('proposals-undo', root, 'proposals', 'undo', id);
    expect(undone.document.files).toEqual(['prompt.md']);
    expect(promptOf(root)).toBe(before);
  });

  it('leave the files alone on a branch, and undo removes the branch', async () => {
    const { root, id } = await imported();
    await documentOf('proposals-show', root, 'proposals', 'accept', id);
    const { text, exitCode } = await textOf(root, 'proposals', 'apply', id);
    expect(exitCode).toBe(0);
    expect(text).toBe(`Wrote 2 hunks in 1 file to branch harnessmith/${id}.\n`);
    expect(promptOf(root)).toBe(before);
    expect(`${runGit(root, 'show', `harnessmith/${id}:prompt.md`)}\n`).toBe(after);
    expect((await textOf(root, 'proposals', 'undo', id)).text).toBe('The branch was removed.\n');
    expect(runGit(root, 'branch', '--list', 'harnessmith/*')).toBe('');
  });

  it('do not overwrite what a person changed since', async () => {
    const { root, id } = await imported();
    await documentOf('proposals-show', root, 'proposals', 'accept', id);
    const mine = before.replace('two', 'my own line');
    writeFileSync(join(root, 'prompt.md'), mine);
    const { exitCode } = await documentOf('proposals-apply', root, 'proposals', 'apply', id, '--to', 'workingTree');
    expect(exitCode).not.toBe(0);
    expect(promptOf(root)).toContain('my own line');
  });

  it('refuse an unknown target and an undo of nothing', async () => {
    const { root, id } = await imported();
    const wrong = await documentOf('proposals-apply', root, 'proposals', 'apply', id, '--to', 'production');
    expect([wrong.exitCode, wrong.document.error.code]).toEqual([2, 'usage']);
    expect((await documentOf('proposals-undo', root, 'proposals', 'undo', id)).exitCode).not.toBe(0);
  });
});

it('lists a damaged proposal beside the others', async () => {
  const { root, id } = await imported();
  writeFiles(root, { '.harnessmith/proposals/p-00000bad/proposal.json': '{"schemaVersion": 1' });
  const { document, exitCode } = await documentOf('proposals', root, 'proposals', 'list');
  expect(exitCode).toBe(0);
  expect(document.proposals.map((one: { id: string }) => one.id)).toEqual([id]);
  expect(document.damaged).toEqual([{ id: 'p-00000bad', message: expect.stringMatching(/\w/) }]);
  expect((await textOf(root, 'proposals', 'list')).text).toContain('p-00000bad  damaged: ');
});

it.each([
  ['review.json', '{'],
  ['base/prompt.md', 'another text\n'],
])('lists a proposal whose %s is damaged beside the others', async (part, text) => {
  const { root, id } = await imported();
  const other = (
    await documentOf('proposals-show', root, 'proposals', 'import', join(root, '.harnessmith/change.diff'))
  ).document.proposal.id;
  writeFiles(root, { [`.harnessmith/proposals/${id}/${part}`]: text });
  expect((await documentOf('proposals', root, 'proposals', 'list')).exitCode).toBe(0);
  const listed = await textOf(root, 'proposals', 'list');
  expect(listed.text).toContain(`${id}  damaged: `);
  expect(listed.text).toMatch(new RegExp(`^${other} .*0 of 2 hunks accepted$`, 'm'));
});
