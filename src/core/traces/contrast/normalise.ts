import { createHash } from 'node:crypto';

/** A text that is compared; longer ones are compared by their start, end and length. */
const COMPARED = 200_000;

/** Objects with their keys in order: models write the same arguments in any order. */
export function sortedKeys(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Without what differs between any two runs: times, durations, temporary folders, object addresses, process ids. */
export function withoutNoise(text: string): string {
  return text
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?/g, '<time>')
    .replace(/\b\d+(\.\d+)? ?(ms|s|sec|seconds)\b/g, '<duration>')
    .replace(/\/tmp\/[\w.-]+/g, '<temporary>')
    .replace(/0x[0-9a-f]{6,}/g, '<address>')
    .replace(/\bpid[ =:]*\d+/gi, '<process>')
    .trim();
}

/** A short key that is equal for texts that are equal but for noise. */
export function keyOfText(text: string): string {
  const compared =
    text.length <= COMPARED
      ? text
      : `${text.slice(0, COMPARED / 2)}\n${text.length}\n${text.slice(text.length - COMPARED / 2)}`;
  return createHash('sha256').update(withoutNoise(compared)).digest('base64url').slice(0, 16);
}
