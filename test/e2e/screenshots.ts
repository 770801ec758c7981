import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { test } from 'vitest';
import { copyExample, openWorkbench } from '../../scripts/editor/index.mjs';
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
    const call = treeRow(page, /Model call: Agent\.run/);
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
  review: async (page) => {
    await runCommand(page, 'Harnessmith: Review a Proposal');
    await statusBar(page).getByText('hunk 1 of 3').waitFor({ timeout: 60_000 });
  },
};

// Run by `npm run screenshots` only: it takes pictures into artifacts/screenshots and asserts nothing about them.
test.each(Object.entries(themes))('pictures in %s', async (name, theme) => {
  const folder = mkdtempSync(join(tmpdir(), 'harnessmith-screenshots-'));
  const root = join(folder, 'tinker');
  mkdirSync(root);
  await storeExampleProposal(copyExample(root));
  const workbench = await openWorkbench(root, {
    settings: { 'workbench.colorTheme': theme, 'window.autoDetectColorScheme': false },
  });
  try {
    for (const [view, open] of Object.entries(views)) {
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
