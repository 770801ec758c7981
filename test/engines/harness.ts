import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { openHarness } from '../../src/core/harness';
import { createRun, executeRun, type RunResult, type TrialExecutor } from '../../src/core/validation';

/** Folder with the programs of the tools; `npm run test:engines` sets it. */
export const programs = process.env.HARNESSMITH_ENGINES ?? '';
if (programs === '') throw new Error('Run these tests with npm run test:engines, which installs the tools.');

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/**
 * Makes a harness with one suite, changes some of its files in a candidate, and runs both. `before` and `after` are the files
 * of the arms by path.
 */
export async function runOf(
  suite: Record<string, unknown>,
  before: Record<string, string>,
  after: Record<string, string>,
  executor?: TrialExecutor,
): Promise<RunResult & { root: string }> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'harnessmith-engines-')));
  folders.push(root);
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', ...args], { cwd: root }).toString();
  git('init', '--quiet');
  write(root, { ...before, '.harnessmith/harness.json': JSON.stringify({ suites: { main: suite } }) });
  git('add', '--all');
  git('commit', '--quiet', '-m', 'baseline');
  git('checkout', '--quiet', '-b', 'candidate');
  write(root, after);
  git('commit', '--quiet', '--all', '-m', 'candidate');
  const harness = await openHarness(root);
  const { id } = await createRun({ harness, candidate: { commit: git('rev-parse', 'HEAD').trim() } });
  return { ...(await executeRun(root, id, { executor })), root };
}

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}
