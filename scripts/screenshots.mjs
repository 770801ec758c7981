// npm run screenshots: every view in light, dark and high contrast, into artifacts/screenshots. Nothing is asserted.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueUnderNode24, ensureBuilt, ensureDependencies, node24, root, withNode24 } from './bootstrap.mjs';

ensureDependencies();
continueUnderNode24(fileURLToPath(import.meta.url));
ensureBuilt();

const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
const { status } = spawnSync(node24(), [vitest, 'run', '--config', join('test', 'e2e', 'vitest.config.ts')], {
  cwd: root,
  stdio: 'inherit',
  env: { ...withNode24(), HARNESSMITH_SCREENSHOTS: '1' },
});
console.log('The pictures are in artifacts/screenshots.');
process.exit(status ?? 1);
