// Desktop VS Code: the one a person has installed (for looking), and the one downloaded for tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from './browser.mjs';
import { cacheFolder } from './paths.mjs';
import { quietSettings } from './settings.mjs';

/** The `code` command a person has installed, or undefined. */
export function findDesktopCode() {
  return ['code', 'code-insiders', 'codium'].map(findProgram).find(Boolean);
}

/** A downloaded desktop VS Code (its program), or undefined when the download is not possible. Kept in the cache. */
export async function downloadDesktop() {
  const { downloadAndUnzipVSCode, SilentReporter } = await import('@vscode/test-electron');
  try {
    return await downloadAndUnzipVSCode({
      version: 'stable',
      cachePath: join(cacheFolder(), 'vscode'),
      timeout: 15_000,
      reporter: new SilentReporter(),
    });
  } catch {
    return undefined;
  }
}

/**
 * The desktop VS Code for the host tests, or undefined when they shall use code-server. Linux without a display has no
 * place for its window. HARNESSMITH_TEST_EDITOR=code-server or =desktop decides by hand.
 */
export async function desktopForTests() {
  const wish = process.env.HARNESSMITH_TEST_EDITOR;
  if (wish === 'code-server') return undefined;
  const display = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (wish !== 'desktop' && !display) return undefined;
  const program = await downloadDesktop();
  if (!program && wish === 'desktop') throw new Error('Desktop VS Code was asked for, but could not be downloaded.');
  return program;
}

/** Runs a suites bundle in a desktop window; resolves with the parsed result file. */
export async function runInDesktop({ desktop, extension, suites, result, workspace, folder, trusted }) {
  const { runTests } = await import('@vscode/test-electron');
  const launchArgs = ['--user-data-dir', join(folder, 'data'), '--extensions-dir', join(folder, 'none')];
  if (trusted) launchArgs.push('--disable-workspace-trust');
  if (process.getuid?.() === 0) launchArgs.push('--no-sandbox');
  if (workspace) launchArgs.unshift(workspace);
  const { mkdirSync, writeFileSync } = await import('node:fs');
  mkdirSync(join(folder, 'data', 'User'), { recursive: true });
  writeFileSync(join(folder, 'data', 'User', 'settings.json'), JSON.stringify(quietSettings));
  const wrapper = join(folder, 'desktop.cjs');
  writeFileSync(
    wrapper,
    `exports.run = async () => {
  const outcome = await require(${JSON.stringify(suites)}).run();
  require('node:fs').writeFileSync(${JSON.stringify(result)}, JSON.stringify(outcome));
};\n`,
  );
  await runTests({
    vscodeExecutablePath: desktop,
    extensionDevelopmentPath: extension,
    extensionTestsPath: wrapper,
    launchArgs,
  });
  return JSON.parse(readFileSync(result, 'utf8'));
}
