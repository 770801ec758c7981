import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyExample, openWorkbench, type Workbench } from '../../scripts/editor/index.mjs';
import { runCommand } from './pages/palette';
import { pictureOnFailure } from './pages/pictures';
import { statusBar, treeRow, webview } from './pages/workbench';

const folder = mkdtempSync(join(tmpdir(), 'harnessmith-e2e-map-'));
const root = join(folder, 'tinker');
let workbench: Workbench;

beforeAll(async () => {
  mkdirSync(root);
  copyExample(root);
  workbench = await openWorkbench(root);
});

afterAll(async () => {
  await workbench?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('a person goes through the behaviour map by keyboard', async () => {
  const { page } = workbench;
  await pictureOnFailure(page, 'behaviour map', async () => {
    await walkTheMap(page);
    await findUnit(page);
    await measureAndList(page);
    await leaveForCode(page);
  });
});

const selected = (page: Page) => webview(page).locator('[role=option][aria-selected=true]');

/** The loop is drawn as a loop, and arrows lead from a unit to what it calls and back. */
async function walkTheMap(page: Page): Promise<void> {
  await runCommand(page, 'Harnessmith: Open the Behaviour Map');
  const map = webview(page);
  const canvas = map.getByRole('listbox');
  await canvas.waitFor({ timeout: 90_000 });
  expect(await map.locator('.edge.again').count()).toBe(1);
  expect(await map.locator('.stage.loop').count()).toBe(1);
  await canvas.focus();
  await page.keyboard.press('Home');
  const labels: string[] = [];
  for (let press = 0; press < 80; press++) {
    labels.push((await selected(page).getAttribute('aria-label')) ?? '');
    if ((await map.locator('.edge.of-selected.out').count()) > 0) break;
    await page.keyboard.press('ArrowDown');
  }
  expect(new Set(labels).size).toBe(labels.length);
  const caller = labels.at(-1);
  await page.keyboard.press('ArrowRight');
  expect(await selected(page).getAttribute('aria-label')).not.toBe(caller);
  await page.keyboard.press('ArrowLeft');
  expect(await selected(page).getAttribute('aria-label')).toBe(caller);
}

/** A unit that a fold hides is found by a file of it, drawn, and selected; its name says what it holds of that file. */
async function findUnit(page: Page): Promise<void> {
  const map = webview(page);
  await page.keyboard.press('/');
  await page.keyboard.type('paths.ts');
  const match = map.locator('.matches button').first();
  await match.waitFor();
  await page.keyboard.press('Enter');
  await expect.poll(() => selected(page).getAttribute('aria-label')).toMatch(/paths.*src\/tools/);
}

/** Heat names its unit of measure and its top; the list says the same as the map. */
async function measureAndList(page: Page): Promise<void> {
  const map = webview(page);
  await map.locator('select').first().selectOption('tokens');
  await map.getByText(/The longest bar is [\d.]+k? tokens, at/).waitFor({ timeout: 60_000 });
  const nodes = await map.locator('.node').count();
  await map.getByRole('button', { name: 'List' }).click();
  await map.locator('.list section').first().waitFor();
  const notes = await map.locator('section[aria-label^="Looked for"] li').count();
  expect((await map.locator('.list li').count()) - notes).toBe(nodes);
  await map.getByRole('button', { name: 'List' }).click();
}

/** Enter leads into the code, and the place in the code leads back to the row of its unit. */
async function leaveForCode(page: Page): Promise<void> {
  const canvas = webview(page).getByRole('listbox');
  await canvas.focus();
  await page.keyboard.press('Home');
  const label = (await selected(page).getAttribute('aria-label')) ?? '';
  const line = /:(\d+)/.exec(label)?.[1];
  await page.keyboard.press('Enter');
  await expect.poll(() => statusBar(page).innerText()).toContain(`Ln ${line},`);
  await runCommand(page, 'Harnessmith: Reveal the Cursor in the Handbook');
  const row = treeRow(page, new RegExp(label.split(',')[0]!.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))).first();
  await row.waitFor();
  await expect.poll(() => row.getAttribute('aria-selected')).toBe('true');
}
