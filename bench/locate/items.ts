import { z } from 'zod';

const Item = z.object({
  id: z.string(),
  repo: z.string().regex(/^\w[\w.-]*\/\w[\w.-]*$/),
  parent: z.string().regex(/^[0-9a-f]{7,64}$/),
  /** Absent where it is to be read from the message of the commit. */
  request: z.string().optional(),
  commit: z
    .string()
    .regex(/^[0-9a-f]{7,64}$/)
    .optional(),
  lang: z.string().default(''),
  kind: z.array(z.string()).default([]),
  gold_files: z.array(z.string()).default([]),
  gold_symbols: z.array(z.object({ file: z.string(), name: z.string(), start: z.int(), end: z.int() })).default([]),
});
/** One request with the tree it is about and, where known, the right answer. */
export type Item = z.infer<typeof Item>;

/** Reads one item a line; the error names the line. */
export function readItems(text: string, file: string): Item[] {
  return text.split('\n').flatMap((line, at) => {
    if (line.trim() === '') return [];
    const found = Item.safeParse(JSON.parse(line));
    if (found.success && (found.data.request ?? found.data.commit) !== undefined) return [found.data];
    if (found.success) throw new Error(`${file}:${at + 1}: neither request nor commit is given.`);
    throw new Error(`${file}:${at + 1}: ${z.prettifyError(found.error)}`);
  });
}
