import { z } from 'zod';

/** Three independent axes (reward, missing verdict, exception): a timed-out trial may have passed. */
export const Outcome = z.object({
  verdict: z.enum(['pass', 'fail', 'missing', 'unknown']),
  reward: z.number().nullable(),
  /** Type of the exception recorded beside the trace, such as `AgentTimeoutError`. */
  exception: z.string().nullable(),
  /** File the verdict was read from, relative to the trace's folder; null when nothing was found. */
  source: z.string().nullable(),
});
export type Outcome = z.infer<typeof Outcome>;

/** Token counts as recorded, after de-duplication; null = not recorded. */
export const Tokens = z.object({
  input: z.number().nullable(),
  output: z.number().nullable(),
  cached: z.number().nullable(),
  inputIncludesCached: z.boolean().nullable(),
  /** Tokens written to the cache, where that is recorded apart; not part of `input` unless that includes cached ones. */
  cacheWrite: z.number().nullable().optional(),
});
export type Tokens = z.infer<typeof Tokens>;

export const ToolCall = z.object({ id: z.string(), name: z.string(), args: z.unknown() });
export type ToolCall = z.infer<typeof ToolCall>;

export const ToolResult = z.object({
  /** Id of the call it answers; null when it answers none that is in the trace. */
  callId: z.string().nullable(),
  text: z.string(),
  isError: z.boolean(),
});
export type ToolResult = z.infer<typeof ToolResult>;

/** Where the original record lies. */
export const RawRange = z.object({
  file: z.string(),
  offset: z.int(),
  length: z.int(),
  /** The member of the archive, when `file` is one. Offsets are in the unpacked member then. */
  part: z.string().optional(),
});
export type RawRange = z.infer<typeof RawRange>;

export const StepKind = z.enum(['system', 'user', 'agent', 'tool', 'event']);
export type StepKind = z.infer<typeof StepKind>;

/** One model turn, tool result, message or event. Steps of a run count from 1. */
export const Step = z.object({
  n: z.int().min(1),
  kind: StepKind,
  /** For events: what happened, such as `compaction`, `limit`, `exception`. */
  event: z.string().optional(),
  text: z.string(),
  reasoning: z.string().optional(),
  calls: z.array(ToolCall),
  results: z.array(ToolResult),
  model: z.string().optional(),
  tokens: Tokens.optional(),
  costUsd: z.number().nullable().optional(),
  time: z.string().optional(), // ISO 8601, as recorded
  seconds: z.number().optional(), // recorded duration
  /** Copied from an earlier run (not counted). */
  copied: z.boolean().optional(),
  /** Id of a sub-agent run this step started. */
  startsRun: z.string().optional(),
  raw: RawRange.optional(),
});
export type Step = z.infer<typeof Step>;

/** The head of one run: what a list shows. */
export const TraceRun = z.object({
  /** `file` for single-run files, `file#n` (n from 0) where a file holds several. `file` is absolute. */
  id: z.string(),
  file: z.string(),
  format: z.string(), // id of the reader
  formatVersion: z.string().nullable(),
  sessionId: z.string().nullable(),
  task: z.string().nullable(),
  trial: z.string().nullable(),
  agent: z.string().nullable(),
  agentVersion: z.string().nullable(),
  model: z.string().nullable(),
  started: z.string().nullable(),
  ended: z.string().nullable(),
  outcome: Outcome,
  exitStatus: z.string().nullable(),
  tokens: Tokens,
  costUsd: z.number().nullable(),
  counts: z.object({
    steps: z.int(),
    modelTurns: z.int(),
    toolCalls: z.int(),
    resultsLinked: z.int(),
    resultsOrphan: z.int(),
    toolErrors: z.int(),
    noActionTurns: z.int(),
    userMessages: z.int(),
    compactions: z.int(),
    subagentRuns: z.int(),
  }),
  endsTruncated: z.boolean(),
  /** The first user message, shortened; to recognise a run that has no task. */
  title: z.string().nullable().optional(),
  /** The version of the harness that made the run, where an optimizer's run folder tells it. */
  candidate: z.string().nullable().optional(),
  /** Scores as recorded, by name; several may stand beside each other and none needs to be a verdict. */
  scores: z.record(z.string(), z.unknown()).optional(),
  /** Class names the trace's header gives for parts of the harness, such as its environment. */
  components: z.array(z.string()).optional(),
  /** Files of sub-agent runs that this run started and that lie beside it. */
  memberFiles: z.array(z.string()).optional(),
  /** Files that hold single records of this run, where a format writes one file for each. */
  partFiles: z.array(z.string()).optional(),
  /** Id of the run that started this one, when it was imported too. */
  memberOf: z.string().nullable().optional(),
  /** File with the places of its steps, so that a large trace opens without being read again. */
  places: z.string().optional(),
  /** What could not be read, in words, with places. */
  warnings: z.array(z.string()),
});
export type TraceRun = z.infer<typeof TraceRun>;

/** What a virtual row shows; bodies are read on demand. */
export const StepSummary = z.object({
  n: z.int(),
  kind: StepKind,
  event: z.string().optional(),
  /** First characters of the text, at most 400, control characters removed. */
  preview: z.string(),
  textLength: z.int(),
  calls: z.array(z.object({ name: z.string(), preview: z.string() })),
  isError: z.boolean(),
  tokensOut: z.number().nullable(),
  time: z.string().optional(),
  copied: z.boolean().optional(),
});
export type StepSummary = z.infer<typeof StepSummary>;

/** A file that no reader took, and why. */
export const UnknownFile = z.object({ file: z.string(), reason: z.string() });
export type UnknownFile = z.infer<typeof UnknownFile>;
