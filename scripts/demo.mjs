// `npm run demo`: the whole loop on the example. Plain Node 20 until the dependencies are there.
import { continueUnderNode24, ensureBuilt, ensureDependencies } from './bootstrap.mjs';
import { fileURLToPath } from 'node:url';

ensureDependencies();
continueUnderNode24(fileURLToPath(import.meta.url));
ensureBuilt();

const { readOptions } = await import('./demo/options.mjs');
const options = readOptions(process.argv.slice(2));
if (options.help) {
  console.log(options.help);
} else if (options.harness) {
  const { demoOnHarness } = await import('./demo/ownHarness.mjs');
  process.exitCode = demoOnHarness(options);
} else {
  const { demoOnExample } = await import('./demo/example.mjs');
  const workspace = demoOnExample(options);
  if (options.open) {
    const { openWorkspace } = await import('./demo/open.mjs');
    await openWorkspace(workspace);
  }
}
