import { readFile, realpath, stat } from 'node:fs/promises';
import { basename, isAbsolute, relative, resolve, sep } from 'node:path';
import { z } from 'zod';
import { EnvironmentError, InputError } from '../errors';
import { isMissing, parseJson, readTextIfPresent, storePaths } from '../store';
import { HarnessConfig } from './config';
import { keySuggestions } from './keySuggestions';

/** A harness repository that was opened for work. */
export interface Harness {
  /** Absolute path with symbolic links resolved. */
  root: string;
  name: string;
  config: HarnessConfig;
  /** Path of `harness.json`, null when the defaults hold. */
  configFile: string | null;
}

/**
 * Opens a folder as a harness; reads `.harnessmith/harness.json` when there is one.
 * @throws InputError when the folder does not exist or the configuration is wrong, naming the place.
 */
export async function openHarness(folder: string): Promise<Harness> {
  let root: string;
  try {
    root = await realpath(resolve(folder));
    if (!(await stat(root)).isDirectory()) throw new InputError(`${folder} is not a folder.`, noFolder);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError(`${folder} does not exist or cannot be read.`, { ...noFolder, cause: error });
  }
  const file = storePaths(root).harnessJson;
  const text = await readTextIfPresent(file);
  const config = text === undefined ? HarnessConfig.parse({}) : parseConfig(text, file);
  for (const entry of [...config.roots, ...config.traces]) resolveInside(root, entry);
  return { root, name: config.name ?? basename(root), config, configFile: text === undefined ? null : file };
}

/** @throws InputError naming the entries that are wrong, with the keys that were probably meant. */
function parseConfig(text: string, file: string): HarnessConfig {
  try {
    return parseJson(text, HarnessConfig, file);
  } catch (error) {
    const cause = error instanceof InputError ? error.cause : undefined;
    const meant = cause instanceof z.ZodError ? keySuggestions(cause, HarnessConfig) : [];
    if (!(error instanceof InputError) || meant.length === 0) throw error;
    throw new InputError(error.message, {
      code: error.code,
      nextStep: `Correct the entries named: ${meant.join('; ')}.`,
      cause,
    });
  }
}

const noFolder = { code: 'harness-missing', nextStep: 'Give the folder of a harness repository.' };

/**
 * Absolute path of something in the repository.
 * @throws InputError when it would lie outside. Symbolic links are not looked at, see `realInside`.
 */
export function resolveInside(root: string, path: string): string {
  const full = resolve(root, path);
  if (isAbsolute(path) ? !isInside(root, path) : !isInside(root, full)) throw outside(path);
  return full;
}

/**
 * Like `resolveInside`, and no symbolic link on the way may lead out of the repository.
 * The last part of the path may be missing (a file that will be made).
 * @throws InputError when it leads outside.
 */
export async function realInside(root: string, path: string): Promise<string> {
  const full = resolveInside(root, path);
  const realRoot = await realpath(root);
  let existing = full;
  while (existing !== root && existing.length > root.length) {
    try {
      if (!isInside(realRoot, await realpath(existing))) throw outside(path);
      return full;
    } catch (error) {
      if (!isMissing(error)) throw error;
      existing = resolve(existing, '..');
    }
  }
  return full;
}

function isInside(root: string, full: string): boolean {
  const way = relative(root, full);
  return way === '' || (way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way));
}

function outside(path: string): InputError {
  return new InputError(`${path} lies outside the harness repository.`, {
    code: 'path-outside',
    nextStep: 'Use a path inside the repository.',
  });
}

/** Text of a file of the harness, given its path relative to the root. @throws InputError, EnvironmentError */
export async function readHarnessFile(harness: Pick<Harness, 'root'>, path: string): Promise<string> {
  const full = await realInside(harness.root, path);
  try {
    return await readFile(full, 'utf8');
  } catch (error) {
    if (isMissing(error)) {
      throw new InputError(`${path} is no longer in the repository.`, {
        code: 'file-missing',
        nextStep: 'Refresh the handbook.',
        cause: error,
      });
    }
    throw new EnvironmentError(`${path} cannot be read.`, {
      code: 'read-failed',
      nextStep: 'Check its permissions.',
      cause: error,
    });
  }
}
