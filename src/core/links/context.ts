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
}
