import { z } from 'zod';

const time = z.string().nullish();

/** `result.json` of a Harbor trial; only what is used, everything optional because writers differ. */
export const HarborResult = z
  .object({
    task_name: z.string().nullish(),
    trial_name: z.string().nullish(),
    started_at: time,
    finished_at: time,
    agent_info: z
      .object({
        name: z.string().nullish(),
        version: z.string().nullish(),
        model_info: z.object({ name: z.string().nullish(), provider: z.string().nullish() }).nullish(),
      })
      .nullish(),
    agent_result: z
      .object({
        n_input_tokens: z.number().nullish(),
        n_cache_tokens: z.number().nullish(),
        n_output_tokens: z.number().nullish(),
        cost_usd: z.number().nullish(),
      })
      .nullish(),
    verifier_result: z.object({ rewards: z.record(z.string(), z.number().nullable()).nullish() }).nullish(),
    exception_info: z.object({ exception_type: z.string().nullish() }).nullish(),
  })
  .refine((value) => ['trial_name', 'verifier_result', 'exception_info'].some((key) => key in value));
export type HarborResult = z.infer<typeof HarborResult>;

/** One instance in a SWE-bench `report.json`. */
export const InstanceReport = z.object({ resolved: z.boolean() });

/** `report.json` keyed by instance id. */
export const KeyedReport = z.record(z.string(), z.looseObject({ resolved: z.boolean() }));

const ids = z.union([z.array(z.string()), z.number()]).nullish();

/** Summary of a SWE-bench run: `resolved_ids` in new ones, `resolved` in old ones; counts may be numbers or lists. */
export const RunSummary = z
  .object({
    resolved_ids: ids,
    resolved: ids,
    unresolved_ids: ids,
    completed_ids: ids,
    submitted_ids: ids,
    error_ids: ids,
    empty_patch_ids: ids,
    resolved_instances: ids,
    unresolved_instances: ids,
    completed_instances: ids,
  })
  .refine(
    (value) =>
      Array.isArray(value.resolved_ids) || Array.isArray(value.resolved) || Array.isArray(value.resolved_instances),
  );
export type RunSummary = z.infer<typeof RunSummary>;

/** terminal-bench 1 `results.json`. A null verdict is no failure: the tests did not give one. */
export const TerminalBenchResult = z.object({
  task_id: z.string().nullish(),
  trial_name: z.string().nullish(),
  is_resolved: z.boolean().nullable(),
  failure_mode: z.string().nullish(),
});
export const TerminalBenchResults = z.object({ results: z.array(TerminalBenchResult) });

/** `reward.json`: a number, or numbers by name. */
export const RewardFile = z.union([z.number(), z.record(z.string(), z.number().nullable())]);
