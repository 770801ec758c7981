// First steps of the README's two commands on a bare machine: plain Node 20 and no dependencies.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const modules = join(root, 'node_modules');
const stamp = join(modules, '.harnessmith-lock');

/** Installs the locked dependencies when they are missing or of another lock file. Ends the process when that fails. */
export function ensureDependencies() {
  // A linked folder belongs to another checkout, which alone may change it.
  if (lstatSync(modules, { throwIfNoEntry: false })?.isSymbolicLink()) return;
  const lock = createHash('sha256')
    .update(readFileSync(join(root, 'package-lock.json')))
    .digest('hex');
  if (existsSync(join(modules, '.package-lock.json')) && !existsSync(stamp)) writeFileSync(stamp, lock);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing dependencies (once).');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const result = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (result.status !== 0) {
    console.error('The dependencies could not be installed. Check the network to npm, then run `npm ci` to see why.');
    process.exit(3);
  }
  writeFileSync(stamp, lock);
}

/** The Node 24 that comes as a dependency, or this Node where that binary is missing. */
export function node24() {
  const own = join(modules, 'node', 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  return existsSync(own) ? own : process.execPath;
}

/** Runs this script again under Node 24 when an older Node started it. Returns only under a recent one. */
export function continueUnderNode24(script) {
  const node = node24();
  if (Number(process.versions.node.split('.')[0]) >= 24 || node === process.execPath) return;
  const result = spawnSync(node, [script, ...process.argv.slice(2)], { stdio: 'inherit', env: withNode24() });
  process.exit(result.status ?? 1);
}

/** Environment in which `node` is Node 24 and the tools of the project are found. */
export function withNode24() {
  const path = [dirname(node24()), join(modules, '.bin'), process.env.PATH].join(
    process.platform === 'win32' ? ';' : ':',
  );
  return { ...process.env, PATH: path };
}

/** Builds dist/ when a source is newer than it. */
export function ensureBuilt() {
  const built = join(root, 'dist', '.built');
  const age = existsSync(built) ? statSync(built).mtimeMs : 0;
  if (
    newest(['src', 'webview', 'examples', 'scripts/build.mjs', 'package-lock.json'].map((path) => join(root, path))) <=
    age
  )
    return;
  const result = spawnSync(node24(), [join(root, 'scripts', 'build.mjs')], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    env: withNode24(),
  });
  if (result.status !== 0) {
    console.error('The build failed; the lines above say why.');
    process.exit(1);
  }
  mkdirSync(dirname(built), { recursive: true });
  writeFileSync(built, '');
}

function newest(paths) {
  let time = 0;
  for (const path of paths) {
    if (!existsSync(path)) continue;
    const found = statSync(path);
    time = Math.max(time, found.mtimeMs);
    if (found.isDirectory()) time = Math.max(time, newest(readdirSync(path).map((name) => join(path, name))));
  }
  return time;
}
