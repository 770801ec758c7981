import { describe, expect, it } from 'vitest';
import { git } from '../../../src/core/harness';
import {
  composeFile,
  exportRepairPlan,
  importBranch,
  importDiff,
  openProposal,
  RepairPlan,
} from '../../../src/core/proposals';
import { commitAll, temporaryRepository, writeFiles } from './temporaryHarness';

const base = { 'src/a.py': 'one\ntwo\nthree\n', 'old.md': 'keep\nchange\n', 'bin/run': '#!/bin/sh\n' };

async function withBranch() {
  const root = await temporaryRepository(base);
  await git(root, ['checkout', '-q', '-b', 'agent/work']);
  await writeFiles(root, { 'src/a.py': 'one\nTWO\nthree\n', 'src/new.py': 'new\n' });
  await commitAll(root, 'Shout louder');
  await git(root, ['mv', 'old.md', 'renamed.md']);
  await commitAll(root, 'Rename');
  await git(root, ['checkout', '-q', 'main']);
  return { root, harness: { root, config: { protected: [] } } };
}

describe('importBranch', () => {
  it('makes one proposal of all commits, without a checkout', async () => {
    const { root, harness } = await withBranch();
    const proposal = await importBranch(harness, 'agent/work', {});
    expect(proposal).toMatchObject({ title: 'Rename', request: 'Imported from agent/work.', refused: [] });
    const { hunks, baseTexts } = await openProposal(root, proposal.id);
    const after = (file: string) => {
      const own = hunks.filter((hunk) => hunk.file === file);
      return composeFile(
        baseTexts.get(file) ?? null,
        own,
        own.map((hunk) => hunk.number),
      );
    };
    expect(Object.fromEntries([...baseTexts.keys()].map((file) => [file, after(file)]))).toEqual({
      'src/a.py': 'one\nTWO\nthree\n',
      'src/new.py': 'new\n',
      'old.md': null,
      'renamed.md': 'keep\nchange\n',
    });
    expect((await git(root, ['status', '--porcelain', '--', ':!.harnessmith'])).stdout).toBe('');
    expect((await git(root, ['rev-parse', '--abbrev-ref', 'HEAD'])).stdout.trim()).toBe('main');
  });

  it.each(['nothing/here', '--upload-pack=x', ''])('refuses %j', async (branch) => {
    const { harness } = await withBranch();
    await expect(importBranch(harness, branch, {})).rejects.toMatchObject({ code: 'branch-unusable' });
  });

  it('refuses a branch that has nothing new', async () => {
    const { harness } = await withBranch();
    await expect(importBranch(harness, 'main', {})).rejects.toThrow(/changes nothing here/);
  });
});

describe('a rename in a diff', () => {
  it('becomes a deleted and a made file', async () => {
    const { root, harness } = await withBranch();
    const diff = (await git(root, ['diff', '-M', 'main', 'agent/work', '--', 'old.md', 'renamed.md'])).stdout;
    expect(diff).toContain('rename from old.md');
    const proposal = await importDiff(harness, diff, { title: 'Rename' });
    expect(proposal.decisions[0]!.edits).toEqual([
      { file: 'old.md', action: 'delete', oldText: 'keep\nchange\n', newText: '' },
      { file: 'renamed.md', action: 'create', oldText: '', newText: 'keep\nchange\n' },
    ]);
  });

  it('does not write over a file that is there', async () => {
    const { root, harness } = await withBranch();
    const diff = (await git(root, ['diff', '-M', 'main', 'agent/work', '--', 'old.md', 'renamed.md'])).stdout;
    await writeFiles(root, { 'renamed.md': 'mine\n' });
    await expect(importDiff(harness, diff, { title: 'Rename' })).rejects.toThrow(/renamed\.md exists already/);
  });
});

describe('exportRepairPlan', () => {
  it('has the keys of the plan, the files as the budget, and one fix a decision', async () => {
    const { root, harness } = await withBranch();
    const { id } = await importBranch(harness, 'agent/work', {});
    const stored = await openProposal(root, id);
    stored.proposal.declares.modify.push('src/a.py#speak');
    const plan = RepairPlan.parse(exportRepairPlan(stored, ['tests/**']));
    expect(plan.edit_budget).toMatchObject({
      max_files_to_modify: 4,
      forbidden_paths: ['tests/**'],
      must_inspect_files: ['src/a.py', 'old.md'].sort(
        (a, b) => plan.edit_budget.active_files.indexOf(a) - plan.edit_budget.active_files.indexOf(b),
      ),
    });
    expect(plan.fixes).toHaveLength(1);
    expect(plan.fixes[0]).toMatchObject({ id: `${id}-d1`, target_symbols: ['speak'], risk_level: expect.any(String) });
  });
});
