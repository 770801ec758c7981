import { readFile, stat } from 'node:fs/promises';
import type { z } from 'zod';

/** Result files of thousands of trials stay below this; what is larger is something else. */
const maximumBytes = 256 * 1024 * 1024;

/** A JSON file that fits a schema; null when it is missing, too large, no JSON or of another form. */
export async function readDocument<T>(file: string, schema: z.ZodType<T>): Promise<T | null> {
  try {
    const found = await stat(file);
    if (!found.isFile() || found.size > maximumBytes) return null;
    return schema.safeParse(JSON.parse(await readFile(file, 'utf8'))).data ?? null;
  } catch {
    return null; // the next reader is asked; when none takes it the message lists what was looked for
  }
}
