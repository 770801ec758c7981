/** A fixed piece of a literal, with the line it starts on, counted from the start of the literal. */
export interface Fragment {
  text: string;
  /** Line breaks of the literal before this piece. */
  linesBefore: number;
}

// Holes that other programs fill: Jinja and mustache tags, `${x}`, `{name}`, `%s` and `%(name)s`, `<<name>>`, `__NAME__`.
// `{{` before a line break or a quote is an escaped brace of a format string that holds JSON, so it is text.
const HOLES =
  /\{\{(?![\s\n]*["'\n])[^{}\n]{1,200}\}\}|\{%[\s\S]{0,400}?%\}|\{#[\s\S]{0,400}?#\}|\$\{[^{}\n]{1,120}\}|\{[A-Za-z_][\w.[\]'"]*(?:![rsa])?(?::[^{}\n]{0,20})?\}|%\([A-Za-z_]\w*\)[sdifr]|%[sdifr]\b|<<[A-Za-z_]\w*>>|\b__[A-Z][A-Z_]+__\b/g;

/**
 * The fixed pieces of a literal. Placeholders the language knows are `null` in `parts`; those that the program itself
 * fills later (templates kept in strings) are found by their shape.
 */
export function fragmentsOf(parts: readonly (string | null)[]): Fragment[] {
  const fragments: Fragment[] = [];
  let lines = 0;
  for (const part of parts) {
    if (part === null) continue;
    let from = 0;
    for (const hole of part.matchAll(HOLES)) {
      lines = push(fragments, part.slice(from, hole.index), lines) + breaks(hole[0]);
      from = hole.index + hole[0].length;
    }
    lines = push(fragments, part.slice(from), lines);
  }
  return fragments;
}

function push(fragments: Fragment[], text: string, linesBefore: number): number {
  const visible = text.trimStart();
  if (visible !== '')
    fragments.push({ text: visible, linesBefore: linesBefore + breaks(text.slice(0, text.length - visible.length)) });
  return linesBefore + breaks(text);
}

/** Number of line breaks in a text. */
export function breaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
