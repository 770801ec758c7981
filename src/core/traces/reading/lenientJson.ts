export interface LenientValue {
  value: unknown;
  /** What had to be repaired to read it, in words; empty for correct JSON. */
  repairs: string[];
}

/**
 * Parses JSON as programs really write it: Python's `NaN` and `Infinity` (read as null) and raw control
 * characters inside strings are repaired. Returns null when the text is no JSON value even so.
 */
export function parseLenient(text: string): LenientValue | null {
  try {
    return { value: JSON.parse(text), repairs: [] };
  } catch {
    const repaired = repair(text);
    if (repaired.repairs.length === 0) return null;
    try {
      return { value: JSON.parse(repaired.text), repairs: repaired.repairs };
    } catch {
      return null;
    }
  }
}

// One token a time: a whole string, a bare number word, or one raw control character is looked at apart.
const TOKENS = /"(?:[^"\\]|\\[\s\S])*"|-?\bInfinity\b|\bNaN\b/g;

function repair(text: string): { text: string; repairs: string[] } {
  const repairs = new Set<string>();
  const fixed = text.replace(TOKENS, (token) => {
    if (!token.startsWith('"')) {
      repairs.add(`${token} read as null`);
      return 'null';
    }
    // biome-ignore lint/suspicious/noControlCharactersInRegex: raw control characters are what is repaired here
    return token.replace(/[\u0000-\u001f]/g, (character) => {
      repairs.add('raw control characters inside a string');
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
    });
  });
  return { text: fixed, repairs: [...repairs] };
}
