import { z } from 'zod';

/** What is known of a run beside the step that is looked at. All optional; it only breaks ties and names tools. */
export interface LinkContext {
  /** Name of the tool of a call, by call id: a result step holds only the id. */
  toolOfCall?: ReadonlyMap<string, string>;
  /** Weight of text that only this file matched elsewhere in the run. */
  fileWeights?: ReadonlyMap<string, number>;
  /** Words of the first steps, in lower case: of twins, the one whose path names the matter at hand is likelier. */
  words?: ReadonlySet<string>;
  /** Class names in the header of the trace, with or without their module, such as `env.docker.DockerEnvironment`. */
  components?: readonly string[];
  /** Files of the harness that hold those classes; found from `components` when absent. */
  componentFiles?: ReadonlySet<string>;
  /** Original text of the step's record, for what the step does not show. */
  record?: string;
  /** Names of all tools called so far in the run: what implements several of them is likelier to be the one. */
  toolNames?: ReadonlySet<string>;
  /** Where folders of the machine that made the trace lie in the harness. */
  roots?: readonly TraceRoot[];
}

/** A folder of another machine or container and the folder of the harness it stands for. */
export const TraceRoot = z.object({
  /** Absolute, without a final slash. */
  prefix: z.string(),
  /** Relative to the harness; empty for the harness itself. */
  folder: z.string(),
  /** Stated in `harness.json`, or found from frames that agree. */
  from: z.enum(['configured', 'found']),
  frames: z.int(),
});
export type TraceRoot = z.infer<typeof TraceRoot>;
