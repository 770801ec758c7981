import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const shared = {
  harness: z.string(),
  repo: z.string(),
  commit: z.string(),
  lang: z.string(),
  note: z.string().optional(),
};

const BehaviourRow = z.object({
  ...shared,
  kind: z.literal('behaviour'),
  behaviour: z.string(),
  role: z.enum(['main', 'part', 'prompt', 'config', 'constant', 'absent']),
  file: z.string().nullable(),
  symbol: z.string().nullable(),
  start: z.int().nullable(),
  end: z.int().nullable(),
  whole: z.boolean().optional(),
  order: z.int().nullish(),
});

const RegisterRow = z.object({
  ...shared,
  kind: z.literal('register'),
  register: z.string(),
  scope: z.string(),
  sites: z.array(
    z.object({
      access: z.enum(['init', 'write', 'read']),
      file: z.string(),
      symbol: z.string().nullable(),
      start: z.int(),
      end: z.int(),
    }),
  ),
});

const Row = z.discriminatedUnion('kind', [BehaviourRow, RegisterRow]);
export type Row = z.infer<typeof Row>;

/** A place that a reader named as an answer. */
export interface Place {
  file: string;
  symbol: string | null;
  start: number;
  end: number;
}

export interface GoldPlace extends Place {
  behaviour: string;
  role: 'main' | 'part' | 'prompt' | 'config' | 'constant';
  order: number | undefined;
}

export type GoldRegister = z.infer<typeof RegisterRow>;

/** What is known of one harness at one commit. */
export interface Gold {
  harness: string;
  repo: string;
  commit: string;
  places: GoldPlace[];
  /** Behaviours that are surely not there. */
  absent: string[];
  registers: GoldRegister[];
}

/** Reads rows of one or more files and groups them by harness, in file order. */
export async function readGold(files: readonly string[]): Promise<Gold[]> {
  const found = new Map<string, Gold>();
  for (const file of files) {
    for (const [index, line] of (await readFile(file, 'utf8')).split('\n').entries()) {
      if (line.trim() === '') continue;
      const parsed = Row.safeParse(JSON.parse(line));
      if (!parsed.success) throw new Error(`${file}:${index + 1}: ${z.prettifyError(parsed.error)}`);
      add(found, parsed.data);
    }
  }
  return [...found.values()];
}

function add(found: Map<string, Gold>, row: Row): void {
  const key = `${row.repo}@${row.commit}`;
  const gold = found.get(key) ?? {
    harness: row.harness,
    repo: row.repo,
    commit: row.commit,
    places: [],
    absent: [],
    registers: [],
  };
  found.set(key, gold);
  if (row.kind === 'register') gold.registers.push(row);
  else if (row.role === 'absent') gold.absent.push(row.behaviour);
  else if (row.file !== null && row.start !== null && row.end !== null) {
    const { file, symbol, start, end, behaviour, role } = row;
    gold.places.push({ file, symbol, start, end, behaviour, role, order: row.order ?? undefined });
  }
}
