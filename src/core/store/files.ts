import { randomBytes } from 'node:crypto';
import { mkdir, open, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { z } from 'zod';
import { EnvironmentError, InputError } from '../errors';

/** Write, fsync, rename: readers see the old or the new content, never a part. Keeps the permissions of an old file. */
export async function writeFileAtomic(file: string, data: string | Uint8Array): Promise<void> {
  const temporary = `${file}.${process.pid}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(dirname(file), { recursive: true });
    const mode = (await stat(file).catch(() => undefined))?.mode;
    const handle = await open(temporary, 'w', mode);
    try {
      await handle.writeFile(data);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(temporary, file);
  } catch (error) {
    // When the folder is no folder there is nothing to remove; the first error is the one to tell.
    await rm(temporary, { force: true }).catch(() => undefined);
    throw new EnvironmentError(`${file} cannot be written.`, {
      code: 'write-failed',
      nextStep: 'Check the free space and the permissions of its folder; the old content is untouched.',
      cause: error,
    });
  }
}

/** Pretty-printed, with a final newline. */
export function writeJsonFile(file: string, value: unknown): Promise<void> {
  return writeFileAtomic(file, `${JSON.stringify(value, null, 2)}\n`);
}

/** True when the error says that a file or folder does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR');
}

/** The text of a file, or undefined when there is none. */
export async function readTextIfPresent(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new EnvironmentError(`${file} cannot be read.`, {
      code: 'read-failed',
      nextStep: 'Check its permissions.',
      cause: error,
    });
  }
}

/**
 * Reads and checks a JSON file.
 * @throws InputError naming the file and the place when it is missing, no JSON, or not of the schema.
 */
export async function readJsonFile<T>(file: string, schema: z.ZodType<T>): Promise<T> {
  const text = await readTextIfPresent(file);
  if (text === undefined) {
    throw new InputError(`${file} does not exist.`, { code: 'file-missing', nextStep: 'Check the path.' });
  }
  return parseJson(text, schema, file);
}

/** Parses and checks JSON text; `source` is named in errors. */
export function parseJson<T>(text: string, schema: z.ZodType<T>, source: string): T {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new InputError(`${source} is not valid JSON: ${error instanceof Error ? error.message : String(error)}`, {
      code: 'json-invalid',
      nextStep: 'Correct the file at the place named.',
      cause: error,
    });
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new InputError(`${source} is not as expected: ${describeIssues(result.error)}`, {
    code: 'json-unexpected',
    nextStep: 'Correct the entries named.',
    cause: result.error,
  });
}

/** The first three issues of a schema error, each with its place, in one line. */
export function describeIssues(error: z.ZodError): string {
  const shown = error.issues
    .slice(0, 3)
    .map((issue) => `${issue.path.map(String).join('.') || 'top level'}: ${issue.message}`);
  const more = error.issues.length - shown.length;
  return shown.join('; ') + (more > 0 ? `; and ${more} more` : '');
}
