// A real VS Code workbench from npm (code-server), for machines where the desktop editor cannot be downloaded.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { node24, withNode24 } from '../bootstrap.mjs';
import { findProgram } from './browser.mjs';
import { cacheFolder } from './paths.mjs';
import { run, runOrThrow, stopGroup } from './processes.mjs';

export const codeServerVersion = '4.139.1';
const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--no-update-notifier', '--loglevel=error'];

const programOf = (folder) => join(folder, 'node_modules', 'code-server', 'out', 'node', 'entry.js');

/**
 * The code-server program (a file for Node 24); installs it into the cache folder when it is not there yet. The
 * folder appears in one step when it is complete, so a broken install is never found by a later run.
 */
export async function ensureCodeServer(log = console.error) {
  const folder = join(cacheFolder(), `code-server-${codeServerVersion}`);
  if (existsSync(programOf(folder))) return programOf(folder);
  const building = `${folder}.${process.pid}.tmp`;
  rmSync(building, { recursive: true, force: true });
  mkdirSync(building, { recursive: true });
  try {
    log(`Installing code-server ${codeServerVersion} into ${folder}; this happens once and takes about a minute.`);
    await installInto(building, log);
    try {
      renameSync(building, folder);
    } catch (error) {
      // Another run was faster; its copy is as good as ours.
      if (!existsSync(programOf(folder))) throw error;
    }
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return programOf(folder);
}

async function installInto(folder, log) {
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: 'editor', version: '1.0.0', private: true }));
  const env = { ...withNode24(), npm_config_engine_strict: 'false' };
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await runOrThrow(npm, ['install', `code-server@${codeServerVersion}`, '--save-exact', ...quiet], {
    cwd: folder,
    env,
  });
  // code-server's own postinstall does these two installs, but with every native module compiled. The server runs
  // without them, so they are built below where a compiler is at hand, and only those that are missed.
  const workbench = join(folder, 'node_modules', 'code-server', 'lib', 'vscode');
  await runOrThrow(npm, ['install', '--omit=dev', ...quiet], { cwd: workbench, env });
  await runOrThrow(npm, ['install', '--omit=dev', ...quiet], { cwd: join(workbench, 'extensions'), env });
  if (!findProgram('make') || !findProgram('g++')) return;
  const natives = ['@vscode/spdlog', '@vscode/native-watchdog'];
  const built = await run(npm, ['rebuild', ...natives], { cwd: workbench, env, timeoutMs: 5 * 60_000 });
  if (built.exitCode !== 0) log(`The log writer of code-server could not be built; it works without log files.`);
}

async function freePort() {
  const server = createServer();
  await new Promise((resolve, reject) => server.once('error', reject).listen(0, '127.0.0.1', resolve));
  const { port } = server.address();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/**
 * Starts code-server on a loopback port with its own data folder. Options: dataFolder, extensionsFolder, settings
 * (user settings), trusted (false keeps workspace trust on), env, password (asked for before anything is shown; without
 * one every program of this machine can use the editor, which is for tests). Resolves with { url, child, log(), stop() }
 * when it answers.
 */
export async function startCodeServer(options) {
  const { dataFolder, extensionsFolder, settings = {}, trusted = true, env = {}, password } = options;
  const auth = password === undefined ? 'none' : 'password';
  const entry = await ensureCodeServer();
  const port = await freePort();
  mkdirSync(join(dataFolder, 'User'), { recursive: true });
  mkdirSync(extensionsFolder, { recursive: true });
  writeFileSync(join(dataFolder, 'User', 'settings.json'), JSON.stringify(settings, null, 2));
  const config = join(dataFolder, 'config.yaml');
  writeFileSync(config, `auth: ${auth}\ncert: false\n`);
  const args = [entry, '--config', config, '--auth', auth, '--bind-addr', `127.0.0.1:${port}`];
  args.push('--user-data-dir', dataFolder, '--extensions-dir', extensionsFolder);
  args.push('--disable-telemetry', '--disable-update-check', '--disable-getting-started-override');
  if (trusted) args.push('--disable-workspace-trust');
  const child = spawn(node24(), args, {
    cwd: dataFolder,
    // Not an argument, which other programs could read in the list of processes.
    env: { ...withNode24(), ...env, ...(password === undefined ? {} : { PASSWORD: password }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk) => {
      text = (text + chunk).slice(-100_000);
    });
  }
  const url = `http://127.0.0.1:${port}`;
  const server = { url, child, log: () => text, stop: () => stopGroup(child) };
  await waitUntilServing(server);
  return server;
}

async function waitUntilServing({ url, child, log, stop }) {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline && child.exitCode === null) {
    try {
      if ((await fetch(`${url}/healthz`)).ok) return;
    } catch {
      // Not listening yet.
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  await stop();
  throw new Error(`code-server did not start:\n${log().slice(-3000)}`);
}
