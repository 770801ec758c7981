import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { TraceRun } from '../../../src/core/traces';
import { api, eventually, openFolder } from '../support/extension';

describe('ways into and out of the trace page', () => {
  let failed: TraceRun;

  before(async () => {
    const { services } = await api();
    await services.traces.ensure();
    failed = services.traces.catalog!.runs.find((run) => run.outcome.verdict === 'fail')!;
  });

  const activeTrace = () => {
    const { activeTab } = vscode.window.tabGroups.activeTabGroup;
    return activeTab?.input instanceof vscode.TabInputCustom ? activeTab.input : undefined;
  };

  it('goes through a trace with the debugger, on and back, and leaves nothing behind', async () => {
    const started = await vscode.commands.executeCommand('harnessmith.debugTrace', { run: failed.id, step: 3 });
    assert.equal(started, true);
    const session = await eventually('a session', () => vscode.debug.activeDebugSession);
    assert.equal(session.type, 'harnessmith-trace');
    const top = async () => (await session.customRequest('stackTrace', { threadId: 1 })).stackFrames[0];
    await eventually('the first stop', async () => /^3 /.test((await top()).name));
    const frame = await top();
    // The editor makes addresses of paths on the way.
    assert.ok(decodeURIComponent(frame.source.path).includes(openFolder()), `${frame.source.path} is harness code`);
    await session.customRequest('stepBack', { threadId: 1 });
    assert.match((await top()).name, /^2 /);
    const { scopes } = await session.customRequest('scopes', { frameId: 1 });
    assert.equal(scopes[0].name, 'Message');
    const { variables } = await session.customRequest('variables', {
      variablesReference: scopes[0].variablesReference,
    });
    assert.ok(variables[0].value.length > 10);
    await vscode.debug.stopDebugging(session);
    await eventually('no session', () => vscode.debug.activeDebugSession === undefined);
  });

  it('moves the page of the run that is stepped through', async () => {
    await vscode.commands.executeCommand('harnessmith.openTrace', { run: failed.id });
    await eventually('a trace page', activeTrace);
    const { services } = await api();
    services.traces.stopAt({ run: failed.id, step: 2 });
    assert.equal(activeTrace()?.uri.fsPath, failed.file);
  });

  it('brings the steps behind the cursor', async () => {
    const { services } = await api();
    const touch = services.traces.diagnosis.touches.find((one) => one.steps.some((step) => step.failing));
    assert.ok(touch);
    const uri = vscode.Uri.joinPath(vscode.Uri.file(openFolder()), ...touch.file.split('/'));
    const editor = await vscode.window.showTextDocument(uri);
    editor.selection = new vscode.Selection(touch.start, 0, touch.start, 0);
    const picking = vscode.commands.executeCommand('harnessmith.showStepsHere');
    await new Promise((resolve) => setTimeout(resolve, 500));
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    await picking;
    const opened = await eventually('the trace of the first step', activeTrace);
    assert.ok(services.traces.catalog!.runs.some((run) => run.file === opened.uri.fsPath));
  });

  it('compares with a run of the same task that ended otherwise', async () => {
    const { services } = await api();
    const { runs } = services.traces.catalog!;
    const flips = runs.find(
      (run) =>
        run.outcome.verdict === 'fail' && runs.some((one) => one.task === run.task && one.outcome.verdict === 'pass'),
    );
    assert.ok(flips, 'a task of the example flips');
    const other = runs.find((one) => one.task === flips.task && one.outcome.verdict === 'pass')!;
    await services.work.call('openRun', { run: flips });
    await services.work.call('openRun', { run: other });
    const { pairs, sentence } = await services.work.call('alignRuns', { left: flips.id, right: other.id });
    assert.ok(pairs.length >= Math.max(flips.counts.steps, other.counts.steps));
    assert.match(sentence, /rows are the same/);
  });
});
