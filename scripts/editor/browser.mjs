// Finds the Chromium that drives the workbench; on Debian as root it installs it, elsewhere it names the command.
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { run } from './processes.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'microsoft-edge'];
const places = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** The path of an installed program of this name, or undefined. */
export function findProgram(name) {
  const folders = (process.env.PATH ?? '').split(delimiter).filter(Boolean);
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The path of an installed Chromium (or HARNESSMITH_CHROMIUM), or undefined. */
export function findChromium() {
  const named = process.env.HARNESSMITH_CHROMIUM;
  if (named) {
    if (!isExecutable(named)) throw new Error(`HARNESSMITH_CHROMIUM names ${named}, which is not a program.`);
    return named;
  }
  return names.map(findProgram).find(Boolean) ?? places.find(isExecutable);
}

/** What a person types to get a Chromium. */
export const chromiumInstructions =
  'Debian or Ubuntu: sudo apt-get update && sudo apt-get install -y chromium\n' +
  'Fedora: sudo dnf install chromium    macOS: brew install --cask chromium\n' +
  'or set HARNESSMITH_CHROMIUM to the path of a Chromium or Chrome.';

/** The path of a Chromium; installs it with apt where that is possible. Throws with the commands otherwise. */
export async function ensureChromium(log = console.error) {
  const found = findChromium();
  if (found) return found;
  const apt = findProgram('apt-get');
  if (!apt || process.getuid?.() !== 0) throw new Error(`No Chromium was found. Install one:\n${chromiumInstructions}`);
  log('No Chromium was found; installing it with apt-get.');
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  await run(apt, ['update'], { env });
  const result = await run(apt, ['install', '-y', '--no-install-recommends', 'chromium', 'fonts-dejavu-core'], { env });
  const installed = findChromium();
  if (!installed) {
    throw new Error(`apt-get could not install Chromium:\n${result.output.slice(-1500)}\n${chromiumInstructions}`);
  }
  return installed;
}

/** Starts a browser without a window. The caller closes it. */
export async function launchBrowser() {
  const executablePath = await ensureChromium();
  const { chromium } = await import('playwright-core');
  // Chromium refuses its own sandbox for root, and small /dev/shm in containers makes pages crash.
  const args = ['--disable-dev-shm-usage', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])];
  return chromium.launch({ executablePath, args, timeout: 60_000 });
}
