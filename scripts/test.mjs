// npm test: installs what is missing, builds, and runs the unit, host and end-to-end tests. Plain Node >= 20; the last
// line is `N passed, N failed`. --only unit|host|e2e|engines runs one kind; a word after --only host names one scenario.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { continueUnderNode24, ensureBuilt, ensureDependencies, node24, root, withNode24 } from './bootstrap.mjs';

const kinds = ['unit', 'host', 'e2e'];
// Real tools in a Python environment of almost a gigabyte: run when asked for.
const further = ['engines'];
const asked = process.argv.slice(2).filter((word) => word !== '--only');
const wanted = process.argv.includes('--only') ? [asked[0]] : kinds;
const known = [...kinds, ...further];
const unknown = wanted.filter((kind) => !known.includes(kind));
if (unknown.length > 0) {
  console.error(`--only takes one of ${known.join(', ')}, not "${unknown[0] ?? ''}".`);
  process.exit(2);
}

ensureDependencies();
continueUnderNode24(fileURLToPath(import.meta.url));

// Whatever ends this process early, the last line tells that the tests did not pass.
let lastLine = '0 passed, 1 failed';
process.on('exit', () => console.log(`\n${lastLine}`));

const { run } = await import('./editor/processes.mjs');
const artifacts = join(root, 'artifacts');
mkdirSync(artifacts, { recursive: true });

if (wanted.includes('host') || wanted.includes('e2e')) await requireEditor();
const engines = wanted.includes('engines') ? await requireEngines() : undefined;
ensureBuilt();

const counts = {};
for (const kind of wanted) {
  console.log(`\n${kind} tests`);
  counts[kind] = kind === 'host' ? await hostTests() : await vitest(kind);
  const { passed, failed } = counts[kind];
  console.log(`${kind}: ${passed} passed, ${failed} failed`);
  if (passed + failed === 0) {
    console.log(`${kind}: no test ran, which counts as one failure`);
    counts[kind].failed = 1;
  }
}
const passed = Object.values(counts).reduce((sum, count) => sum + count.passed, 0);
const failed = Object.values(counts).reduce((sum, count) => sum + count.failed, 0);
lastLine = `${passed} passed, ${failed} failed`;
process.exit(failed === 0 ? 0 : 1);

async function requireEditor() {
  const { ensureChromium } = await import('./editor/browser.mjs');
  const { ensureCodeServer } = await import('./editor/codeServer.mjs');
  try {
    await ensureChromium(console.log);
    await ensureCodeServer(console.log);
  } catch (error) {
    console.error(`The host and end-to-end tests need a VS Code and a Chromium.\n${error.message}`);
    console.error('Without them, npm run test:unit runs the tests that need no editor.');
    process.exit(1);
  }
}

async function requireEngines() {
  const { ensureEngines } = await import('./engines.mjs');
  try {
    return ensureEngines(console.log);
  } catch (error) {
    console.error(`The tests of the engines need Python.\n${error.message}`);
    process.exit(1);
  }
}

async function hostTests() {
  const { runHostTests } = await import('./editor/hostTests.mjs');
  const result = await runHostTests({ only: process.argv.includes('--only') ? asked[1] : undefined });
  for (const { title, message } of result.failures) console.log(`\n${title}\n${message}`);
  return result;
}

/** Runs vitest with its readable report on the screen and its JSON report in a file, and counts from the file. */
async function vitest(kind) {
  const report = join(artifacts, `${kind}-tests.json`);
  rmSync(report, { force: true });
  const args = [join('node_modules', 'vitest', 'vitest.mjs'), 'run'];
  args.push('--reporter=default', '--reporter=json', `--outputFile.json=${report}`);
  if (kind !== 'unit') args.push('--config', join('test', kind, 'vitest.config.ts'));
  const { exitCode } = await run(node24(), args, {
    cwd: root,
    env: { ...withNode24(), NO_COLOR: '1', ...(engines ? { HARNESSMITH_ENGINES: engines } : {}) },
    show: true,
    timeoutMs: 30 * 60_000,
  });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, numFailedTestSuites } = JSON.parse(readFileSync(report, 'utf8'));
  // A file that cannot be loaded has no test to fail; an error outside a test shows only in the exit code.
  const silent = exitCode !== 0 && numFailedTests === 0 ? Math.max(1, numFailedTestSuites) : 0;
  return { passed: numPassedTests, failed: numFailedTests + silent };
}
