import { z } from 'zod';

/** Pathologies of published taxonomies; see docs/diagnosis.md. */
export const WhyLabel = z.enum([
  'format_violation',
  'wrong_tool_or_arguments',
  'tool_affordance_missing',
  'parser_rejects_valid_output',
  'observation_truncated',
  'evidence_absent',
  'evidence_unused',
  'instruction_not_activated',
  'instruction_not_followed',
  'context_overflow',
  'lost_in_compaction',
  'loop_or_stagnation',
  'no_action_turn',
  'premature_completion',
  'missing_verification',
  'completion_without_effect',
  'limit_or_timeout',
  'recovery_missing',
  'state_corruption',
  'orchestration_error',
  'permission_block',
  'environment_fault',
  'wrong_file',
  'reasoning_error',
]);
export type WhyLabel = z.infer<typeof WhyLabel>;

/** Who has to change something: only `harness` is answered by an edit of the harness. */
export const Party = z.enum(['harness', 'model', 'environment', 'task', 'unclear']);
export type Party = z.infer<typeof Party>;

/** The five modules and eight components that published systems edit harnesses by; see docs/diagnosis.md. */
export const ModuleLabel = z.enum([
  'Agent Loop',
  'Tool Use',
  'Observation Management',
  'Context Management',
  'Task Completion Detection',
]);
export type ModuleLabel = z.infer<typeof ModuleLabel>;
export const ComponentLabel = z.enum([
  'system prompt',
  'tool description',
  'tool implementation',
  'middleware',
  'skill',
  'sub-agent',
  'long-term memory',
  'configuration',
]);
export type ComponentLabel = z.infer<typeof ComponentLabel>;

/** How the place of a finding was found: the kind of the link, or the only code of the harness that does such a thing. */
export const PlaceEvidence = z.enum(['recorded', 'frame', 'literal', 'tool', 'configuration', 'lifecycle', 'sole']);
export type PlaceEvidence = z.infer<typeof PlaceEvidence>;

/** A passing run of the same task as a reference, and where this run first does something else. */
export const Contrast = z.object({
  /** The passing run. */
  run: z.string(),
  /** First step that differs, in this run and in the passing one; null where a run has ended. */
  step: z.int().nullable(),
  passingStep: z.int().nullable(),
  sentence: z.string(),
});
export type Contrast = z.infer<typeof Contrast>;

export const Finding = z.object({
  id: z.string(),
  detector: z.string(),
  why: WhyLabel,
  run: z.string(),
  task: z.string().nullable(),
  /** Step numbers that show it, best evidence first. */
  steps: z.array(z.int()).min(1),
  /** Handbook unit suspected, and its place; null when no evidence leads to one. */
  unit: z.string().nullable(),
  site: z.object({ file: z.string(), symbol: z.string(), start: z.int(), end: z.int() }).nullable(),
  explanation: z.string(),
  confidence: z.number().min(0).max(1),
  runFailed: z.boolean(),
  party: Party.optional(),
  /** Why it is laid to that party, in words. */
  partyReason: z.string().optional(),
  placeEvidence: PlaceEvidence.optional(),
  /** Further units that the cited steps lead to, best first. */
  alsoUnits: z.array(z.string()).optional(),
  module: ModuleLabel.optional(),
  component: ComponentLabel.optional(),
  contrast: Contrast.optional(),
});
export type Finding = z.infer<typeof Finding>;

/** Kinds of edits that can repair a flaw. */
export const RepairOperator = z.enum([
  'reword prompt',
  'add instruction',
  'describe tool',
  'change tool',
  'change parser',
  'explain error to the model',
  'announce what was left out',
  'keep in context',
  'change limit',
  'add check before completion',
  'add retry or fallback',
  'change permission',
  'repair code',
  'no harness edit',
]);
export type RepairOperator = z.infer<typeof RepairOperator>;

/** Findings that recur, keyed WHERE x WHY. */
export const FlawRecord = z.object({
  id: z.string(),
  where: z.string().nullable(),
  whereTitle: z.string(),
  why: WhyLabel,
  title: z.string(),
  findings: z.array(z.string()),
  failingRuns: z.int(),
  passingRuns: z.int(),
  runsLookedAt: z.int(),
  /** Denominators: how many of the runs looked at failed, and passed. Runs without a verdict are in neither. */
  failingRunsLookedAt: z.int().optional(),
  passingRunsLookedAt: z.int().optional(),
  tasks: z.array(z.string()),
  site: Finding.shape.site,
  state: z.enum(['suspected', 'confirmed']),
  /** What confirmed it, in words; absent while it is suspected. */
  confirmedBy: z.string().optional(),
  party: Party.optional(),
  partyReason: z.string().optional(),
  module: ModuleLabel.optional(),
  component: ComponentLabel.optional(),
  placeEvidence: PlaceEvidence.optional(),
  /** Where to look first: findings of failing runs, surest first, each of another task while there are any. */
  exemplars: z.array(z.object({ finding: z.string(), run: z.string(), step: z.int() })).optional(),
  /** Passing runs of the same tasks in which it was not seen. */
  counterExamples: z.array(z.string()).optional(),
  /** What the failing runs that show it used in all; null where not recorded. */
  cost: z.object({ runs: z.int(), tokens: z.number().nullable(), usd: z.number().nullable() }).optional(),
  /** What a repair may do, and where; a proposal for this flaw is measured against it. */
  repair: z
    .object({ operators: z.array(RepairOperator), files: z.array(z.string()), units: z.array(z.string()) })
    .optional(),
});
export type FlawRecord = z.infer<typeof FlawRecord>;

/** A run that could not be looked at. */
export const SkippedRun = z.object({ run: z.string(), reason: z.string() });
export type SkippedRun = z.infer<typeof SkippedRun>;
