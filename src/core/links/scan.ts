/** Kinds of characters: space separates, a word goes on, a sign stands alone. */
const SPACE = 0;
const WORD = 1;
const SIGN = 2;

const ASCII = Uint8Array.from({ length: 128 }, (_, code) =>
  code <= 32 || code === 127 ? SPACE : /\w/.test(String.fromCharCode(code)) ? WORD : SIGN,
);
/** Letters that stand for others, so that typeset quotes are those of the source. */
const PLAIN = new Map([
  [0x2018, "'"],
  [0x2019, "'"],
  [0x201c, '"'],
  [0x201d, '"'],
]);
const ENTITIES: Record<string, string> = {
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&quot;': '"',
  '&apos;': "'",
  '&#39;': "'",
  '&#x27;': "'",
};
const BACKSLASH = 92;
const AMPERSAND = 38;
const ESCAPED_SPACE = new Set('nrt');
const ESCAPED_SIGN = new Set('"\'`\\/${}');

function kindOf(code: number): number {
  if (code < 128) return ASCII[code] ?? SIGN;
  // No-break and typographic spaces, zero-width characters and the byte order mark.
  if (code === 0xa0 || code === 0xfeff || (code >= 0x2000 && code <= 0x200f) || code === 0x202f || code === 0x3000)
    return SPACE;
  if (code < 0xc0 || (code >= 0x2010 && code <= 0x2bff) || (code >= 0xd800 && code <= 0xdfff)) return SIGN;
  return code >= 0x3001 && code <= 0x303f ? SIGN : WORD;
}

/**
 * Calls `found` for each word and sign of a text, with its place. White space only separates, so indentation, line ends
 * and folding do not count; nor does it count whether line breaks and quotes are escaped, or three or more equal signs
 * are four. Literals and traces go through this one function.
 */
export function scan(text: string, found: (word: string, start: number, end: number) => void): void {
  const { length } = text;
  let at = 0;
  while (at < length) {
    const code = text.charCodeAt(at);
    const kind = kindOf(code);
    if (kind === SPACE) {
      at += 1;
    } else if (kind === WORD) {
      let end = at + 1;
      while (end < length && kindOf(text.charCodeAt(end)) === WORD) end += 1;
      found(text.slice(at, end), at, end);
      at = end;
    } else if (code === BACKSLASH && ESCAPED_SPACE.has(text[at + 1] ?? '')) {
      at += 2;
    } else if (code === BACKSLASH && ESCAPED_SIGN.has(text[at + 1] ?? '')) {
      at += 1;
      if (text[at] === '\\') at += ESCAPED_SPACE.has(text[at + 1] ?? '') ? 0 : 1;
    } else {
      at = sign(text, at, code, found);
    }
  }
}

function sign(text: string, at: number, code: number, found: (word: string, start: number, end: number) => void) {
  if (code === AMPERSAND) {
    const entity = /^&(?:lt|gt|amp|quot|apos|#39|#x27);/.exec(text.slice(at, at + 6))?.[0];
    if (entity !== undefined) {
      found(ENTITIES[entity] ?? '&', at, at + entity.length);
      return at + entity.length;
    }
  }
  const pair = code >= 0xd800 && code <= 0xdbff;
  const one = PLAIN.get(code) ?? text.slice(at, at + (pair ? 2 : 1));
  let end = at + (pair ? 2 : 1);
  while (text.charCodeAt(end) === code && !pair) end += 1;
  if (end - at >= 3) {
    found(one.repeat(3), at, end);
    return end;
  }
  found(one, at, at + (pair ? 2 : 1));
  return at + (pair ? 2 : 1);
}
