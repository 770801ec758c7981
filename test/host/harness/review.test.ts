import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Proposal } from '../../../src/core/proposals';
import { storeExampleProposal } from '../../support/exampleProposal';
import { api, openFolder } from '../support/extension';

const git = (...args: string[]) => execFileSync('git', args, { cwd: openFolder(), encoding: 'utf8' });

/** What differs from the last commit in the person's own files. */
const changedFiles = () => git('status', '--porcelain', '--', '.', ':!.harnessmith').trim();

describe('the review of a proposal', () => {
  let proposal: Proposal;
  const hunk = (number: number) => {
    const decision = number === 1 ? 'd1' : 'd2';
    return { target: { kind: 'hunk', proposal: proposal.id, decision, file: '', hunk: number } };
  };
  const states = async () => {
    const { services } = await api();
    return services.proposals.proposal(proposal.id)?.hunks.map((one) => one.state);
  };

  before(async () => {
    proposal = await storeExampleProposal(openFolder());
    await vscode.commands.executeCommand('harnessmith.refreshProposals');
  });

  after(async () => {
    git('checkout', '--quiet', '--', '.');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('lists its hunks as undecided', async () => {
    assert.deepEqual(await states(), ['open', 'open', 'open']);
  });

  it('opens in a diff whose left side is the base and whose right side can be edited', async () => {
    await vscode.commands.executeCommand('harnessmith.openHunk', hunk(3));
    const tab = vscode.window.tabGroups.activeTabGroup.activeTab;
    assert.ok(tab?.input instanceof vscode.TabInputTextDiff, 'the active tab is a diff');
    const { original, modified } = tab.input;
    assert.equal(original.scheme, 'harnessmith-base');
    assert.equal(modified.scheme, 'harnessmith-proposed');
    const base = await vscode.workspace.openTextDocument(original);
    assert.equal(base.getText(), await readFile(join(openFolder(), 'src/truncation.ts'), 'utf8'));
    assert.equal(vscode.workspace.fs.isWritableFileSystem(modified.scheme), true);
    assert.equal(vscode.workspace.fs.isWritableFileSystem(original.scheme), false);
    const right = await vscode.workspace.openTextDocument(modified);
    assert.match(right.getText(), /more characters\]/);
  });

  it('accepts and rejects by command, and writes no file of the person', async () => {
    await vscode.commands.executeCommand('harnessmith.acceptHunk', hunk(1));
    await vscode.commands.executeCommand('harnessmith.rejectHunk', hunk(2));
    await vscode.commands.executeCommand('harnessmith.acceptHunk', hunk(3));
    assert.deepEqual(await states(), ['accepted', 'rejected', 'accepted']);
    assert.equal(changedFiles(), '');
  });

  it('takes a decision back', async () => {
    await vscode.commands.executeCommand('harnessmith.reopenHunk', hunk(2));
    assert.deepEqual(await states(), ['accepted', 'open', 'accepted']);
    await vscode.commands.executeCommand('harnessmith.rejectHunk', hunk(2));
  });

  it('keeps its decisions when the proposals are read again', async () => {
    await vscode.commands.executeCommand('harnessmith.refreshProposals');
    assert.deepEqual(await states(), ['accepted', 'rejected', 'accepted']);
  });

  it('calls a hunk conflicting when its text changed meanwhile, and does not overwrite it', async () => {
    const file = join(openFolder(), 'prompts/format_error.md');
    const before = await readFile(file, 'utf8');
    await writeFile(file, 'Somebody else wrote this.\n');
    try {
      await vscode.commands.executeCommand('harnessmith.refreshProposals');
      assert.equal((await states())?.[0], 'conflicting');
      const { services } = await api();
      const applied = await services.proposals.apply(proposal.id, 'workingTree');
      assert.deepEqual(applied.files, ['src/truncation.ts']);
      assert.deepEqual(
        applied.left.map((left) => left.number),
        [1],
      );
      assert.equal(await readFile(file, 'utf8'), 'Somebody else wrote this.\n');
    } finally {
      await writeFile(file, before);
    }
  });

  it('has written the accepted hunk and not the rejected one', async () => {
    const text = await readFile(join(openFolder(), 'src/truncation.ts'), 'utf8');
    assert.match(text, /more characters\]/);
    assert.doesNotMatch(text, /says how much is missing/);
  });

  it('applies to a branch without touching the working tree', async () => {
    git('checkout', '--quiet', '--', '.');
    const second = await storeExampleProposal(openFolder());
    const { services } = await api();
    await services.proposals.refresh();
    await services.proposals.decide(second.id, [1], 'accepted');
    await appendFile(join(openFolder(), 'config.json'), '\n');
    const applied = await services.proposals.apply(second.id, 'branch');
    assert.deepEqual(applied.files, ['prompts/format_error.md']);
    assert.match(git('show', `${applied.target}:prompts/format_error.md`), /Expected: \{\{expected\}\}/);
    assert.equal(changedFiles(), 'M config.json');
    git('checkout', '--quiet', '--', 'config.json');
  });
});
