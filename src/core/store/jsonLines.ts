import { open } from 'node:fs/promises';
import type { z } from 'zod';
import { EnvironmentError, InputError } from '../errors';
import { describeIssues, readTextIfPresent } from './files';

/**
 * Appends one line and waits for the disk, so that what was told is kept.
 * A torn last line of an earlier crash is closed first, so that the new entry stands on its own.
 */
export async function appendJsonLine(file: string, value: unknown): Promise<void> {
  try {
    const handle = await open(file, 'a+');
    try {
      const { size } = await handle.stat();
      let separator = '';
      if (size > 0) {
        const last = Buffer.alloc(1);
        await handle.read(last, 0, 1, size - 1);
        if (last[0] !== 0x0a) separator = '\n';
      }
      await handle.appendFile(`${separator}${JSON.stringify(value)}\n`);
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw new EnvironmentError(`${file} cannot be appended to.`, {
      code: 'append-failed',
      nextStep: 'Check the free space and the permissions of its folder.',
      cause: error,
    });
  }
}

export interface JsonLines<T> {
  entries: T[];
  /** Line numbers (from 1) that a crash left half written; they are passed over. */
  torn: number[];
}

/**
 * Reads a file of one JSON object a line; none when the file is missing. Lines that are no JSON are torn writes.
 * @throws InputError when a whole line is not of the schema, because passing it over would hide a record.
 */
export async function readJsonLines<T>(file: string, schema: z.ZodType<T>): Promise<JsonLines<T>> {
  const text = await readTextIfPresent(file);
  const result: JsonLines<T> = { entries: [], torn: [] };
  if (text === undefined) return result;
  text.split('\n').forEach((line, index) => {
    if (line.trim() === '') return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      result.torn.push(index + 1);
      return;
    }
    const parsed = schema.safeParse(value);
    if (!parsed.success) {
      throw new InputError(`${file}, line ${index + 1} is not as expected: ${describeIssues(parsed.error)}`, {
        code: 'line-unexpected',
        nextStep: 'A newer version may have written it; update Harnessmith or correct the line.',
      });
    }
    result.entries.push(parsed.data);
  });
  return result;
}
