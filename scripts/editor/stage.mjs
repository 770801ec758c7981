// Puts the extension, exactly as the VSIX would hold it, unpacked into an extensions folder.
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root as repositoryRoot } from '../bootstrap.mjs';

/** Copies the files the VSIX would contain into `<extensionsFolder>/<publisher>.<name>-<version>`; returns that folder. */
export async function stageExtension(extensionsFolder) {
  const { listFiles, PackageManager } = await import('@vscode/vsce');
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8'));
  const folder = join(extensionsFolder, `${manifest.publisher}.${manifest.name}-${manifest.version}`);
  mkdirSync(folder, { recursive: true });
  const files = await listFiles({ cwd: repositoryRoot, packageManager: PackageManager.None });
  for (const file of files) cpSync(join(repositoryRoot, file), join(folder, file), { recursive: true });
  return folder;
}

/**
 * Writes the small extension that runs mocha inside the extension host. It starts when the window is ready, loads
 * `suites` (a CommonJS bundle exporting `run()`) and writes what `run` returns to `result`.
 */
export function stageRunner(extensionsFolder, { suites, result }) {
  const folder = join(extensionsFolder, 'harnessmith-test.host-test-runner-1.0.0');
  mkdirSync(folder, { recursive: true });
  const manifest = {
    name: 'host-test-runner',
    publisher: 'harnessmith-test',
    version: '1.0.0',
    engines: { vscode: '^1.106.0' },
    main: './main.cjs',
    activationEvents: ['onStartupFinished'],
    extensionKind: ['workspace'],
    capabilities: { untrustedWorkspaces: { supported: true }, virtualWorkspaces: true },
  };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, null, 2));
  writeFileSync(
    join(folder, 'main.cjs'),
    `const fs = require('node:fs');
const result = ${JSON.stringify(result)};
// Renamed at the end so that a reader never sees half of it.
const report = (value) => {
  fs.writeFileSync(result + '.tmp', JSON.stringify(value));
  fs.renameSync(result + '.tmp', result);
};
exports.activate = () => {
  // Not awaited: activation of the runner must end before the tests look at activation.
  setTimeout(() => {
    Promise.resolve()
      .then(() => require(${JSON.stringify(suites)}).run())
      .then(report, (error) => report({ error: String((error && error.stack) || error), tests: [] }));
  }, 0);
};
`,
  );
  return folder;
}
