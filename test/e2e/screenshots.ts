import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { copyExample, openWorkbench } from '../../scripts/editor/index.mjs';
import { openHarness } from '../../src/core/harness';
import { createRun, executeRun } from '../../src/core/validation';
import { storeExampleProposal } from '../support/exampleProposal';
import { runCommand } from './pages/palette';
import { takePicture } from './pages/pictures';
import { statusBar, treeRow, webview } from './pages/workbench';

const themes = {
  light: 'Default Light Modern',
  dark: 'Default Dark Modern',
  'high-contrast': 'Default High Contrast',
};

/** One picture a view, in the order a person meets them. */
const views: Record<string, (page: Page) => Promise<void>> = {
  handbook: async (page) => {
    await runCommand(page, 'Harnessmith: Focus on Handbook View');
    const call = treeRow(page, /Model call/).first();
    await call.waitFor({ timeout: 90_000 });
    await call.click();
  },
  trace: async (page) => {
    await treeRow(page, /^changelog__.*failed/)
      .first()
      .click();
    const failing = webview(page).getByRole('option').filter({ hasText: 'no tool call' }).first();
    await failing
      .getByRole('button', { name: /agent\.ts:\d+/ })
      .first()
      .click();
  },
  'trace-raw': async (page) => {
    await webview(page).locator('.rows').focus();
    await page.keyboard.press('r');
    await page.keyboard.press('/');
    await page.keyboard.type('changelog');
  },
  'trace-keys': async (page) => {
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('?');
  },
  'trace-compare': async (page) => {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('x');
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await page.keyboard.press('Enter');
    await webview(page).locator('.pair.selected').waitFor();
  },
  'trace-difference': async (page) => {
    await page.keyboard.press('n');
    await page.keyboard.press('d');
    await webview(page).locator('.difference').waitFor();
  },
  map: async (page) => {
    await runCommand(page, 'View: Close All Editors');
    await runCommand(page, 'Harnessmith: Open the Behaviour Map');
    const canvas = webview(page).getByRole('listbox');
    await canvas.waitFor({ timeout: 60_000 });
    await canvas.focus();
    // Far enough into the loop that a selected step and its arrows are in the picture.
    for (let press = 0; press < 16; press++) await page.keyboard.press('ArrowDown');
  },
  'map-list': async (page) => {
    await webview(page).getByRole('button', { name: 'List' }).click();
  },
  locate: async (page) => {
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input.input');
    await input.fill('>Harnessmith: Where Does It Live?');
    await page.locator('.quick-input-list .monaco-list-row').first().waitFor();
    await page.keyboard.press('Enter');
    await page.getByPlaceholder('Say a behaviour').waitFor();
    await page.keyboard.type('tell the model that its output was cut');
  },
  page: async (page) => {
    await page.keyboard.press('Escape');
    await runCommand(page, 'Harnessmith: Open the Handbook');
    await webview(page)
      .getByRole('heading', { name: /^Handbook of/ })
      .waitFor({ timeout: 30_000 });
  },
  review: async (page) => {
    await runCommand(page, 'Harnessmith: Review a Proposal');
    await statusBar(page).getByText('hunk 1 of 3').waitFor({ timeout: 60_000 });
  },
  results: async (page) => {
    await runCommand(page, 'Harnessmith: Open the Results of a Run');
    await webview(page).locator('p.verdict').waitFor({ timeout: 60_000 });
  },
  'results-cost': async (page) => {
    await webview(page).getByRole('tab', { name: 'cost' }).click();
  },
  'results-details': async (page) => {
    await webview(page).getByRole('tab', { name: 'details' }).click();
  },
  'results-history': async (page) => {
    await webview(page).getByRole('tab', { name: 'history' }).click();
  },
};

/** Only views whose names begin so, where somebody works on one of them. */
const wanted = process.env.HARNESSMITH_VIEWS ?? '';

/** A small finished run, so that there are results to look at. */
async function makeRun(root: string): Promise<void> {
  const harness = await openHarness(root);
  const tasks = ['add-clamp', 'greeting', 'leap-year', 'sort-names'];
  const { id } = await createRun({ harness, candidate: 'same', trials: 2, tasks });
  await executeRun(harness.root, id);
}

// Run by `npm run screenshots` only: it takes pictures into artifacts/screenshots and asserts nothing about them.
test.each(Object.entries(themes))('pictures in %s', async (name, theme) => {
  const folder = mkdtempSync(join(tmpdir(), 'harnessmith-screenshots-'));
  const root = join(folder, 'tinker');
  mkdirSync(root);
  await storeExampleProposal(copyExample(root));
  await makeRun(root);
  const workbench = await openWorkbench(root, {
    settings: { 'workbench.colorTheme': theme, 'window.autoDetectColorScheme': false },
  });
  try {
    for (const [view, open] of Object.entries(views)) {
      if (!view.startsWith(wanted)) continue;
      await open(workbench.page);
      // Decorations and the diff arrive a moment after their editor.
      await workbench.page.waitForTimeout(2500);
      await takePicture(workbench.page, `${view}-${name}`);
    }
  } finally {
    await workbench.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
