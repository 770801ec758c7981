// The tracked files of the repository and their texts, for the checks that read them.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../bootstrap.mjs';

/** Paths of all files that are tracked, or new and not ignored; deleted ones left out. */
export function projectFiles() {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
  const listed = execFileSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 2 ** 20 });
  return [...new Set(listed.split('\0'))].filter((path) => path && existsSync(join(root, path)));
}

export function textOf(path) {
  return readFileSync(join(root, path), 'utf8');
}

export const countLines = (text) => text.split('\n').length - (text.endsWith('\n') ? 1 : 0);

const isCode = (path) => /\.(ts|tsx|mts|mjs|cjs|js)$/.test(path);

/** Code of the product itself. */
export const sourceFiles = () => projectFiles().filter((path) => /^(src|webview)\//.test(path) && isCode(path));

/** All code a person maintains here: product, tests, scripts, benchmarks, example. */
export const ownCode = () =>
  projectFiles().filter((path) => isCode(path) && !/(^|\/)(fixtures|traces|tasks)\//.test(path));

/** "path:line  text" for each line of the files that matches. */
export function linesMatching(paths, pattern) {
  return paths.flatMap((path) =>
    textOf(path)
      .split('\n')
      .flatMap((line, index) => (pattern.test(line) ? [`${path}:${index + 1}  ${line.trim().slice(0, 140)}`] : [])),
  );
}
