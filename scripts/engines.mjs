// The Python environment in which the tests of the engines run real tools. Kept between runs; made anew when the list changes.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './bootstrap.mjs';

const folder = join(root, '.engines');
const list = join(root, 'test', 'engines', 'requirements.txt');

/** Folder with the programs of the tools. The tests start a Redis of their own. @throws Error with what to do when it cannot be made. */
export function ensureEngines(log) {
  if (spawnSync('redis-server', ['--version'], { stdio: 'ignore' }).status !== 0) {
    throw new Error('There is no redis-server. Install it (on Debian: redis-server).');
  }
  const programs = join(folder, process.platform === 'win32' ? 'Scripts' : 'bin');
  const stamp = join(folder, 'requirements.txt');
  const wanted = readFileSync(list, 'utf8');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return programs;
  log('Installing Inspect and mini-swe-agent into .engines/ (once, about 900 MB).');
  rmSync(folder, { recursive: true, force: true });
  step('python3', ['-m', 'venv', folder], 'Install Python 3.10 or newer with venv (on Debian: python3-venv).');
  step(join(programs, 'python'), ['-m', 'pip', 'install', '--quiet', '-r', list], 'Check the network to PyPI.');
  writeFileSync(stamp, wanted);
  return programs;
}

function step(program, args, remedy) {
  const { status, error } = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (status !== 0)
    throw new Error(`"${program} ${args.join(' ')}" failed${error ? `: ${error.message}` : ''}. ${remedy}`);
}
