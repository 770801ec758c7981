/** A piece of text to show: plain, or one character that would be invisible or change the reading order. */
export interface TextPart {
  text: string;
  /** Name of the character when the part stands for one. */
  control?: string;
}

const names: Record<number, string> = {
  27: 'escape',
  173: 'soft hyphen',
  1564: 'arabic letter mark',
  8203: 'zero width space',
  8206: 'left-to-right mark',
  8207: 'right-to-left mark',
  8234: 'left-to-right embedding',
  8235: 'right-to-left embedding',
  8236: 'pop directional formatting',
  8237: 'left-to-right override',
  8238: 'right-to-left override',
  8294: 'left-to-right isolate',
  8295: 'right-to-left isolate',
  8296: 'first strong isolate',
  8297: 'pop directional isolate',
  65279: 'byte order mark',
};

// Control characters except tab, line feed and carriage return; zero-width and bidirectional characters; tags, which
// write whole sentences that a model reads and nobody sees.
const hidden =
  /(?![\t\n\r])[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;

/**
 * Splits a text so that every control character becomes a visible part. The parts together say all the text said;
 * nothing is dropped. Line ends are made `\n`.
 */
export function visibleParts(text: string): TextPart[] {
  const parts: TextPart[] = [];
  const source = text.replaceAll('\r\n', '\n');
  let from = 0;
  for (const match of source.matchAll(hidden)) {
    if (match.index > from) parts.push({ text: source.slice(from, match.index) });
    parts.push(controlPart(match[0].codePointAt(0)!));
    from = match.index + match[0].length;
  }
  if (from < source.length || parts.length === 0) parts.push({ text: source.slice(from) });
  return parts;
}

function controlPart(code: number): TextPart {
  const hex = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  // The control pictures block mirrors the C0 controls.
  const text = code < 0x20 ? String.fromCodePoint(0x2400 + code) : code === 0x7f ? '\u2421' : `<${hex}>`;
  return { text, control: names[code] ? `${hex} ${names[code]}` : hex };
}
