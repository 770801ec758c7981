/**
 * Where the bracket at `at` closes; the end of the text when it never does. The sharp brackets of the arrows `->`, `=>`
 * and `<-` are none.
 */
export function closing(text: string, at: number): number {
  let depth = 0;
  for (let index = at; index < text.length; index++) {
    if (opens(text, index)) depth += 1;
    else if (closes(text, index)) {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return text.length;
}

/** Parts of a text between separators that stand in no brackets, trimmed; empty ones are left out. */
export function splitTop(text: string, separators = ','): string[] {
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    if (opens(text, at)) at = closing(text, at);
    else if (separators.includes(text[at]!)) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  parts.push(text.slice(from).trim());
  return parts.filter((part) => part !== '');
}

function opens(text: string, at: number): boolean {
  const character = text[at]!;
  return '([{'.includes(character) || (character === '<' && text[at + 1] !== '-');
}

function closes(text: string, at: number): boolean {
  const character = text[at]!;
  return ')]}'.includes(character) || (character === '>' && !/[-=]/.test(text[at - 1] ?? ''));
}
