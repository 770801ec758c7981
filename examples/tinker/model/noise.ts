import { createHash } from 'node:crypto';

/**
 * A number from 0 to 1 that depends on nothing but the seed and the given parts: the same run of the same harness gives
 * the same noise, another seed gives another.
 */
export function roll(seed: number, ...parts: (string | number)[]): number {
  const digest = createHash('sha256')
    .update([seed, ...parts].join('\u0000'))
    .digest();
  return digest.readUInt32BE(0) / 2 ** 32;
}
