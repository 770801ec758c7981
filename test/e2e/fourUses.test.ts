import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { copyExample, openWorkbench, type Workbench } from '../../scripts/editor/index.mjs';
import { storeExampleProposal } from '../support/exampleProposal';
import { runCommand } from './pages/palette';
import { pictureOnFailure } from './pages/pictures';
import { editorOf, statusBar, treeRow, webview } from './pages/workbench';

/** The four questions of a harness engineer, answered one after the other in one window. */
const folder = mkdtempSync(join(tmpdir(), 'harnessmith-e2e-'));
const root = join(folder, 'tinker');
let workbench: Workbench;

const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
/** Number of the first line of a file that contains a text, from 1. */
const lineOf = (file: string, text: string) =>
  textOf(file)
    .split('\n')
    .findIndex((line) => line.includes(text)) + 1;
const changedFiles = () =>
  execFileSync('git', ['status', '--porcelain', '--', '.', ':!.harnessmith'], { cwd: root, encoding: 'utf8' }).trim();

beforeAll(async () => {
  mkdirSync(root);
  copyExample(root);
  await storeExampleProposal(root);
  workbench = await openWorkbench(root, { settings: { 'harnessmith.validation.trials': 1 } });
});

afterAll(async () => {
  await workbench?.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

test('a person goes from the handbook to a failing step, reviews a change and reads its verdict', async () => {
  const { page } = workbench;
  await pictureOnFailure(page, 'four uses', async () => {
    await findBehaviour(page);
    await followFailingStep(page);
    await reviewByKeyboard(page);
    await validate(page);
  });
});

/** 1. Where does it live: the handbook shows the loop in run order and opens its code. */
async function findBehaviour(page: Page): Promise<void> {
  await runCommand(page, 'Harnessmith: Focus on Handbook View');
  const call = treeRow(page, /Model call/).first();
  await call.waitFor({ timeout: 60_000 });
  const rows = await page.getByRole('treeitem').allInnerTexts();
  const position = (word: RegExp) => rows.findIndex((row) => word.test(row));
  expect(position(/Agent loop/)).toBeGreaterThanOrEqual(0);
  expect(position(/Agent loop/)).toBeLessThan(position(/Model call/));
  // The row says where it leads; the code that opens must be there.
  const [, file, line] = /([\w/.-]+\.ts):(\d+)/.exec((await call.getAttribute('aria-label')) ?? '') ?? [];
  await call.click();
  await editorOf(page, file!.split('/').pop()!).tab.waitFor();
  await expect.poll(() => statusBar(page).innerText()).toContain(`Ln ${line},`);
}

/** 2. What did the agent do: a failing step leads to the function and line that made it so. */
async function followFailingStep(page: Page): Promise<void> {
  await runCommand(page, 'View: Close All Editors');
  await runCommand(page, 'Harnessmith: Focus on Traces View');
  const run = treeRow(page, /^changelog__.*failed/).first();
  await run.click();
  const failing = webview(page).getByRole('option').filter({ hasText: 'no tool call' }).first();
  // The function is linked at the line that uses the template.
  await failing
    .getByRole('button', { name: /agent\.ts:\d+ Agent\.formatErrorFeedback/ })
    .first()
    .click();
  const code = editorOf(page, 'agent.ts');
  await code.tab.waitFor();
  const line = lineOf('src/agent.ts', "templates.render('format_error'");
  await expect.poll(() => code.activeLine.innerText()).toBe(String(line));
  // The template whose text came back to the model is the first link of the same step.
  await failing
    .getByRole('button', { name: /format_error\.md:1/ })
    .first()
    .click();
  await editorOf(page, 'format_error.md').tab.waitFor();
}

/** 3. What should change: one hunk is accepted and one rejected by keyboard, and no file is written. */
async function reviewByKeyboard(page: Page): Promise<void> {
  await runCommand(page, 'Harnessmith: Review a Proposal');
  await expect.poll(() => statusBar(page).innerText()).toContain('hunk 1 of 3, 3 undecided');
  const chord = async (key: string) => {
    await page.keyboard.press('Control+Alt+h');
    await page.keyboard.press(key);
  };
  await chord('a');
  await expect.poll(() => statusBar(page).innerText()).toContain('2 undecided');
  await chord('n');
  await expect.poll(() => statusBar(page).innerText()).toContain('hunk 2 of 3');
  await chord('r');
  await expect.poll(() => statusBar(page).innerText()).toContain('1 undecided');
  await treeRow(page, /hunk 1 of 1, accepted/).waitFor();
  await treeRow(page, /hunk 1 of 2, rejected/).waitFor();
  expect(changedFiles()).toBe('');
}

/** 4. Did it help: a validation runs, and its verdict can be read. */
async function validate(page: Page): Promise<void> {
  await runCommand(page, 'Harnessmith: Validate a Proposal');
  const results = webview(page);
  const verdict = results.locator('p.verdict');
  await expect.poll(() => verdict.innerText(), { timeout: 360_000 }).toMatch(/Accept|Reject|Undecided/);
  const text = await results.locator('body').innerText();
  expect(text).toMatch(/pp \[/);
  expect(text).toContain('changelog');
  expect(changedFiles()).toBe('');
}
