import { z } from 'zod';

/** First line of a recording: what was run, and where the harness lay. */
export const RecordingHead = z.object({
  kind: z.literal('recording'),
  version: z.literal(1),
  /** Absolute path of the harness then. */
  root: z.string(),
  /** The commit that was checked out, when there was one, and whether files differed from it. */
  commit: z.string().nullable(),
  dirty: z.boolean(),
  /** Seconds since 1970, as all times here. */
  started: z.number(),
  ended: z.number(),
  exitCode: z.int().nullable(),
});
export type RecordingHead = z.infer<typeof RecordingHead>;

/** A function that ran. Ids are those of the whole recording. */
export const RecordedFunction = z.object({
  kind: z.literal('function'),
  id: z.int(),
  /** Relative to the harness, with `/`. */
  file: z.string(),
  name: z.string(),
  line: z.int(),
});
export type RecordedFunction = z.infer<typeof RecordedFunction>;

/** How often functions were entered between two moments of one thread of one process. */
export const RecordedWindow = z.object({
  kind: z.literal('window'),
  stream: z.string(),
  /** Before the first model call, during the n-th, or after it. */
  phase: z.enum(['before', 'model', 'after']),
  call: z.int().min(0),
  from: z.number(),
  to: z.number(),
  functions: z.array(z.tuple([z.int(), z.number()])),
});
export type RecordedWindow = z.infer<typeof RecordedWindow>;

export const RecordingLine = z.discriminatedUnion('kind', [RecordingHead, RecordedFunction, RecordedWindow]);

/** A recording that was read: what ran, in order of time. */
export interface Recording {
  head: RecordingHead;
  functions: ReadonlyMap<number, RecordedFunction>;
  windows: readonly RecordedWindow[];
}

/** Name of the file beside a trace that holds the recording of its run. */
export function recordingFile(trace: string): string {
  return `${trace}${recordingEnding}`;
}

const recordingEnding = '.recording.jsonl';
