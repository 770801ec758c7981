import { readdir, readFile, stat } from 'node:fs/promises';
import { join, posix } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { EnvironmentError, messageOf, throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import { readTextIfPresent, storeFolderName } from '../store';
import type { Harness } from './harness';
import { ownScopePackages } from './scopePackages';

/** A file of the harness; `path` is relative to the root, with `/`. */
export interface HarnessFile {
  path: string;
  bytes: number;
  mtimeMs: number;
}

export interface SkippedFile {
  path: string;
  reason: string;
}

export interface WalkResult {
  files: HarnessFile[];
  /** Files that are of a readable kind but were left out, and why. Ignored files are not listed. */
  skipped: SkippedFile[];
}

/** Folders that never hold the harness's own source. */
const foreignFolders = new Set([
  '.git',
  '.hg',
  '.svn',
  storeFolderName,
  'node_modules',
  '__pycache__',
  '.venv',
  'venv',
  '.tox',
  '.mypy_cache',
  '.pytest_cache',
  '.ruff_cache',
  '.idea',
  '.vscode',
  '.vscode-test',
  'coverage',
  'site-packages',
  'target',
  '.next',
  '.cache',
]);

/** Build output; skipped only where the source it is made from is beside it. */
const builtFolders = new Set(['dist', 'build', 'out', 'lib']);
const sourceFolders = ['src', 'source', 'packages'];

/** Larger files are generated or data; parsing them helps nobody. */
const maximumBytes = 2 * 1024 * 1024;

/**
 * Lists the files of a harness by path: under its roots, without what git ignores, without foreign and generated
 * folders, but with installed packages of the harness's own npm scope. Symbolic links are not followed, so loops and files outside cannot be reached.
 */
export async function walkFiles(harness: Harness, work: WorkOptions = {}): Promise<WalkResult> {
  const result: WalkResult = { files: [], skipped: [] };
  const excluded = ignore().add(harness.config.exclude);
  const seen = new Set<string>();
  for (const root of harness.config.roots) {
    const start = posix.normalize(root.replaceAll('\\', '/')).replace(/\/$/, '');
    await walkFolder(start === '.' ? '' : start, [], true);
  }
  result.files.sort((a, b) => (a.path < b.path ? -1 : 1));
  return result;

  async function walkFolder(folder: string, inherited: readonly Rules[], isRoot = false): Promise<void> {
    throwIfCancelled(work.signal, 'Listing files');
    if (seen.has(folder)) return;
    seen.add(folder);
    const entries = await list(join(harness.root, folder), isRoot);
    if (!entries) {
      result.skipped.push({ path: folder, reason: 'the folder cannot be read' });
      return;
    }
    const rules = [...inherited];
    if (entries.some((entry) => entry.name === '.gitignore' && entry.isFile())) {
      const text = await readTextIfPresent(join(harness.root, folder, '.gitignore'));
      if (text) rules.push({ folder, ignore: ignore({ allowRelativePaths: true }).add(text) });
    }
    const hasSource = entries.some((entry) => entry.isDirectory() && sourceFolders.includes(entry.name));
    for (const entry of entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory()) {
        if (entry.name === 'node_modules') {
          // Git ignores them, so the rules above do not hold inside; the excludes of harness.json do.
          for (const part of await ownScopePackages(harness.root, folder)) {
            if (!excluded.ignores(`${part}/`)) await walkFolder(part, []);
          }
        }
        if (foreignFolders.has(entry.name) || (builtFolders.has(entry.name) && hasSource)) continue;
        if (!isIgnored(`${path}/`)) await walkFolder(path, rules);
      } else if (entry.isFile() && !isIgnored(path)) {
        await addFile(path);
      }
    }

    function isIgnored(path: string): boolean {
      if (excluded.ignores(path)) return true;
      return rules.some((rule) => rule.ignore.ignores(rule.folder === '' ? path : path.slice(rule.folder.length + 1)));
    }
  }

  async function addFile(path: string): Promise<void> {
    const found = await stat(join(harness.root, path)).catch(() => undefined);
    if (!found) return; // removed while we listed
    if (found.size > maximumBytes) {
      if (isTextKind(path))
        result.skipped.push({
          path,
          reason: `it is ${(found.size / 1024 / 1024).toFixed(1)} MB; files over 2 MB are not indexed`,
        });
      return;
    }
    result.files.push({ path, bytes: found.size, mtimeMs: found.mtimeMs });
    if (result.files.length % 500 === 0) work.progress?.({ message: 'Listing files', done: result.files.length });
  }
}

interface Rules {
  folder: string;
  ignore: Ignore;
}

async function list(folder: string, isRoot: boolean) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (!isRoot) return undefined;
    throw new EnvironmentError(`The folder ${folder} cannot be read: ${messageOf(error)}`, {
      code: 'root-unreadable',
      nextStep: 'Check "roots" in harness.json and the permissions of the folder.',
      cause: error,
    });
  }
}

function isTextKind(path: string): boolean {
  return /\.(py|ts|tsx|mts|cts|js|jsx|mjs|cjs|md|txt|ya?ml|json|toml|j2|jinja2?)$/i.test(path);
}

/** True for content that is no text: NUL bytes in the first 8 KB. */
export function looksBinary(content: Uint8Array): boolean {
  return content.subarray(0, 8192).includes(0);
}

/** Content of a listed file as bytes, or undefined when it was removed meanwhile. */
export function readListed(harness: Harness, file: HarnessFile): Promise<Buffer | undefined> {
  return readFile(join(harness.root, file.path)).catch(() => undefined);
}
