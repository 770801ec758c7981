import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { api, contributed, eventually, extensionUnderTest, showView } from '../support/extension';

interface ContributedCommand {
  readonly command: string;
  readonly title: string;
}

describe('in an empty window', () => {
  it('does nothing until it is asked', () => {
    assert.equal(extensionUnderTest().isActive, false);
  });

  it('starts every part, waits for nothing and reads nothing', async () => {
    const { started, services } = await api();
    assert.ok(started.length >= 5, `${started.length} parts started`);
    assert.deepEqual(
      started.filter((part) => part.error).map((part) => `${part.name}: ${part.error}`),
      [],
    );
    assert.equal(services.harness.get().status, 'idle');
    assert.equal(services.traces.catalog, null);
  });

  it('registers and titles every command it contributes', async () => {
    await api();
    const known = new Set(await vscode.commands.getCommands(true));
    const commands = contributed<ContributedCommand>('commands');
    assert.ok(commands.length > 0);
    const missing = commands.filter(({ command }) => !known.has(command)).map(({ command }) => command);
    assert.deepEqual(missing, []);
    for (const { command, title } of commands) {
      assert.match(title, /^(?!%).{3,}/, `${command} has a title that was looked up`);
    }
  });

  it('finds no harness, and says so instead of failing', async () => {
    const { services } = await api();
    await showView('handbook');
    await eventually('the search ended', () => services.harness.get().status !== 'idle');
    const state = services.harness.get();
    assert.deepEqual(state, { status: 'none', reason: 'noFolder' });
  });

  it('has a welcome text for each of its views', () => {
    const views = contributed<{ view: string; contents: string; when?: string }>('viewsWelcome');
    for (const view of ['harnessmith.handbook', 'harnessmith.traces', 'harnessmith.proposals']) {
      const texts = views.filter(
        (welcome) => welcome.view === view && welcome.when?.includes('workbenchState == empty'),
      );
      assert.equal(texts.length, 1, `${view} has one text for an empty window`);
      assert.match(texts[0]!.contents, /command:/, `${view} offers something to do`);
    }
  });
});
