import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { handbookTree } from '../../../src/host/handbook/handbookTree';
import { api, eventually, openFolder, showView } from '../support/extension';

describe('the handbook of the example', () => {
  it('is built when its view is shown', async () => {
    const { services } = await api();
    await showView('handbook');
    await eventually('the map is there', () => services.harness.get().status === 'ready', 60_000);
    assert.equal(services.harness.root, openFolder());
  });

  it('holds the agent loop, and its place really is the loop', async () => {
    const { services } = await api();
    await services.harness.ensure();
    const map = services.harness.map!;
    const loop = map.units.find((unit) => unit.id === map.loops[0]);
    assert.ok(loop, 'an agent loop was found');
    const site = loop.sites[0]!;
    assert.equal(site.file, 'src/agent.ts');
    const lines = readFileSync(join(openFolder(), site.file), 'utf8').split('\n');
    const text = lines.slice(site.start - 1, site.end).join('\n');
    assert.match(text, /\b(while|for)\b/, 'the lines of the site hold a loop');
  });

  it('shows the loop as a stage with its units in run order', async () => {
    const { services } = await api();
    await services.harness.ensure();
    const map = services.harness.map!;
    const nodes = handbookTree({ map, touches: [], states: new Map(), refreshed: 'just now' });
    const stage = nodes.find((node) => node.icon?.name === 'sync');
    assert.ok(stage, `one of ${nodes.map((node) => node.label).join(', ')} is the loop`);
    const labels = stage.children?.().map((node) => node.label) ?? [];
    assert.ok(labels.length >= 4, `the loop has parts: ${labels.join(', ')}`);
  });

  it('opens the code of a unit at its first line', async () => {
    const { services } = await api();
    await services.harness.ensure();
    const unit = services.harness.map!.units.find((one) => one.sites[0]?.file === 'src/parser.ts');
    assert.ok(unit, 'the parser has a unit');
    const site = unit.sites[0]!;
    await vscode.commands.executeCommand('harnessmith.openSite', { ...site }, { focus: true });
    const editor = vscode.window.activeTextEditor;
    assert.ok(editor, 'an editor is open');
    assert.match(editor.document.uri.path, /\/src\/parser\.ts$/);
    assert.equal(editor.selection.active.line, site.start - 1);
  });

  it('finds a behaviour from words', async () => {
    const { services } = await api();
    const root = openFolder();
    const answer = await services.work.call('locate', { root, request: 'where is the output truncated', limit: 5 });
    const files = answer.sites.map((site) => site.file);
    assert.ok(files.includes('src/truncation.ts'), `found ${files.join(', ')}`);
  });
});
