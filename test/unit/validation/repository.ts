import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach } from 'vitest';
import { type Harness, openHarness } from '../../../src/core/harness';

const folders: string[] = [];

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** An empty folder that is deleted after the test; its real path. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'harnessmith-validation-')));
  folders.push(folder);
  return folder;
}

export function writeFiles(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
}

const identity = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost', '-c', 'commit.gpgsign=false'];

export function runGit(root: string, ...args: string[]): string {
  return execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** A git repository with one commit that holds the files. */
export function repository(files: Record<string, string>): string {
  const root = temporaryFolder();
  runGit(root, 'init', '--quiet', '--initial-branch=main');
  writeFiles(root, files);
  runGit(root, 'add', '--all');
  runGit(root, 'commit', '--quiet', '--allow-empty', '-m', 'first');
  return root;
}

/** Commits files on top of HEAD without moving the branch; returns the commit. */
export function commitAside(root: string, files: Record<string, string>): string {
  const branch = runGit(root, 'rev-parse', '--abbrev-ref', 'HEAD');
  runGit(root, 'checkout', '--quiet', '--detach');
  writeFiles(root, files);
  runGit(root, 'add', '--', ...Object.keys(files));
  runGit(root, 'commit', '--quiet', '-m', 'candidate');
  const commit = runGit(root, 'rev-parse', 'HEAD');
  runGit(root, 'checkout', '--quiet', branch);
  return commit;
}

/** Writes `harness.json` with one suite called `main` and opens the harness. */
export function openWithSuite(root: string, suite: Record<string, unknown>): Promise<Harness> {
  writeFiles(root, { '.harnessmith/harness.json': JSON.stringify({ suites: { main: suite } }) });
  return openHarness(root);
}

/** Command of a trial: an inline Node program; placeholders follow as `process.argv[1...]`. */
export function nodeCommand(program: string, ...args: string[]): string[] {
  return [process.execPath, '-e', program, '--', ...args];
}

/** Whether a process still runs. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  if (process.platform !== 'linux') return true;
  // Where nobody collects orphans a killed one stays in the table; it does not run.
  return existsSync(`/proc/${pid}`) && !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}
