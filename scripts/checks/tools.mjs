// The checks that other tools make: compiler, linter, dependency rules, dead code.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { node24, root, withNode24 } from '../bootstrap.mjs';
import { run } from '../editor/processes.mjs';
import { projectFiles } from './sources.mjs';

const bin = (...path) => join(root, 'node_modules', ...path);

async function tool(args) {
  const env = { ...withNode24(), NO_COLOR: '1', FORCE_COLOR: '0' };
  const { exitCode, output } = await run(node24(), args, { cwd: root, env });
  return exitCode === 0 ? [] : [output.trim() || `exit code ${exitCode}`];
}

const typescript = (project) => tool([bin('typescript', 'bin', 'tsc'), '--noEmit', '-p', project]);
const hasPages = () => projectFiles().some((path) => /^webview\/.*\.tsx$/.test(path));
const folders = ['src', 'webview', 'test'].filter((folder) => existsSync(join(root, folder)));

export const checks = [
  { title: 'types of the core, the host and the tests (tsc)', find: () => typescript('tsconfig.json') },
  { title: 'types of the example (tsc)', find: () => typescript('examples/tinker/tsconfig.json') },
  {
    title: 'types of the pages (tsc)',
    find: () => (hasPages() ? typescript('webview/tsconfig.json') : ['There is no page in webview/.']),
  },
  { title: 'JSON Schemas are those of the code', find: () => tool([join(root, 'scripts', 'schema.mjs'), '--check']) },
  {
    title: 'lint, format and no any (biome)',
    find: () => tool([bin('@biomejs', 'biome', 'bin', 'biome'), 'ci', '--colors=off', '--max-diagnostics=30', '.']),
  },
  {
    title: 'layers and doors (dependency-cruiser)',
    find: () =>
      tool([
        bin('dependency-cruiser', 'bin', 'dependency-cruiser.mjs'),
        '--config',
        '.dependency-cruiser.cjs',
        ...folders,
      ]),
  },
  {
    title: 'no dead code, no unused dependency (knip)',
    find: () => tool([bin('knip', 'bin', 'knip.js'), '--no-progress', '--no-config-hints']),
  },
];
