import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { api, eventually, showView } from '../support/extension';

describe('in a window with two harness folders', () => {
  const roots = () => (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri.fsPath);

  it('is open on two folders', () => {
    assert.equal(roots().length, 2);
  });

  it('asks which folder is meant instead of guessing', async () => {
    const { services } = await api();
    await showView('handbook');
    await eventually('the search ended', () => services.harness.get().status !== 'idle');
    assert.deepEqual(services.harness.get(), { status: 'none', reason: 'ambiguous' });
  });

  it('shows the folder that was chosen, and the other one after a second choice', async () => {
    const { services } = await api();
    for (const root of roots()) {
      await services.harness.choose(root);
      const state = services.harness.get();
      assert.equal(state.status, 'ready', JSON.stringify(state).slice(0, 300));
      assert.equal(services.harness.root, root);
      assert.ok((services.harness.map?.loops.length ?? 0) > 0, 'the agent loop was found');
    }
  });
});
