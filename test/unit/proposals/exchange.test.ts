import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { git } from '../../../src/core/harness';
import {
  composeText,
  exportChangeManifest,
  exportUnifiedDiff,
  hunksOf,
  importDiff,
  openProposal,
} from '../../../src/core/proposals';
import { anchoredEdits } from '../../../src/core/proposals/anchoredEdits';
import { decision, replace, sampleProposal } from './sampleProposal';
import { storeProposal, temporaryFolder, temporaryRepository, writeFiles } from './temporaryHarness';

const files = {
  'a.txt': 'one\r\ntwo\r\nthree\r\nfour\r\nfive\r\nsix\r\nseven\r\neight\r\nnine',
  'b b.txt': 'x\ny\n',
  'gone.txt': 'gone\n',
};
const harness = (root: string) => ({ root, config: { protected: ['secret/**'] } });

describe('exportUnifiedDiff', () => {
  it('gives what git apply turns into the proposed files', async () => {
    const root = await temporaryRepository(files);
    await git(root, ['config', 'core.autocrlf', 'false']);
    const stored = await storeProposal(root, [
      decision('d1', replace('a.txt', 'two', '2'), replace('a.txt', 'nine', 'nine\r\nten')),
      decision('d2', replace('b b.txt', 'y\n', '')),
      decision('d3', { file: 'new/c.txt', action: 'create', oldText: '', newText: 'c\n' }),
      decision('d4', { file: 'gone.txt', action: 'delete', oldText: 'gone\n', newText: '' }),
      decision('d5', { file: 'empty.txt', action: 'create', oldText: '', newText: '' }),
    ]);
    await git(root, ['apply', '--whitespace=nowarn', '-'], { input: exportUnifiedDiff(stored) });
    expect(await readFile(join(root, 'a.txt'), 'utf8')).toBe(
      files['a.txt'].replace('two', '2').replace('nine', 'nine\r\nten'),
    );
    expect(await readFile(join(root, 'b b.txt'), 'utf8')).toBe('x\n');
    expect(await readFile(join(root, 'new/c.txt'), 'utf8')).toBe('c\n');
    expect(await readFile(join(root, 'empty.txt'), 'utf8')).toBe('');
    await expect(readFile(join(root, 'gone.txt'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('takes the hunks asked for', async () => {
    const root = await temporaryFolder(files);
    const stored = await storeProposal(root, [
      decision('d1', replace('a.txt', 'two', '2'), replace('a.txt', 'eight', '8')),
    ]);
    const diff = exportUnifiedDiff(stored, [2]);
    expect(diff).toContain('-eight');
    expect(diff).not.toContain('-two');
    expect(exportUnifiedDiff(stored, [])).toBe('');
  });
});

describe('importDiff', () => {
  it('makes a proposal of what git diff prints', async () => {
    const root = await temporaryRepository(files);
    const target = { 'a.txt': files['a.txt'].replace('two\r\n', '').replace('eight', '8'), 'new.txt': 'n\n' };
    await writeFiles(root, target);
    await git(root, ['rm', '-q', 'gone.txt']);
    await git(root, ['add', '-N', 'new.txt']);
    const diff = (await git(root, ['diff', 'HEAD'])).stdout;
    await git(root, ['reset', '-q', '--hard']);
    const proposal = await importDiff(harness(root), diff, { title: 'From a colleague' });
    expect(proposal.refused).toEqual([]);
    expect(proposal.declares).toEqual({ modify: ['a.txt'], add: ['new.txt'], remove: ['gone.txt'] });
    const { hunks, baseTexts } = await openProposal(root, proposal.id);
    expect(hunks.map((hunk) => [hunk.file, hunk.action])).toEqual([
      ['a.txt', 'replace'],
      ['a.txt', 'replace'],
      ['gone.txt', 'delete'],
      ['new.txt', 'create'],
    ]);
    const own = hunks.filter((hunk) => hunk.file === 'a.txt');
    expect(composeText(baseTexts.get('a.txt')!, own, [1, 2])).toBe(target['a.txt']);
  });

  it('lists what does not fit, and refuses what is no diff', async () => {
    const root = await temporaryFolder(files);
    const diff = [
      '--- a/../x\n+++ b/../x\n@@ -1 +1 @@\n-a\n+b\n',
      '--- a/b b.txt\n+++ b/b b.txt\n@@ -1,2 +1,2 @@\n-q\n+r\n y\n',
      '--- a/none.txt\n+++ b/none.txt\n@@ -1 +1 @@\n-a\n+b\n',
      '--- a/gone.txt\n+++ b/gone.txt\n@@ -1 +1 @@\n-gone\n+here\n',
    ].join('');
    const proposal = await importDiff(harness(root), diff, { title: 'Mixed' });
    expect(proposal.refused).toEqual([
      { file: '../x', reason: expect.stringMatching(/outside/) },
      { file: 'b b.txt', reason: expect.stringMatching(/does not fit/) },
      { file: 'none.txt', reason: expect.stringMatching(/does not exist/) },
    ]);
    for (const text of ['', 'hello', '@@ -1 +1 @@\nbroken']) {
      await expect(importDiff(harness(root), text, { title: 'x' })).rejects.toMatchObject({
        exitCode: expect.any(Number),
      });
    }
    await expect(importDiff(harness(root), 'hello', { title: 'x' })).rejects.toMatchObject({ code: 'diff-unreadable' });
  });

  it('takes in what was exported', async () => {
    const root = await temporaryFolder({ 'run.sh': 'echo 1\n', ...files });
    await chmod(join(root, 'run.sh'), 0o755);
    const stored = await storeProposal(root, [
      decision('d1', replace('a.txt', 'two', '2'), replace('run.sh', '1', '2')),
    ]);
    const proposal = await importDiff(harness(root), exportUnifiedDiff(stored), { title: 'Again' });
    const again = await openProposal(root, proposal.id);
    expect(exportUnifiedDiff(again)).toBe(exportUnifiedDiff(stored));
    await writeFile(join(root, 'a.txt'), 'other');
  });
});

describe('anchoredEdits', () => {
  it('turns any text into any other, with old texts that occur once', () => {
    const lines = fc.array(fc.constantFrom('a', 'b', '', '}'), { minLength: 1, maxLength: 14 });
    fc.assert(
      fc.property(lines, lines, fc.boolean(), (before, after, newline) => {
        const base = `${before.join('\n')}\n`;
        const text = after.join('\n') + (newline ? '\n' : '');
        const edits = anchoredEdits('f', base, text);
        for (const { oldText } of edits) expect(base.indexOf(oldText)).toBe(base.lastIndexOf(oldText));
        const hunks = hunksOf(sampleProposal([decision('d1', ...edits)]), new Map([['f', base]]));
        expect(
          composeText(
            base,
            hunks,
            hunks.map((hunk) => hunk.number),
          ),
        ).toBe(text);
      }),
      { numRuns: 500 },
    );
  });
});

describe('exportChangeManifest', () => {
  it('has the keys and values the AHE loop reads', () => {
    const proposal = sampleProposal(
      [
        decision('d1', replace('prompts/error.md', 'a', 'b')),
        decision('d2', replace('src/loop.py', 'a', 'b'), replace('prompts/x.md', 'a', 'b')),
        decision('d3', { file: 'skills/dates/SKILL.md', action: 'create', oldText: '', newText: 'x' }),
      ],
      { prediction: { fixes: ['t1'], atRisk: ['t2'], note: '' }, flaw: 'f-1' },
    );
    const manifest = exportChangeManifest(proposal, 4);
    expect(manifest.iteration).toBe(4);
    expect(manifest.changes[0]).toEqual({
      id: 'p-00c0ffee-d1',
      type: 'improvement',
      description: 'Decision d1',
      files: ['prompts/error.md'],
      failure_pattern: 'f-1',
      predicted_fixes: ['t1'],
      risk_tasks: ['t2'],
      constraint_level: 'prompt',
      why_this_component: 'because',
    });
    expect(manifest.changes.map((change) => [change.type, change.constraint_level])).toEqual([
      ['improvement', 'prompt'],
      ['improvement', 'middleware'],
      ['new', 'skill'],
    ]);
  });
});
