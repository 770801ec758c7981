// Opens a workspace for a person: desktop `code`, else a downloaded VS Code, else code-server with a printed link.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { startCodeServer } from './codeServer.mjs';
import { downloadDesktop, findDesktopCode } from './desktop.mjs';
import { cacheFolder } from './paths.mjs';
import { runOrThrow } from './processes.mjs';
import { quietSettings } from './settings.mjs';
import { stageExtension } from './stage.mjs';

/**
 * Opens `workspace` in a real VS Code with this extension. Resolves with { kind, extension, link?, password?, stop?() }:
 * `extension` is the folder it was copied to; for code-server, `link` is a loopback address that
 * asks for `password`, and `stop` ends the server; a desktop window belongs to the person.
 */
export async function openForPerson(workspace, log = console.log) {
  const folder = join(cacheFolder(), 'demo-editor');
  const extensionsFolder = join(folder, 'extensions');
  mkdirSync(extensionsFolder, { recursive: true });
  const extension = await stageExtension(extensionsFolder);
  const installed = findDesktopCode();
  if (installed) {
    // A window of its own data folder, so that the extensions and settings of the person stay as they are.
    const data = ['--user-data-dir', join(folder, 'desktop')];
    await runOrThrow(installed, [workspace, '--new-window', ...data, `--extensionDevelopmentPath=${extension}`]);
    return { kind: 'desktop', extension };
  }
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  const downloaded = hasDisplay ? await downloadDesktop() : undefined;
  if (downloaded) {
    const args = [workspace, '--user-data-dir', join(folder, 'desktop'), `--extensionDevelopmentPath=${extension}`];
    if (process.getuid?.() === 0) args.push('--no-sandbox');
    spawn(downloaded, args, { detached: true, stdio: 'ignore' }).unref();
    return { kind: 'downloaded', extension };
  }
  log('No desktop VS Code here; starting code-server.');
  const settings = { ...quietSettings, 'chat.disableAIFeatures': false };
  // VS Code asks a person whether the folder is trusted; only the tests go without.
  delete settings['security.workspace.trust.startupPrompt'];
  delete settings['security.workspace.trust.banner'];
  const password = randomBytes(12).toString('base64url');
  const dataFolder = join(folder, 'data');
  const server = await startCodeServer({ dataFolder, extensionsFolder, settings, trusted: false, password });
  return {
    kind: 'code-server',
    extension,
    link: `${server.url}/?folder=${encodeURIComponent(workspace)}`,
    password,
    stop: server.stop,
  };
}
