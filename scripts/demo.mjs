// `npm run demo`: the whole loop on the example. Plain Node 20 until the dependencies are there.
import { fileURLToPath } from 'node:url';
import { continueUnderNode24, ensureBuilt, ensureDependencies } from './bootstrap.mjs';

ensureDependencies();
continueUnderNode24(fileURLToPath(import.meta.url));
ensureBuilt();

const { readOptions } = await import('./demo/options.mjs');
const options = readOptions(process.argv.slice(2));
if (options.help) console.log(options.help);
else if (options.harness) await onOwnHarness();
else await onExample();

async function onOwnHarness() {
  const { demoOnHarness } = await import('./demo/ownHarness.mjs');
  process.exitCode = demoOnHarness(options);
}

/** With --open, a workspace that an earlier run made is opened as it was left. */
async function onExample() {
  const { demoOnExample } = await import('./demo/example.mjs');
  const { latestWorkspace } = await import('./demo/workspace.mjs');
  const earlier = options.open ? latestWorkspace() : undefined;
  const workspace = earlier ?? demoOnExample(options);
  if (!options.open) return;
  const { openWorkspace } = await import('./demo/open.mjs');
  await openWorkspace(workspace);
}
