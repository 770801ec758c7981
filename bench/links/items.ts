import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const Gold = z.object({
  file: z.string(),
  symbol: z.string(),
  start: z.int(),
  end: z.int(),
  literalLines: z.array(z.int()).optional(),
  alternative: z.boolean().optional(),
});
export type Gold = z.infer<typeof Gold>;

/** A step of a real trace and the harness code behind it. */
const Item = z.object({
  id: z.string(),
  trace: z.string(),
  step: z.string(),
  kind: z.string(),
  evidence: z.string(),
  harness: z.string(),
  commit: z.string(),
  gold: z.array(Gold).min(1),
});
export type Item = z.infer<typeof Item>;

/** Items of a JSONL file. @throws Error naming the line of a wrong one. */
export async function readItems(file: string): Promise<Item[]> {
  const lines = (await readFile(file, 'utf8')).split('\n');
  return lines.flatMap((line, at) => {
    if (line.trim() === '') return [];
    const item = Item.safeParse(JSON.parse(line));
    if (!item.success) throw new Error(`${file}:${at + 1}: ${item.error.message}`);
    return [item.data];
  });
}
