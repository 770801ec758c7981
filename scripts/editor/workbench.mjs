// A workbench on the screen of a browser without a window: what the end-to-end test and the screenshots start from.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { launchBrowser } from './browser.mjs';
import { startCodeServer } from './codeServer.mjs';
import { addressOf } from './hostTests.mjs';
import { temporaryFolder } from './paths.mjs';
import { quietSettings } from './settings.mjs';
import { stageExtension } from './stage.mjs';

/**
 * Opens `workspace` (a folder, a workspace file, or null) in a real workbench with the extension installed. Options:
 * settings (user settings on top of the quiet ones), trusted, size. Resolves with { page, server, close() }.
 */
export async function openWorkbench(
  workspace,
  { settings = {}, trusted = true, size = { width: 1600, height: 1000 } } = {},
) {
  const folder = temporaryFolder('workbench');
  const extensionsFolder = join(folder, 'extensions');
  mkdirSync(extensionsFolder, { recursive: true });
  await stageExtension(extensionsFolder);
  const server = await startCodeServer({
    dataFolder: join(folder, 'data'),
    extensionsFolder,
    settings: { ...quietSettings, ...settings },
    trusted,
  });
  const browser = await launchBrowser();
  const page = await browser.newPage({ viewport: size });
  const close = async () => {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    await page.goto(addressOf(server.url, workspace), { timeout: 60_000 });
    await page.locator('.monaco-workbench .statusbar').waitFor({ timeout: 60_000 });
    await page.locator('.activitybar a[aria-label^="Harnessmith"]').waitFor({ timeout: 60_000 });
    return { page, server, close };
  } catch (error) {
    await close();
    throw error;
  }
}
