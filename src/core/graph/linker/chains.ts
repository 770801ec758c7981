/** One name of a chain with the marks of its calls and elements. */
export interface Segment {
  name: string;
  suffix: string;
}

/** Cuts `run()[]` into `run` and `()[]`; `(1)` is a call of which the second result is meant. */
export function segmentOf(text: string): Segment {
  const at = text.search(/\(\d*\)|\[\]/);
  return at < 0 ? { name: text, suffix: '' } : { name: text.slice(0, at), suffix: text.slice(at) };
}
