import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyExample, openWorkbench, type Workbench } from '../../scripts/editor/index.mjs';
import { Ledger } from '../../src/core/store';
import { storeSevenHunks } from '../support/sevenHunks';
import { runCommand } from './pages/palette';
import { pictureOnFailure } from './pages/pictures';
import { statusBar, treeRow } from './pages/workbench';

/** A patch of three decisions and seven hunks, reviewed by keyboard alone, with a reload of the window in the middle. */
const folder = mkdtempSync(join(tmpdir(), 'harnessmith-e2e-review-'));
const root = join(folder, 'tinker');
let workbench: Workbench;

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const files = ['prompts/format_error.md', 'prompts/system.md', 'src/truncation.ts', 'README.md', 'config.json'];

beforeAll(async () => {
  mkdirSync(root);
  copyExample(root);
  await storeSevenHunks(root);
  // High enough that every row of the tree is on the screen, and with it in the page.
  const size = { width: 1600, height: 2000 };
  workbench = await openWorkbench(root, { settings: { 'harnessmith.review.applyTo': 'workingTree' }, size });
});

afterAll(async () => {
  await workbench?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

async function chord(page: Page, key: string): Promise<void> {
  await page.keyboard.press('Control+Alt+h');
  await page.keyboard.press(key);
}

async function shows(page: Page, words: string): Promise<void> {
  await expect.poll(() => statusBar(page).innerText()).toContain(words);
}

/** Runs a palette command without the mouse. The palette lists what was registered when it was opened. */
async function command(page: Page, title: string): Promise<void> {
  const input = page.locator('.quick-input-widget input.input');
  const name = page.locator('.quick-input-list .monaco-list-row .label-name').getByText(title, { exact: true });
  for (let attempt = 1; ; attempt++) {
    await page.keyboard.press('F1');
    try {
      await input.fill(`>${title}`, { timeout: 10_000 });
      await name.first().waitFor({ timeout: 10_000 });
      break;
    } catch (error) {
      await page.keyboard.press('Escape');
      if (attempt === 6) throw error;
    }
  }
  await page.keyboard.press('Enter');
  await input.waitFor({ state: 'hidden' });
}

test('accept, reject, edit, conflict, stale, reload, apply and undo, by keyboard', async () => {
  const { page } = workbench;
  await pictureOnFailure(page, 'review', async () => {
    const before = new Map(files.map((file) => [file, textOf(file)]));
    await runCommand(page, 'Harnessmith: Focus on Proposals View');
    await treeRow(page, /^Tell the model what happened/).waitFor({ timeout: 60_000 });
    // Nothing opens by itself.
    expect(await page.locator('.tab').count()).toBe(0);

    await command(page, 'Harnessmith: Review a Proposal');
    await shows(page, 'hunk 1 of 7, 7 undecided');
    await chord(page, 'a');
    await shows(page, '6 undecided');
    await chord(page, 'n');
    await shows(page, 'hunk 2 of 7');
    await chord(page, 'r');
    await shows(page, '5 undecided');

    // Edit before accept: the right side of the diff takes the words, the file does not.
    await chord(page, 'n');
    await shows(page, 'hunk 3 of 7');
    await page.keyboard.press('End');
    await page.keyboard.type(' // by hand');
    await page.keyboard.press('Control+s');
    await treeRow(page, /undecided, edited by you/).waitFor();
    await chord(page, 'a');
    await treeRow(page, /accepted, edited by you/).waitFor();
    await chord(page, 'n');
    await shows(page, 'hunk 4 of 7');
    await chord(page, 'a');
    await shows(page, '3 undecided');
    // One preview tab a file is reused; closing it decides nothing.
    expect(await page.locator('.tab').count()).toBe(1);
    await command(page, 'View: Close All Editors');
    for (const file of files) expect(textOf(file)).toBe(before.get(file));

    // Meanwhile the person rewrites a line of the proposal and removes a file of it.
    const mine = textOf('README.md').replace(/^# .*$/m, '# My own words');
    writeFileSync(join(root, 'README.md'), mine);
    rmSync(join(root, 'prompts/compaction.md'));
    await command(page, 'Harnessmith: Refresh the Proposals');
    await treeRow(page, /conflict: you changed the same lines/).waitFor();
    await treeRow(page, /changed since: the file no longer has the text/).waitFor();

    await page.reload();
    await page.locator('.activitybar a[aria-label^="Harnessmith"]').waitFor({ timeout: 60_000 });
    await treeRow(page, /^Tell the model what happened/).waitFor({ timeout: 60_000 });
    await command(page, 'Harnessmith: Review a Proposal');
    await shows(page, 'hunk 6 of 7, 1 undecided');
    await chord(page, 'a');
    await shows(page, 'all decided');

    await chord(page, 'Enter');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog.getByText('Write 4 of 7 hunks in 3 files into your working tree?').waitFor();
    await page.keyboard.press('Enter');
    await expect.poll(() => textOf('config.json')).toContain('"formatErrors": 6');
    await treeRow(page, /applied to workingTree/).waitFor();
    expect(textOf('prompts/format_error.md')).toContain('could not be processed: {{reason}}');
    expect(textOf('prompts/system.md')).toBe(before.get('prompts/system.md'));
    expect(textOf('src/truncation.ts')).toContain('says so. */ // by hand\n');
    expect(textOf('src/truncation.ts')).toContain('[cut]');
    expect(textOf('README.md')).toBe(mine);
    expect(() => textOf('prompts/compaction.md')).toThrow();

    await command(page, 'Harnessmith: Take an Applied Proposal Back');
    await expect.poll(() => textOf('config.json')).toBe(before.get('config.json'));
    await treeRow(page, /decided, 4 of 7 accepted/).waitFor();
    for (const file of files.filter((one) => one !== 'README.md')) expect(textOf(file)).toBe(before.get(file));
    expect(textOf('README.md')).toBe(mine);
  });
  const { entries } = await (await Ledger.open(root)).read();
  const kinds = entries.map((entry) => entry.kind);
  expect(kinds.filter((kind) => kind === 'decision')).toHaveLength(5);
  expect(kinds.filter((kind) => kind === 'apply')).toHaveLength(2);
});
