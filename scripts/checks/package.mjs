// The VSIX: made by vsce as for a release, and held to its budget.
import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { node24, root, withNode24 } from '../bootstrap.mjs';
import { temporaryFolder } from '../editor/paths.mjs';
import { run } from '../editor/processes.mjs';

const megabytes = 12; // term vectors are most of what is above 6
const fileLimit = 80;

/** Number of entries, from the end record of the ZIP format (APPNOTE 4.3.16). */
function zipEntries(file) {
  const bytes = readFileSync(file);
  const end = bytes.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0) throw new Error(`${file} is not a ZIP file.`);
  return bytes.readUInt16LE(end + 10);
}

async function vsix() {
  const folder = temporaryFolder('vsix');
  try {
    const file = join(folder, 'extension.vsix');
    const args = [join(root, 'node_modules', '@vscode', 'vsce', 'vsce'), 'package', '--no-dependencies', '--out', file];
    const { exitCode, output } = await run(node24(), args, { cwd: root, env: withNode24() });
    if (exitCode !== 0) return [output.trim()];
    const size = statSync(file).size / 2 ** 20;
    const entries = zipEntries(file);
    const problems = [];
    if (size >= megabytes) problems.push(`The VSIX is ${size.toFixed(1)} MB; the budget is ${megabytes} MB.`);
    if (entries >= fileLimit) problems.push(`The VSIX has ${entries} files; the budget is ${fileLimit}.`);
    return { problems, note: `${size.toFixed(2)} MB, ${entries} files` };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const checks = [{ title: `VSIX under ${megabytes} MB and ${fileLimit} files`, find: vsix }];
