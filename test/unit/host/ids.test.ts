import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  commandIds,
  commandsWithoutPalette,
  customEditorId,
  resultsPanelId,
  viewIds,
  walkthroughId,
} from '../../../src/host/ids';

const manifest = JSON.parse(readFileSync('package.json', 'utf8'));
const words: Record<string, string> = JSON.parse(readFileSync('package.nls.json', 'utf8'));
const { contributes } = manifest;
const ids = new Set<string>(commandIds);

type MenuEntry = { command: string; when?: string; group?: string };
const menus = Object.entries(contributes.menus) as [string, MenuEntry[]][];

describe('package.json and ids.ts', () => {
  it('have the same commands', () => {
    expect(contributes.commands.map((command: MenuEntry) => command.command).sort()).toEqual([...commandIds].sort());
  });

  it('give every command a title under the category Harnessmith', () => {
    for (const command of contributes.commands) {
      expect(command.category).toBe('Harnessmith');
      expect(words[command.title.replaceAll('%', '')], command.command).toBeTruthy();
    }
  });

  it('have the same views, editor and walkthrough', () => {
    expect(contributes.views.harnessmith.map((view: { id: string }) => view.id)).toEqual([
      viewIds.handbook,
      viewIds.traces,
      viewIds.proposals,
    ]);
    expect(contributes.viewsContainers.activitybar[0].id).toBe(viewIds.container);
    expect(contributes.customEditors[0]).toMatchObject({ viewType: customEditorId, priority: 'option' });
    expect(contributes.walkthroughs[0].id).toBe(walkthroughId);
    expect(contributes.walkthroughs[0].steps).toHaveLength(5);
    expect(manifest.activationEvents).toContain(`onWebviewPanel:${resultsPanelId}`);
  });

  it('name only known commands in menus, keys and welcome texts', () => {
    for (const [, entries] of menus) for (const entry of entries) expect(ids, entry.command).toContain(entry.command);
    for (const key of contributes.keybindings) expect(ids).toContain(key.command);
    const texts = Object.values(words).join('\n');
    for (const [, id] of texts.matchAll(/command:(harnessmith\.[a-zA-Z.]+)/g)) {
      if (!id!.endsWith('.focus')) expect(ids, id).toContain(id);
    }
  });

  it('keep exactly the commands that need arguments out of the palette', () => {
    const hidden = contributes.menus.commandPalette.filter((entry: MenuEntry) => entry.when === 'false');
    expect(hidden.map((entry: MenuEntry) => entry.command).sort()).toEqual([...commandsWithoutPalette].sort());
  });

  it('use every text and miss none', () => {
    const used = new Set([...JSON.stringify(manifest).matchAll(/%([\w.-]+)%/g)].map((match) => match[1]!));
    expect([...used].sort()).toEqual(Object.keys(words).sort());
  });
});

describe('the manifest', () => {
  it('has few settings, each with a scope and a description', () => {
    const settings = Object.entries(contributes.configuration.properties) as [
      string,
      { scope?: string; description?: string },
    ][];
    expect(settings.length).toBeLessThanOrEqual(15);
    for (const [id, setting] of settings) {
      expect(setting.scope, id).toBeTruthy();
      expect(words[setting.description!.replaceAll('%', '')], id).toBeTruthy();
    }
  });

  it('binds keys only under one chord prefix and only while reviewing', () => {
    for (const key of contributes.keybindings) {
      expect(key.key).toMatch(/^ctrl\+alt\+h \w+$/);
      expect(key.when).toContain('harnessmith.reviewing');
    }
  });

  it('uses no proposed API and does not wake up for every workspace', () => {
    expect(manifest.enabledApiProposals).toBeUndefined();
    for (const event of manifest.activationEvents) expect(event).not.toMatch(/^\*$|onStartupFinished|onLanguage|\*\*/);
  });

  it('limits what an untrusted workspace may set', () => {
    const { supported, restrictedConfigurations } = manifest.capabilities.untrustedWorkspaces;
    expect(supported).toBe('limited');
    for (const id of restrictedConfigurations) expect(contributes.configuration.properties).toHaveProperty([id]);
  });

  it('refers to files that exist', () => {
    const steps = contributes.walkthroughs[0].steps as { media: { markdown: string } }[];
    const files = [
      manifest.icon,
      contributes.viewsContainers.activitybar[0].icon,
      ...steps.map((step) => step.media.markdown),
    ];
    for (const file of files) expect(existsSync(file), file).toBe(true);
  });
});
