import { isUtf8 } from 'node:buffer';
import { lstat, readFile } from 'node:fs/promises';
import { join, posix, win32 } from 'node:path';
import ignore from 'ignore';
import { EnvironmentError } from '../errors';
import { isMissing, storeFolderName } from '../store';

export interface Refusal {
  reason: string;
}

/** Texts of files that are changed in an editor and not saved, by path; they count as the present text. */
export type UnsavedTexts = ReadonlyMap<string, string>;

/** Larger files are generated or data; a model cannot have read them. */
const maximumBytes = 2 * 1024 * 1024;

/**
 * A path of an edit as it is used from here on, relative with `/`, or why it must not be touched. Looks at the text
 * alone; `checkEditPath` also looks at the disk.
 */
export function normalizeEditPath(path: string): { file: string } | Refusal {
  if (path === '' || [...path].some((char) => char < ' ')) return { reason: 'the path is empty or not printable' };
  if (path.includes('\\')) return { reason: 'the path must be written with "/"' };
  if (posix.isAbsolute(path) || win32.isAbsolute(path) || /^[a-z]:/i.test(path)) {
    return { reason: 'the path is absolute; it must be relative to the repository' };
  }
  const file = posix.normalize(path);
  if (file === '..' || file.startsWith('../')) return { reason: 'the path lies outside the repository' };
  if (file === '.' || file.endsWith('/')) return { reason: 'the path is a folder' };
  for (const part of file.split('/')) {
    const plain = asFileSystemsSeeIt(part);
    if (plain === '.git' || /^git~\d+$/.test(plain)) return { reason: 'the path lies in .git' };
    if (plain === storeFolderName) return { reason: `the path lies in ${storeFolderName}` };
  }
  return { file };
}

/** Some file systems ignore case, trailing dots and blanks, and invisible characters; `.GIT .` is `.git` there. */
function asFileSystemsSeeIt(part: string): string {
  return part
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .replace(/[. ]+$/, '')
    .toLowerCase();
}

/**
 * Checks that a proposal may touch a file: inside the repository, not in `.git` or the store, not protected, not
 * through a symbolic link, not in a nested repository. Returns the path to use, or the reason to refuse.
 */
export async function checkEditPath(
  root: string,
  path: string,
  protectedPatterns: readonly string[],
): Promise<{ file: string } | Refusal> {
  const normalized = normalizeEditPath(path);
  if ('reason' in normalized) return normalized;
  const { file } = normalized;
  if (ignore().add(protectedPatterns).ignores(file)) return { reason: 'the file is protected (harness.json)' };
  const parts = file.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const part = parts.slice(0, depth).join('/');
    const found = await entryAt(join(root, part));
    if (!found) break;
    const isFile = depth === parts.length;
    if (found.isSymbolicLink()) return { reason: `${part} is a symbolic link` };
    if (isFile && !found.isFile()) return { reason: 'the path is not a regular file' };
    if (!isFile && !found.isDirectory()) return { reason: `${part} is not a folder` };
    if (!isFile && (await entryAt(join(root, part, '.git')))) return { reason: `${part} is a repository of its own` };
  }
  return { file };
}

async function entryAt(path: string) {
  try {
    return await lstat(path);
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new EnvironmentError(`${path} cannot be looked at.`, {
      code: 'read-failed',
      nextStep: 'Check its permissions.',
      cause: error,
    });
  }
}

/**
 * The text of a file as it is now, null when there is none, or why it cannot be edited as text: only files that
 * survive decoding and encoding unchanged are.
 */
export async function readEditable(
  root: string,
  file: string,
  unsaved?: UnsavedTexts,
): Promise<{ text: string | null } | Refusal> {
  const typed = unsaved?.get(file);
  if (typed !== undefined) return { text: typed };
  let bytes: Buffer;
  try {
    bytes = await readFile(join(root, file));
  } catch (error) {
    if (isMissing(error)) return { text: null };
    throw new EnvironmentError(`${file} cannot be read.`, {
      code: 'read-failed',
      nextStep: 'Check its permissions.',
      cause: error,
    });
  }
  if (bytes.length > maximumBytes) return { reason: 'the file is over 2 MB' };
  if (bytes.includes(0) || !isUtf8(bytes)) return { reason: 'the file is not UTF-8 text' };
  return { text: bytes.toString('utf8') };
}
