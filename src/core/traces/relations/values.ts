/** Longer texts are looked at in their start and end; what lies between is mostly listings. */
const LOOKED = 400_000;
/** Arguments longer than this are contents of files; only their start says what the call is about. */
const ARGUMENT_LOOKED = 300;
const LONGEST = 200;

const VALUES = /[\p{L}\p{N}_$~/.@][\p{L}\p{N}_$~/.@:+%#-]{3,}/gu;

/** The values in a text that may say where something comes from, each once. */
export function valuesIn(text: string, most = Number.POSITIVE_INFINITY): Set<string> {
  const found = new Set<string>();
  const looked = text.length <= LOOKED ? text : `${text.slice(0, LOOKED / 2)}\n${text.slice(-LOOKED / 2)}`;
  for (const [match] of looked.matchAll(VALUES)) {
    const value = trimmed(match);
    if (!telling(value)) continue;
    found.add(value);
    // `src/a.py:12:` names the file as well, and `./src/a.py` is the same file.
    const path = value.replace(/:\d+(:\d+)?$/, '');
    if (path !== value && telling(path)) found.add(path);
    if (found.size >= most) break;
  }
  return found;
}

/** The values in the arguments of a call. */
export function argumentValues(args: unknown): Set<string> {
  const found = new Set<string>();
  for (const text of textsIn(args, 0)) {
    for (const value of valuesIn(text.slice(0, ARGUMENT_LOOKED), 40)) found.add(value);
    if (found.size >= 60) break;
  }
  return found;
}

function* textsIn(value: unknown, depth: number): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'number') yield String(value);
  else if (typeof value === 'object' && value !== null && depth < 6)
    for (const inner of Object.values(value)) yield* textsIn(inner, depth + 1);
}

function trimmed(match: string): string {
  return match
    .replace(/^(\.\/)+/, '')
    .replace(/[.:,#+%@-]+$/, '')
    .replace(/^[.:@]+(?=[\p{L}\p{N}])/u, (start) => (start === '.' ? start : ''))
    .slice(0, LONGEST);
}

/**
 * Rarity, first half: a value tells something when no one would write it by chance. Names with a separator, a digit or
 * a capital inside do from five characters on, numbers from four digits on, plain words only when they are long.
 */
function telling(value: string): boolean {
  if (COMMON.has(value.toLowerCase())) return false;
  if (/^\d+([.:]\d+)*$/.test(value)) return value.replace(/\D/g, '').length >= 4 && !/^(1000|0+)$/.test(value);
  if (value.length < 5) return false;
  if (/[/_.@:]/.test(value) && /[\p{L}\p{N}]{2}/u.test(value)) return true;
  if (/\d/.test(value) || /\p{Ll}\p{Lu}/u.test(value)) return true;
  return value.length >= 12;
}

/** What nearly every run holds. */
const COMMON = new Set(
  (
    '/dev/null dev/null /bin/bash /bin/sh /usr/bin/env usr/bin/env readme.md python3 python2 base64 sha256 utf-8 ' +
    '__init__ __init__.py __main__ __name__ localhost 127.0.0.1 0.0.0.0 http:// https://'
  ).split(' '),
);

/** The last part of a path: what listings show of a file. Null for what is no path of several parts. */
export function nameOf(value: string): string | null {
  const name = /\/([^/]+)\/?$/.exec(value)?.[1] ?? null;
  return name !== null && telling(name) ? name : null;
}

/**
 * Rarity, second half: a value that stands in most steps of the run, such as the working folder, says nothing of where
 * this call got it from.
 */
export function rareEnough(seen: number, stepsBefore: number): boolean {
  return seen <= Math.max(6, stepsBefore * 0.2);
}
