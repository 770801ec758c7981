// What must not be in the repository: places of one machine, registry addresses, promises instead of code.
import { linesMatching, ownCode, projectFiles, textOf } from './sources.mjs';

const isText = (path) => !/\.(png|gif|jpe?g|ico|ttf|woff2?|wasm|zip|eval|gz|db|vsix)$/.test(path);
// Fixtures are recorded elsewhere and keep their origin's paths.
const ours = () => projectFiles().filter((path) => isText(path) && !/(^|\/)fixtures\/|\/traces\//.test(path));

// Put together here, so that this file does not find itself.
const machine = new RegExp(['(?<![\\w.~*/-])/(root|work|home/[a-z]\\w+)/(?!\\*)', '/Users/[a-z]\\w+/'].join('|'));
const registries = [
  ['registry', 'npmjs'],
  ['npm', 'mirror'],
  ['pypi', 'org/simple'],
  ['files', 'pythonhosted'],
  ['artif', 'actory'],
];
const registry = new RegExp(registries.map((parts) => parts.join('\\W?')).join('|'), 'i');
const promise = new RegExp(
  `\\b(${['TO' + 'DO', 'FIX' + 'ME', 'not yet ' + 'implemented', 'for ' + 'now'].join('|')})\\b`,
);

function lockFile() {
  const addresses = linesMatching(['package-lock.json'], /"resolved": "https?:/);
  return addresses.length > 0 ? [`${addresses.length} entries of package-lock.json name a registry (resolved).`] : [];
}

function pinned() {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(textOf('package.json'));
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !/^\d/.test(version))
    .map(([name, version]) => `${name} ${version} is not an exact version.`);
}

export const checks = [
  { title: 'no path of one machine', find: () => linesMatching(ours(), machine) },
  {
    title: 'no registry host',
    find: () =>
      linesMatching(
        ours().filter((path) => path !== 'package-lock.json'),
        registry,
      ),
  },
  { title: 'lock file without addresses', find: lockFile },
  { title: 'exact versions', find: pinned },
  {
    title: 'no promise instead of code',
    find: () =>
      linesMatching(
        ownCode().filter((path) => /^(src|webview|scripts)\//.test(path)),
        promise,
      ),
  },
];
