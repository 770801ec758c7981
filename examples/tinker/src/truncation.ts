/** Shortens the output of a tool to what fits into one observation. */
export function truncateOutput(output: string, maxChars: number): string {
  if (output.length <= maxChars) return output;
  return output.slice(0, maxChars);
}
