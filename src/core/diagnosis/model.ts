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
});
export type Finding = z.infer<typeof Finding>;

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
});
export type FlawRecord = z.infer<typeof FlawRecord>;

/** A run that could not be looked at. */
export const SkippedRun = z.object({ run: z.string(), reason: z.string() });
export type SkippedRun = z.infer<typeof SkippedRun>;
