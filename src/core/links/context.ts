/** What is known of a run beside the step that is looked at. All optional; it only breaks ties and names tools. */
export interface LinkContext {
  /** Name of the tool of a call, by call id: a result step holds only the id. */
  toolOfCall?: ReadonlyMap<string, string>;
  /** Weight of text that only this file matched elsewhere in the run. */
  fileWeights?: ReadonlyMap<string, number>;
  /** Class names in the header of the trace, such as `DockerEnvironment`. */
  components?: readonly string[];
}
