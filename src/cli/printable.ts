/**
 * A text as it may go to a terminal. Names, traces and model answers are not ours: they must not move the cursor,
 * recolour the screen or turn the reading direction. Each such character becomes a middle dot.
 */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\t\n]|\p{Bidi_Control}/gu, '\u00b7');
}
