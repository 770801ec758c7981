// Mutation score of the statistics: node scripts/mutation.mjs [options of Stryker]. Exit code 1 below the score that
// stryker.config.mjs asks for.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueUnderNode24, ensureDependencies, root, withNode24 } from './bootstrap.mjs';

ensureDependencies();
continueUnderNode24(fileURLToPath(import.meta.url));
const stryker = join(root, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
const result = spawnSync(process.execPath, [stryker, 'run', ...process.argv.slice(2)], {
  cwd: root,
  stdio: 'inherit',
  env: withNode24(),
});
process.exit(result.status ?? 1);
