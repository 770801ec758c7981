import { z } from 'zod';

const LanguageStats = z.object({ files: z.int(), functions: z.int(), lines: z.int() });

export const IndexStats = z.object({
  /** Files in the graph. */
  files: z.int(),
  /** Read and analyzed this time; the others were reused. */
  parsed: z.int(),
  reused: z.int(),
  removed: z.int(),
  skipped: z.array(z.object({ path: z.string(), reason: z.string() })),
  functions: z.int(),
  classes: z.int(),
  calls: z.int(),
  /** Calls that lead to code of the harness or to a boundary. */
  resolved: z.int(),
  /** Calls of libraries and built-in types. */
  external: z.int(),
  unresolved: z.int(),
  /** Files with places the parser could not understand. */
  filesWithErrors: z.int(),
  perLanguage: z.record(z.string(), LanguageStats),
  milliseconds: z.number(),
  /** The folder may only be read: the next process begins anew. */
  inMemory: z.literal(true).optional(),
  /** Largest resident set of this process so far, in bytes. */
  peakMemory: z.number(),
});
export type IndexStats = z.infer<typeof IndexStats>;

/** What is said of a graph itself, however it was made. */
export const GraphCounts = IndexStats.omit({
  parsed: true,
  reused: true,
  removed: true,
  skipped: true,
  milliseconds: true,
  inMemory: true,
  peakMemory: true,
});
export type GraphCounts = z.infer<typeof GraphCounts>;
