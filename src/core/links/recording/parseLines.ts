import type { z } from 'zod';

/** Lines of JSON that fit a schema; others, such as one that was cut off, are left out. */
export function* parseLines<T>(text: string, schema: z.ZodType<T>): Generator<T> {
  for (const line of text.split('\n')) {
    if (line === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      continue; // a process was killed while it wrote
    }
    const parsed = schema.safeParse(value);
    if (parsed.success) yield parsed.data;
  }
}
