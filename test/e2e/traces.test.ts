import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyExample, openWorkbench, type Workbench } from '../../scripts/editor/index.mjs';
import { runCommand } from './pages/palette';
import { pictureOnFailure } from './pages/pictures';
import { editorOf, treeRow, webview } from './pages/workbench';

const folder = mkdtempSync(join(tmpdir(), 'harnessmith-e2e-traces-'));
const root = join(folder, 'tinker');
const mixed = join(folder, 'mixed');
const live = join(mixed, 'live.jsonl');
let workbench: Workbench;

const session = (n: number, type: 'user' | 'assistant', text: string) =>
  `${JSON.stringify({ uuid: `u${n}`, parentUuid: n > 1 ? `u${n - 1}` : null, sessionId: 'live', type, timestamp: '2026-01-02T10:00:00Z', message: { id: `m${n}`, role: type, content: [{ type: 'text', text }] } })}\n`;

/** A folder as people have them: traces of two formats, with and without verdicts, and files that are none. */
beforeAll(async () => {
  mkdirSync(root);
  mkdirSync(mixed);
  copyExample(root);
  for (const name of readdirSync(join(root, 'traces'))) {
    if (/^(changelog|rename|add-clamp)/.test(name))
      cpSync(join(root, 'traces', name), join(mixed, name), { recursive: true });
  }
  renameSync(join(root, 'traces'), join(folder, 'elsewhere'));
  mkdirSync(join(root, 'traces'));
  writeFileSync(join(mixed, 'notes.md'), '# Notes\n\nNothing of a trace.\n');
  writeFileSync(join(mixed, 'settings.json'), '{"colour": "blue"}');
  writeFileSync(live, session(1, 'user', 'Write it down.') + session(2, 'assistant', 'I begin.'));
  workbench = await openWorkbench(root, { settings: { 'files.simpleDialog.enable': true } });
});

afterAll(async () => {
  await workbench?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('a person brings a mixed folder, finds the step that went wrong, and comes back from the code', async () => {
  const { page } = workbench;
  await pictureOnFailure(page, 'traces', async () => {
    await importFolder(page);
    await openAndSearch(page);
    await clickToCode(page);
    await compareRuns(page);
    await comeBack(page);
    await followLiveRun(page);
  });
});

const rows = (page: Page) => webview(page).locator('.rows');

/** Flipping tasks first, then the ones that always failed; what is no trace is counted, with its reason a click away. */
async function importFolder(page: Page): Promise<void> {
  await runCommand(page, 'Harnessmith: Focus on Traces View');
  await runCommand(page, 'Harnessmith: Import Traces from a Folder');
  const input = page.locator('.quick-input-widget input.input');
  await input.waitFor();
  // The dialog follows what is typed a moment later; only then does its button mean this folder.
  await input.fill(`${mixed}/`);
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'changelog__' }).first().waitFor();
  await page.locator('.quick-input-widget').getByRole('button', { name: 'Import' }).click();
  await treeRow(page, /not recognised/).waitFor({ timeout: 120_000 });
  const spoken = await page
    .getByRole('treeitem')
    .evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
  const position = (words: RegExp) => spoken.findIndex((one) => words.test(one ?? ''));
  expect(spoken).toEqual(expect.arrayContaining([expect.stringMatching(/^changelog, .*flips/)]));
  expect(position(/^changelog, .*flips/)).toBeLessThan(position(/^add-clamp, /));
  expect(position(/^add-clamp, /)).toBeLessThan(position(/not recognised/));
}

/** The failing run opens where it went wrong; a search counts its hits and goes through them. */
async function openAndSearch(page: Page): Promise<void> {
  await treeRow(page, /^changelog__.*failed/)
    .first()
    .click();
  await webview(page).locator('.step.selected').waitFor({ timeout: 60_000 });
  await webview(page).locator('.outline .entry').first().waitFor({ timeout: 60_000 });
  await rows(page).focus();
  await page.keyboard.press('/');
  await page.keyboard.type('commits');
  await page.keyboard.press('Enter');
  await expect.poll(() => webview(page).locator('.hits').innerText()).toMatch(/\d of \d+ steps/);
  expect(await webview(page).locator('.step mark').count()).toBeGreaterThan(0);
  await page.keyboard.press('Escape');
}

/** Moving through steps moves one editor beside, and the keys stay with the page. */
async function clickToCode(page: Page): Promise<void> {
  const failing = webview(page).locator('.step').filter({ hasText: 'no tool call' }).first();
  await failing
    .getByRole('button', { name: /format_error\.md:1/ })
    .first()
    .click();
  await editorOf(page, 'format_error.md').tab.waitFor();
  await rows(page).focus();
  await page.keyboard.press('Home');
  await editorOf(page, 'system.md').tab.waitFor();
  expect(await page.locator('.tab[data-resource-name="format_error.md"]').count()).toBe(0);
  await page.keyboard.press('r');
  await webview(page)
    .getByText(/^bytes [\d,]+ to [\d,]+ of/)
    .first()
    .waitFor();
  await page.keyboard.press('r');
}

/** A passing run of the same task is offered first; the page says where the two part, with code on either side. */
async function compareRuns(page: Page): Promise<void> {
  await rows(page).focus();
  await page.keyboard.press('x');
  await page
    .locator('.quick-input-list .monaco-list-row')
    .first()
    .getByText(/passed/)
    .first()
    .waitFor();
  await page.keyboard.press('Enter');
  await webview(page).locator('.pair.selected .parting').waitFor({ timeout: 30_000 });
  await page.keyboard.press('ArrowRight');
  await webview(page).locator('.pair.selected .cell.current').waitFor();
  const link = webview(page).locator('.pair.selected .link').first();
  await link.waitFor();
  await page.keyboard.press('Escape');
  await webview(page).locator('.step').first().waitFor();
}

/** The lens above the code lists its steps, failing first, and a choice leads back into the page. */
async function comeBack(page: Page): Promise<void> {
  const failing = webview(page).locator('.step').filter({ hasText: 'no tool call' }).first();
  await failing
    .getByRole('button', { name: /agent\.ts:\d+ Agent\.formatErrorFeedback/ })
    .first()
    .click({ modifiers: ['Alt'] });
  await editorOf(page, 'agent.ts').tab.waitFor();
  const lenses = page.locator('.codelens-decoration a').filter({ hasText: /failing step/ });
  await lenses.first().waitFor({ timeout: 60_000 });
  await (await inView(lenses)).click();
  const step = page.locator('.quick-input-list .monaco-list-row').first();
  await step.waitFor();
  const label = await step.innerText();
  const n = /step (\d+)/.exec(label)?.[1];
  await page.keyboard.press('Enter');
  await webview(page).locator(`#step-${n}.selected`).waitFor({ timeout: 30_000 });
}

/** The first of these that is not scrolled under the tabs or below the window; the editor keeps those in its tree. */
async function inView(elements: Locator): Promise<Locator> {
  for (const one of await elements.all()) {
    const box = await one.boundingBox();
    if (box && box.y > 160 && box.y < 900) return one;
  }
  throw new Error('No lens is in view.');
}

/** A run that is still written grows on the page. */
async function followLiveRun(page: Page): Promise<void> {
  // It has no task, so its group is folded; the list of all traces finds it by name.
  await page.keyboard.press('F1');
  const input = page.locator('.quick-input-widget input.input');
  await input.fill('>Harnessmith: Open a Trace');
  await page
    .locator('.quick-input-list .label-name')
    .getByText('Harnessmith: Open a Trace', { exact: true })
    .first()
    .click();
  // The command asks in the same place.
  await page
    .getByLabel(/^Open which trace/)
    .first()
    .waitFor();
  await page.keyboard.type('live');
  await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: 'live.jsonl' }).first().click();
  await webview(page).locator('#step-2').waitFor({ timeout: 30_000 });
  appendFileSync(live, session(3, 'user', 'Go on.') + session(4, 'assistant', 'That is all.'));
  await webview(page).locator('#step-4').getByText('That is all.').waitFor({ timeout: 30_000 });
}
