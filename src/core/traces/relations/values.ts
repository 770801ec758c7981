import { scanValues } from './scanValues';

/** Arguments longer than this are contents of files; only their start says what the call is about. */
const ARGUMENT_LOOKED = 300;
export const LONGEST_VALUE = 200;

/** The values in a text that may say where something comes from, each once. */
export function valuesIn(text: string, most = Number.POSITIVE_INFINITY): Set<string> {
  const found = new Set<string>();
  scanValues(text, LONGEST_VALUE, (start, end) => {
    found.add(text.slice(start, end));
    return found.size >= most;
  });
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

/** The last part of a path: what listings show of a file. Null for what is no path of several parts. */
export function nameOf(value: string): string | null {
  const name = /\/([^/]+)\/?$/.exec(value)?.[1] ?? null;
  return name !== null && valuesIn(name).has(name) ? name : null;
}

/**
 * Rarity, second half: a value that stands in most steps of the run, such as the working folder, says nothing of where
 * this call got it from.
 */
export function rareEnough(seen: number, stepsBefore: number): boolean {
  return seen <= Math.max(6, stepsBefore * 0.2);
}
