import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { api, openFolder } from '../support/extension';

describe('in a folder that is not trusted', () => {
  it('is not trusted', () => {
    assert.equal(vscode.workspace.isTrusted, false);
  });

  it('reads: the handbook and the traces are there', async () => {
    const { services } = await api();
    await services.traces.ensure();
    assert.equal(services.harness.get().status, 'ready');
    assert.ok((services.traces.catalog?.runs.length ?? 0) > 0);
  });

  it('runs nothing: validation leaves no run behind', async () => {
    const { services } = await api();
    await services.harness.ensure();
    // Not awaited: where there are proposals, the command asks which one.
    void vscode.commands.executeCommand('harnessmith.validateProposal');
    await new Promise((resolve) => setTimeout(resolve, 1500));
    assert.equal(existsSync(join(openFolder(), '.harnessmith', 'runs')), false);
  });
});
