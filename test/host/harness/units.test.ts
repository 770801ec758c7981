import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { BehaviourMap, Unit } from '../../../src/core/handbook';
import { placeOf } from '../../../src/host/handbook/unitWords';
import { api, eventually, openFolder, showView } from '../support/extension';

const uriOf = (file: string) => vscode.Uri.file(join(openFolder(), file));

async function show(file: string): Promise<vscode.TextEditor> {
  return vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uriOf(file)), { preview: false });
}

async function lensesOf(file: string): Promise<vscode.CodeLens[]> {
  await vscode.workspace.openTextDocument(uriOf(file));
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    uriOf(file),
    200,
  );
  return found.filter((lens) => lens.command?.command.startsWith('harnessmith.'));
}

async function hoverAt(file: string, line: number, character: number): Promise<vscode.MarkdownString[]> {
  const position = new vscode.Position(line - 1, character);
  const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
    'vscode.executeHoverProvider',
    uriOf(file),
    position,
  );
  return hovers.flatMap((hover) => hover.contents.filter((part) => part instanceof vscode.MarkdownString));
}

describe('units where people look for code', () => {
  let map: BehaviourMap;
  let parser: Unit;

  before(async () => {
    const { services } = await api();
    await showView('handbook');
    await services.traces.ensure();
    map = services.harness.map!;
    parser = map.units.find((unit) => unit.sites[0]!.file === 'src/parser.ts' && unit.kind !== 'other')!;
    assert.ok(parser, 'a unit is anchored in the parser');
  });

  it('have a hover on their symbol, with links that only our commands can be', async () => {
    const { file, start, symbol } = parser.sites[0]!;
    const editor = await show(file);
    const line = Array.from({ length: 12 }, (_, at) => start + at).find((one) =>
      editor.document.lineAt(one - 1).text.includes(symbol.split('.').pop()!),
    )!;
    const character = editor.document.lineAt(line - 1).text.indexOf(symbol.split('.').pop()!);
    const texts = await hoverAt(file, line, character + 1);
    const ours = texts.find((text) => text.value.includes('command:harnessmith.openUnitPage'));
    assert.ok(ours, `one of ${texts.length} hovers is ours`);
    const commands = [...ours.value.matchAll(/command:([\w.]+)/g)].map((match) => match[1]!);
    assert.ok(commands.every((command) => command.startsWith('harnessmith.')));
  });

  it('have no hover away from their symbols', async () => {
    const texts = await hoverAt('src/parser.ts', 1, 0);
    assert.ok(!texts.some((text) => text.value.includes('command:harnessmith')));
  });

  it('have one lens at their first line, which says their name and can be switched off', async () => {
    const { file, start } = parser.sites[0]!;
    const lenses = await eventually('lenses of the parser', async () => {
      const found = await lensesOf(file);
      return found.length > 0 ? found : undefined;
    });
    const lines = lenses.map((lens) => lens.range.start.line + 1);
    assert.equal(new Set(lines).size, lines.length, 'one lens a line');
    const lens = lenses.find((one) => one.range.start.line === start - 1);
    assert.ok(lens?.command?.title.includes(parser.title), `${lens?.command?.title} names ${parser.title}`);
    const settings = vscode.workspace.getConfiguration('harnessmith');
    await settings.update('codeLens.enabled', false, vscode.ConfigurationTarget.Workspace);
    try {
      assert.deepEqual(await lensesOf(file), []);
    } finally {
      await settings.update('codeLens.enabled', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('say at their anchor how many failing steps lead there, and a click lists them', async () => {
    const { services } = await api();
    const { touches } = services.traces.diagnosis;
    const touched = touches.find((one) => one.steps.some((step) => step.failing) && /^src\/.*\.ts$/.test(one.file));
    assert.ok(touched, 'failing steps lead to code of the example');
    const lenses = await lensesOf(touched.file);
    const counting = lenses.filter((lens) => / failing steps? in \d+ tasks?/.test(lens.command?.title ?? ''));
    assert.ok(counting.length > 0, lenses.map((lens) => lens.command?.title).join(', '));
    assert.ok(counting.every((lens) => /showSteps|showUnitSteps/.test(lens.command!.command)));
  });

  it('are among the symbols of the workspace', async () => {
    const found = await vscode.commands.executeCommand<vscode.SymbolInformation[]>(
      'vscode.executeWorkspaceSymbolProvider',
      parser.title,
    );
    const ours = found.filter((symbol) => symbol.containerName.startsWith('Handbook: '));
    const symbol = ours.find((one) => one.name === parser.title);
    assert.ok(symbol, `${parser.title} is one of ${ours.map((one) => one.name).join(', ')}`);
    assert.equal(symbol.location.uri.fsPath, uriOf(parser.sites[0]!.file).fsPath);
    assert.equal(symbol.location.range.start.line, parser.sites[0]!.start - 1);
  });

  it('are revealed in the tree from the cursor', async () => {
    const { file, start } = parser.sites[0]!;
    const editor = await show(file);
    editor.selection = new vscode.Selection(start - 1, 0, start - 1, 0);
    assert.equal(await vscode.commands.executeCommand('harnessmith.revealInHandbook'), parser.id);
    await show('README.md');
    assert.equal(await vscode.commands.executeCommand('harnessmith.revealInHandbook'), undefined);
  });

  it('have pages that are documents without a file, with links into the source', async () => {
    const { services } = await api();
    const root = openFolder();
    const path = await services.work.call('handbookPage', { root, unit: parser.id });
    const uri = vscode.Uri.from({ scheme: 'harnessmith-handbook', path: `/tinker/${path}` });
    const document = await vscode.workspace.openTextDocument(uri);
    assert.equal(document.languageId, 'markdown');
    const { file, start } = parser.sites[0]!;
    assert.ok(document.getText().includes(`](/${file}#L${start}`), document.getText().slice(0, 600));
    assert.ok(!existsSync(join(root, '.harnessmith', 'cache', 'handbook')), 'nothing is written for a page');
    await vscode.commands.executeCommand('harnessmith.openUnitPage', parser.id);
    await eventually('a preview', () =>
      vscode.window.tabGroups.all.some((group) =>
        group.tabs.some((tab) => tab.input instanceof vscode.TabInputWebview && /markdown/.test(tab.input.viewType)),
      ),
    );
  });

  it('are found by words while a pick is open, and Enter opens the code', async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const closed = vscode.commands.executeCommand('harnessmith.locate', 'where is the output of a tool truncated');
    const editor = await eventually('the code of the best match', async () => {
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return vscode.window.activeTextEditor;
    });
    await closed;
    const file = vscode.workspace.asRelativePath(editor.document.uri);
    assert.match(file, /truncat|agent|prompts/, `${file}:${editor.selection.active.line + 1}`);
  });

  it('are drawn on the map, which is one page a window', async () => {
    const mapTabs = () =>
      vscode.window.tabGroups.all
        .flatMap((group) => group.tabs)
        .filter((tab) => tab.input instanceof vscode.TabInputWebview && tab.input.viewType.endsWith('harnessmith.map'));
    await vscode.commands.executeCommand('harnessmith.openMap');
    await eventually('the map', () => mapTabs().length === 1);
    await vscode.commands.executeCommand('harnessmith.openMap', parser.id);
    assert.equal(mapTabs().length, 1);
  });
});

describe('edits of the handbook', () => {
  async function titles(): Promise<string[]> {
    const { services } = await api();
    return services.harness.map!.units.map((unit) => unit.title);
  }

  it('are kept in handbook.json, shown at once, and taken back', async () => {
    const { services } = await api();
    const root = openFolder();
    const unit = services.harness.map!.units.find((one) => one.kind !== 'main_loop')!;
    await services.work.call('editHandbook', { root, edit: { kind: 'rename', unit: unit.id, title: 'Our own word' } });
    await vscode.commands.executeCommand('harnessmith.refreshHandbook');
    assert.ok((await titles()).includes('Our own word'));
    assert.match(readFileSync(join(root, '.harnessmith', 'handbook.json'), 'utf8'), /Our own word/);
    await vscode.commands.executeCommand('harnessmith.pinUnit', unit.id);
    const stage = services.harness.map!.stages.find((one) => one.units.includes(unit.id))!;
    assert.equal(stage.units[0], unit.id, 'a pinned unit is the first of its stage');
    await vscode.commands.executeCommand('harnessmith.undoHandbookEdit');
    await vscode.commands.executeCommand('harnessmith.undoHandbookEdit');
    assert.ok((await titles()).includes(unit.title));
    assert.ok(!(await titles()).includes('Our own word'));
  });
});

describe('changes of the source', () => {
  it('make sites old until the handbook is refreshed, and a save refreshes it', async () => {
    const { services } = await api();
    const file = join(openFolder(), 'src', 'parser.ts');
    const before = readFileSync(file, 'utf8');
    const unit = services.harness.map!.units.find((one) => one.sites[0]!.file === 'src/parser.ts')!;
    const old = placeOf(unit.sites[0]!);
    writeFileSync(file, `// one line more\n${before}`);
    try {
      await eventually('a site that moved', () => services.sites.states.get(old) === 'moved');
      const editor = await show('src/parser.ts');
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// and another\n'));
      await editor.document.save();
      await eventually('the map of the saved text', () => {
        const now = services.harness.map!.units.find((one) => one.id === unit.id);
        return now && now.sites[0]!.start === unit.sites[0]!.start + 2 && services.sites.states.size === 0;
      });
    } finally {
      writeFileSync(file, before);
    }
    await vscode.commands.executeCommand('harnessmith.refreshHandbook');
    assert.equal(placeOf(services.harness.map!.units.find((one) => one.id === unit.id)!.sites[0]!), old);
  });
});
