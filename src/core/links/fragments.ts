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
  for (const [at, part] of parts.entries()) {
    if (part === null) continue;
    let from = 0;
    for (const hole of part.matchAll(HOLES)) {
      const open = from > 0 || (at > 0 && parts[at - 1] === null);
      lines = push(fragments, part.slice(from, hole.index), lines, open, true) + breaks(hole[0]);
      from = hole.index + hole[0].length;
    }
    const open = from > 0 || (at > 0 && parts[at - 1] === null);
    lines = push(fragments, part.slice(from), lines, open, parts[at + 1] === null);
  }
  return fragments;
}

/** `before` and `after`: a hole adjoins there, and what it was filled with makes one word with the letters beside it. */
function push(fragments: Fragment[], whole: string, linesBefore: number, before: boolean, after: boolean): number {
  const from = before ? (/^[\p{L}\p{N}_]+/u.exec(whole)?.[0].length ?? 0) : 0;
  const to = after ? (/[\p{L}\p{N}_]+$/u.exec(whole)?.index ?? whole.length) : whole.length;
  const text = whole.slice(from, Math.max(from, to));
  const visible = text.trimStart();
  if (visible !== '')
    fragments.push({ text: visible, linesBefore: linesBefore + breaks(text.slice(0, text.length - visible.length)) });
  return linesBefore + breaks(whole);
}

/** Number of line breaks in a text. */
export function breaks(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return count;
}
