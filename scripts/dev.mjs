// npm run dev: builds on every change, and opens the example in a real VS Code. Reload the window to see a change.
import { spawn } from 'node:child_process';
import { cpSync, watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueUnderNode24, ensureBuilt, ensureDependencies, root, withNode24 } from './bootstrap.mjs';

ensureDependencies();
continueUnderNode24(fileURLToPath(import.meta.url));
ensureBuilt();

const { latestWorkspace, newWorkspace } = await import('./demo/workspace.mjs');
const { openWorkspace } = await import('./demo/open.mjs');
const dist = join(root, 'dist');
const builder = spawn(process.execPath, [join(root, 'scripts', 'build.mjs'), '--watch'], {
  stdio: 'inherit',
  env: withNode24(),
});

/** The editor runs a copy of the extension; a build writes many files, so the copy waits for the last one. */
function keepCopied(extension) {
  let timer;
  watch(dist, { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => cpSync(dist, join(extension, 'dist'), { recursive: true }), 500);
  });
}

try {
  await openWorkspace(latestWorkspace() ?? newWorkspace(), keepCopied);
} finally {
  builder.kill();
}
process.exit();
