// Runs the mocha suites of test/host inside a real extension host, one window a scenario, and sums the results.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root as repositoryRoot } from '../bootstrap.mjs';
import { launchBrowser } from './browser.mjs';
import { startCodeServer } from './codeServer.mjs';
import { desktopForTests, runInDesktop } from './desktop.mjs';
import { temporaryFolder } from './paths.mjs';
import { quietSettings } from './settings.mjs';
import { stageExtension, stageRunner } from './stage.mjs';
import { copyExample, writeWorkspaceFile } from './workspaces.mjs';

/** One window each: what is open in it, whether it is trusted, and the folder of test/host with its suites. */
const scenarios = [
  { suites: 'emptyWindow', trusted: true, open: () => null },
  { suites: 'harness', trusted: true, open: (folder) => copyExample(made(folder, 'tinker')) },
  { suites: 'twoRoots', trusted: true, open: twoRoots },
  { suites: 'untrusted', trusted: false, open: (folder) => copyExample(made(folder, 'tinker')) },
];

function made(folder, name) {
  const path = join(folder, name);
  mkdirSync(path, { recursive: true });
  return path;
}

function twoRoots(folder) {
  const roots = [copyExample(made(folder, 'first')), copyExample(made(folder, 'second'))];
  return writeWorkspaceFile(join(folder, 'both.code-workspace'), roots);
}

async function bundle(name, outfile) {
  const { build } = await import('esbuild');
  const folder = join(repositoryRoot, 'test', 'host', name);
  const files = readdirSync(folder).filter((file) => file.endsWith('.test.ts'));
  if (files.length === 0) throw new Error(`test/host/${name} holds no *.test.ts file.`);
  const loads = files.map((file) => `() => require(${JSON.stringify(join(folder, file))})`);
  const runner = JSON.stringify(join(repositoryRoot, 'test', 'host', 'support', 'runSuites.ts'));
  await build({
    stdin: {
      contents: `exports.run = () => require(${runner}).runSuites([${loads.join(', ')}]);`,
      resolveDir: repositoryRoot,
    },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    // As in the build of the extension: parts of the core ask where they lie.
    mainFields: ['module', 'main'],
    define: { 'import.meta.url': 'importMetaUrl' },
    banner: { js: 'const importMetaUrl=require("node:url").pathToFileURL(__filename).href;' },
    external: ['vscode', 'mocha', 'node:sqlite'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}

/**
 * Runs every scenario (or the one named). Resolves with { passed, failed, failures: {title, message}[] }. A window that
 * never reports counts as one failure that says what was on the screen.
 */
export async function runHostTests({ only, log = console.log } = {}) {
  const total = { passed: 0, failed: 0, failures: [] };
  const desktop = await desktopForTests();
  const browser = desktop ? null : await launchBrowser();
  try {
    for (const scenario of scenarios) {
      if (only && scenario.suites !== only) continue;
      const outcome = await runScenario(scenario, { desktop, browser });
      for (const test of outcome.tests) {
        log(`  ${test.error ? 'FAIL' : 'pass'}  host ${scenario.suites}: ${test.title}`);
        if (test.error) total.failures.push({ title: `${scenario.suites}: ${test.title}`, message: test.error });
      }
      if (outcome.error || outcome.tests.length === 0) {
        const message = outcome.error ?? 'The suites held no test.';
        total.failures.push({ title: `${scenario.suites}: the window did not report`, message });
        log(`  FAIL  host ${scenario.suites}: the window did not report\n${message}`);
      }
      total.passed += outcome.tests.filter((test) => !test.error).length;
    }
  } finally {
    await browser?.close();
  }
  total.failed = total.failures.length;
  return total;
}

async function runScenario(scenario, { desktop, browser }) {
  const folder = temporaryFolder('host');
  // Inside the repository, so that the bundle finds mocha in node_modules.
  const bundles = join(repositoryRoot, 'artifacts', 'host-tests');
  mkdirSync(bundles, { recursive: true });
  const suites = join(bundles, `${scenario.suites}.cjs`);
  const result = join(folder, 'result.json');
  try {
    await bundle(scenario.suites, suites);
    const extensions = made(folder, 'extensions');
    const extension = await stageExtension(extensions);
    const workspace = scenario.open(made(folder, 'workspace'));
    if (desktop)
      return await runInDesktop({ desktop, extension, suites, result, workspace, folder, trusted: scenario.trusted });
    stageRunner(extensions, { suites, result });
    return await runInWorkbench({ browser, scenario, folder, extensions, workspace, result });
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function runInWorkbench({ browser, scenario, folder, extensions, workspace, result }) {
  const server = await startCodeServer({
    dataFolder: made(folder, 'data'),
    extensionsFolder: extensions,
    settings: quietSettings,
    trusted: scenario.trusted,
  });
  const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
  try {
    await page.goto(addressOf(server.url, workspace), { timeout: 60_000 });
    const deadline = Date.now() + 4 * 60_000;
    while (!existsSync(result) && Date.now() < deadline && server.child.exitCode === null) {
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    const shot = join(repositoryRoot, 'artifacts', `host-${scenario.suites}.png`);
    await page.screenshot({ path: shot }).catch(() => undefined);
    if (existsSync(result)) return JSON.parse(readFileSync(result, 'utf8'));
    return { tests: [], error: `No result; the window is pictured in ${shot}.\n${server.log().slice(-3000)}` };
  } finally {
    await page.close();
    await server.stop();
  }
}

/** The address that opens a folder, a workspace file, or an empty window. */
export function addressOf(url, workspace) {
  if (!workspace) return `${url}/?ew=true`;
  const kind = workspace.endsWith('.code-workspace') ? 'workspace' : 'folder';
  return `${url}/?${kind}=${encodeURIComponent(workspace)}`;
}
