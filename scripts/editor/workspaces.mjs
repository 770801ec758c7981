// Throw-away workspaces made from the example harness, shared by the host tests, the end-to-end test and the screenshots.
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root as repositoryRoot } from '../bootstrap.mjs';

function git(folder, ...args) {
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Makes `folder` a git repository with everything in it committed once; works without a configured git user. */
export function commitAll(folder, message = 'Start') {
  git(folder, 'init', '--quiet', '--initial-branch=main');
  git(folder, 'add', '--all');
  const identity = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.invalid', '-c', 'commit.gpgsign=false'];
  git(folder, ...identity, 'commit', '--quiet', '--message', message);
}

/** Copies the example harness, as committed or as it lies in the working tree, into `folder` as its own git repository. */
export function copyExample(folder) {
  const files = git(repositoryRoot, 'ls-files', '-z', '--cached', '--others', '--exclude-standard', 'examples/tinker');
  for (const file of files.split('\0').filter(Boolean)) {
    const source = join(repositoryRoot, file);
    if (!existsSync(source)) continue;
    const target = join(folder, file.slice('examples/tinker/'.length));
    mkdirSync(dirname(target), { recursive: true });
    cpSync(source, target);
  }
  commitAll(folder, 'The example harness');
  return folder;
}

/** A workspace file with several roots. */
export function writeWorkspaceFile(file, folders) {
  writeFileSync(file, JSON.stringify({ folders: folders.map((path) => ({ path })), settings: {} }, null, 2));
  return file;
}
