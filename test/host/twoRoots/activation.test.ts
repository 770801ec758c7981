import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import * as vscode from 'vscode';
import { contributed, extensionUnderTest } from '../support/extension';

interface ContributedCommand {
  readonly command: string;
  readonly title: string;
  readonly category?: string;
}

describe('activation in twoRoots', () => {
  it('registers every contributed command and titles it', async () => {
    await extensionUnderTest().activate();
    const known = new Set(await vscode.commands.getCommands(true));
    const commands = contributed<ContributedCommand>('commands');
    for (const { command, title } of commands) {
      assert.ok(known.has(command), `${command} is registered`);
      assert.ok(title.trim().length > 0, `${command} has a title`);
    }
  });
});
