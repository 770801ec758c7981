import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';

const folder = join(root, '.demo');

/**
 * Copies the example into a new numbered folder with a git repository of its own.
 * Earlier copies stay: a user may have decided or edited something there.
 */
export function newWorkspace() {
  mkdirSync(folder, { recursive: true });
  const taken = readdirSync(folder).map(Number).filter(Number.isInteger);
  const workspace = join(folder, String(Math.max(0, ...taken) + 1), 'tinker');
  cpSync(join(root, 'examples', 'tinker'), workspace, { recursive: true });
  git(workspace, ['init', '--quiet', '--initial-branch=main']);
  git(workspace, ['add', '--all']);
  git(workspace, [
    '-c',
    'user.name=Demo',
    '-c',
    'user.email=demo@example.org',
    'commit',
    '--quiet',
    '--message',
    'The example as shipped',
  ]);
  return workspace;
}

/** The newest copy of the example, if the demo ran before. */
export function latestWorkspace() {
  if (!existsSync(folder)) return undefined;
  const newest = Math.max(0, ...readdirSync(folder).map(Number).filter(Number.isInteger));
  const workspace = join(folder, String(newest), 'tinker');
  return existsSync(workspace) ? workspace : undefined;
}

function git(cwd, args) {
  const result = spawnSync('git', args, { cwd, encoding: 'utf8' });
  if (result.status === 0) return;
  console.error(`git ${args[0]} failed in ${cwd}: ${result.error?.message ?? result.stderr.trim()}`);
  console.error('Install git and run the demo again.');
  process.exit(3);
}
