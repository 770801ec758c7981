import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { TraceRun } from '../../../src/core/traces';
import { api, eventually, openFolder, showView } from '../support/extension';

describe('the traces of the example', () => {
  let runs: readonly TraceRun[];

  before(async () => {
    const { services } = await api();
    await showView('traces');
    await services.traces.ensure();
    runs = services.traces.catalog?.runs ?? [];
  });

  it('are listed with the outcome that lies beside them', () => {
    assert.ok(runs.length >= 8, `${runs.length} runs`);
    const verdicts = new Set(runs.map((run) => run.outcome.verdict));
    assert.deepEqual([...verdicts].sort(), ['fail', 'pass']);
  });

  it('open in the trace page from the tree', async () => {
    const run = runs[0]!;
    await vscode.commands.executeCommand('harnessmith.openTrace', { run: run.id });
    const tab = await eventually('a trace page', () => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.input instanceof vscode.TabInputCustom ? activeTab : undefined;
    });
    const input = tab.input as vscode.TabInputCustom;
    assert.equal(input.viewType, 'harnessmith.trace');
    assert.equal(input.uri.fsPath, run.file);
  });

  it('open in the trace page from the file', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.commands.executeCommand('vscode.openWith', vscode.Uri.file(runs[1]!.file), 'harnessmith.trace');
    await eventually('a trace page', () => {
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      return activeTab?.input instanceof vscode.TabInputCustom;
    });
  });

  it('lead from a step to the function that made it', async () => {
    const { services } = await api();
    const finding = services.traces.diagnosis.findings.find((one) => one.site && one.steps.length > 0);
    assert.ok(finding, 'a finding names a step and a place');
    const run = services.traces.run(finding.run)!;
    const { stepCount } = await services.work.call('openRun', { run });
    assert.ok(stepCount > finding.steps[0]!);
    let links: { file: string; start: number; end: number; symbol: string }[] = [];
    for (const step of finding.steps) {
      links = await services.work.call('stepLinks', { root: openFolder(), run: run.id, step });
      if (links.length > 0) break;
    }
    const [place] = links;
    assert.ok(place, 'one of the steps leads to code');
    await vscode.commands.executeCommand('harnessmith.openSite', place, { focus: true });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor, 'an editor is open');
    assert.equal(editor.document.uri.fsPath, join(openFolder(), ...place.file.split('/')));
    assert.equal(editor.selection.active.line, place.start - 1);
    const text = readFileSync(join(openFolder(), place.file), 'utf8').split('\n');
    const name = place.symbol.split('.').at(-1) ?? '';
    assert.ok(
      text
        .slice(place.start - 1, place.end)
        .join('\n')
        .includes(name),
      `${name} is in the lines of the place`,
    );
  });

  it('show at the code how many steps touch it, and lead back', async () => {
    const { services } = await api();
    const touch = services.traces.diagnosis.touches.find((one) => one.steps.some((step) => step.failing));
    assert.ok(touch, 'a place is touched by a failing step');
    const uri = vscode.Uri.file(join(openFolder(), touch.file));
    await vscode.workspace.openTextDocument(uri);
    const lenses = await eventually('a lens at the place', async () => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', uri, 100);
      return found?.find((lens) => /^harnessmith\.show(Unit)?Steps$/.test(lens.command?.command ?? ''));
    });
    assert.match(lenses.command!.title, /\d+ failing step/);
  });
});
