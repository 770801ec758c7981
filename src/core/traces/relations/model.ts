import { z } from 'zod';

/** Where the value of an argument was first seen before the call. */
export const ValueOrigin = z.object({
  /** The call, by its place in the step from 0, and the value, shortened. */
  call: z.int(),
  value: z.string(),
  /**
   * `prompt`: a system or user message; `observation`: a result or event; `model`: the model itself used it before;
   * `nowhere`: in nothing of the run before this step.
   */
  origin: z.enum(['prompt', 'observation', 'model', 'nowhere']),
  /** Step of the first place; null for `nowhere`. */
  step: z.int().nullable(),
  /** In how many earlier steps the value stands. */
  seen: z.int(),
  /** True when only the last part of a path was seen, as listings show it; the call put the rest before it. */
  nameOnly: z.boolean().optional(),
});
export type ValueOrigin = z.infer<typeof ValueOrigin>;

/** A mark that the harness left where it cut a text. */
export const Truncation = z.object({
  /** The words of the mark, shortened. */
  mark: z.string(),
  /** How much is missing, when the mark says so. */
  missing: z.object({ count: z.int(), unit: z.string() }).nullable(),
});
export type Truncation = z.infer<typeof Truncation>;

/** How the input of a model call differs from the one before it; only where the trace records inputs. */
export const InputChange = z.object({
  /** The earlier model call it is compared with. */
  since: z.int(),
  /** Messages that stand in both, in order; that are new; that are gone; that were made shorter in place. */
  kept: z.int(),
  added: z.int(),
  dropped: z.int(),
  shortened: z.int(),
});
export type InputChange = z.infer<typeof InputChange>;

/** What one step has to do with the others. Fields are left out where there is nothing to say. */
export const StepRelations = z.object({
  step: z.int(),
  flow: z.array(ValueOrigin).optional(),
  /** The same call was made before without an error. */
  repeatOf: z.int().optional(),
  /** The same or a like call failed shortly before. */
  retryOf: z.int().optional(),
  /** The step with the error that stands right before this answer of the model. */
  causedByError: z.int().optional(),
  context: z
    .object({
      /** Copied from an earlier run. */
      copied: z.boolean().optional(),
      /** The context before this step was compacted: first and last step that it stood in. */
      compacted: z.object({ from: z.int(), to: z.int() }).optional(),
      truncated: z.array(Truncation).optional(),
      input: InputChange.optional(),
    })
    .optional(),
  /** Sub-agents that this step starts: the run when the trace names it. */
  starts: z.array(z.object({ call: z.string().nullable(), run: z.string().nullable() })).optional(),
  /** The run goes on from here on another branch; what was left behind is no part of it. */
  branch: z.boolean().optional(),
});
export type StepRelations = z.infer<typeof StepRelations>;

/** Relations of a run; steps without any are not in the list. */
export const RunRelations = z.object({
  run: z.string(),
  /** The run that started this one. */
  memberOf: z.string().nullable(),
  steps: z.array(StepRelations),
  /** False when the run holds so many different values that some origins are not known. */
  flowComplete: z.boolean(),
});
export type RunRelations = z.infer<typeof RunRelations>;
