import { z } from 'zod';

/** A place in the source that a claim points to. `hash` is of the text of the lines, see `siteHash`. */
export const Site = z.object({
  file: z.string(),
  /** Qualified name of the enclosing definition; empty for text files and module level. */
  symbol: z.string(),
  start: z.int().min(1),
  end: z.int().min(1),
  hash: z.string(),
});
export type Site = z.infer<typeof Site>;

/** fresh: text is there; moved: found at other lines; stale: the text changed. */
export const SiteState = z.enum(['fresh', 'moved', 'stale']);
export type SiteState = z.infer<typeof SiteState>;

export const UnitKind = z.enum([
  'entry',
  'config_load',
  'config_defaults',
  'main_loop',
  'loop_step',
  'prompt_assembly',
  'system_prompt',
  'model_call',
  'retry',
  'response_parse',
  'tool_registry',
  'tool_dispatch',
  'tool_shell',
  'tool_read',
  'tool_edit',
  'tool_write',
  'tool_search',
  'tool_submit',
  'permission',
  'exec_boundary',
  'observation',
  'truncation',
  'compaction',
  'termination',
  'limits',
  'format_error',
  'trajectory',
  'accounting',
  'subagents',
  'memory_files',
  'stop',
  'other',
]);
export type UnitKind = z.infer<typeof UnitKind>;

export const StageKind = z.enum([
  'configure',
  'setup',
  'onset',
  'loop',
  'finish',
  'side_flow',
  'cross_cut',
  'subsystem',
]);
export type StageKind = z.infer<typeof StageKind>;

export const Author = z.enum(['person', 'model']);
export type Author = z.infer<typeof Author>;

/** Words of a unit that were not derived from the source. */
export const UnitWords = z.object({
  title: Author.optional(),
  summary: Author.optional(),
  /** The model that wrote its part, and when (ISO 8601). */
  model: z.string().optional(),
  at: z.string().optional(),
  /** Places that the sentences of the model cite, `file:start-end`. */
  evidence: z.array(z.string()).optional(),
  /** True when a model described an older text of the unit; those words are left out. */
  outdated: z.boolean().optional(),
});
export type UnitWords = z.infer<typeof UnitWords>;

/** A line that raises an error, or that catches one or takes another way instead. */
export const Failure = z.object({
  does: z.enum(['raises', 'handles']),
  /** The error as the line names it. */
  name: z.string().optional(),
  file: z.string(),
  line: z.int(),
});
export type Failure = z.infer<typeof Failure>;

/** One coherent behaviour. May own whole definitions or a region of one. */
export const Unit = z.object({
  /** Derived from the symbols it owns, never from a position. */
  id: z.string(),
  kind: UnitKind,
  title: z.string(),
  /** One or two sentences generated from the graph; never prose that nothing backs. */
  summary: z.string(),
  stage: z.string(),
  /** Run order inside the stage, from 1; absent where order means nothing. */
  order: z.int().optional(),
  /** The first one is where a click goes. */
  sites: z.array(Site).min(1),
  /** Graph node ids whose home is this unit. */
  members: z.array(z.string()),
  /** Graph ids of prompts, tools and configuration keys it depends on. */
  prompts: z.array(z.string()),
  tools: z.array(z.string()),
  config: z.array(z.string()),
  registers: z.array(z.string()),
  /** Unit ids it calls, in source order, and that call it. */
  calls: z.array(z.string()),
  callers: z.array(z.string()),
  /** The same where the source alone does not tell which of several definitions runs. */
  mayCall: z.array(z.string()).optional(),
  mayBeCalledBy: z.array(z.string()).optional(),
  /** Error and fallback paths, in source order. */
  failures: z.array(Failure).optional(),
  /** Why it is this kind: short facts, each with a place. */
  reasons: z.array(z.string()),
  /** Set where title, description, stage or members come from a person or a model (overlay); a person's wins. */
  edited: Author.optional(),
  /** Who wrote which words, where they are not derived. */
  words: UnitWords.optional(),
  /** A person wants it at the top of its stage. */
  pinned: z.boolean().optional(),
  /** All of it lies in tests, examples, documents or another program of the repository: no run goes through it. */
  apart: z.boolean().optional(),
  /** A concern without a kind of its own that the code is named for: `MCP client`, `Sandbox`, `Hooks`. */
  area: z.string().optional(),
  /** Heading of the unit in a stage that holds many. */
  group: z.string().optional(),
});
export type Unit = z.infer<typeof Unit>;

export const Stage = z.object({
  id: z.string(),
  kind: StageKind,
  title: z.string(),
  units: z.array(z.string()),
});
export type Stage = z.infer<typeof Stage>;

export const RegisterSite = z.object({ access: z.enum(['init', 'reset', 'write', 'read']), site: Site });

export type RegisterSite = z.infer<typeof RegisterSite>;

/** State that crosses iterations or stages. */
export const Register = z.object({
  id: z.string(),
  name: z.string(),
  owner: z.string(),
  scope: z.enum(['attribute', 'local', 'closure', 'global', 'file']),
  sites: z.array(RegisterSite),
});
export type Register = z.infer<typeof Register>;

/** How the entries of `handbook.json` found their place in a map. */
export const OverlayPlacement = z.object({
  /** Key of an entry and the unit it speaks of now; another id when the unit was found again by its symbols. */
  placed: z.record(z.string(), z.string()),
  /** Units that were merged into another one, by key. */
  merged: z.record(z.string(), z.string()),
  /** Functions that were moved by hand, and the unit that is their home now. */
  moved: z.record(z.string(), z.string()),
  /** Entries that no unit answers to any more. They stay in the file. */
  orphans: z.array(z.object({ key: z.string(), title: z.string().optional(), why: z.string() })),
});
export type OverlayPlacement = z.infer<typeof OverlayPlacement>;

/** One statement of a round, or a function it runs through, in run order. */
export const RunStep = z.object({
  unit: z.string(),
  kind: UnitKind,
  site: Site,
  /** Before the first round, in every round, or after the last one. */
  phase: z.enum(['before', 'loop', 'after']),
});
export type RunStep = z.infer<typeof RunStep>;

/** The derived map; people's and models' words are laid over it from `handbook.json`. */
export const BehaviourMap = z.object({
  schemaVersion: z.literal(1),
  harness: z.string(),
  /** Units of kind main_loop, most likely first. Empty when none was found, see `notFound`. */
  loops: z.array(z.string()),
  stages: z.array(Stage),
  units: z.array(Unit),
  /** What the first loop does, in run order; a unit may stand here several times. */
  steps: z.array(RunStep).optional(),
  registers: z.array(Register),
  /** Graph ids of the tools that the model of the loop is offered, those every harness has first; others are declared too. */
  modelTools: z.array(z.string()).optional(),
  /** Code lines without a home, by file. */
  unassigned: z.array(z.object({ file: z.string(), start: z.int(), end: z.int() })),
  /** What was looked for and not found, in words. */
  notFound: z.array(z.string()),
  /** Absent when nothing was added to the map. */
  overlay: OverlayPlacement.optional(),
  counts: z.object({
    files: z.int(),
    functions: z.int(),
    codeLines: z.int(),
    assignedLines: z.int(),
    prompts: z.int(),
    tools: z.int(),
    config: z.int(),
    unresolvedCalls: z.int(),
    resolvedCalls: z.int(),
  }),
});
export type BehaviourMap = z.infer<typeof BehaviourMap>;
