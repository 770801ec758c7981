import { expect } from 'vitest';

/** Tolerance of values that arithmetic gives exactly, and of all others. */
export const exact = 1e-12;
export const approximate = 1e-6;

export function near(actual: number | null | undefined, expected: number, tolerance = exact): void {
  expect(Math.abs((actual ?? Number.NaN) - expected), `${actual} is not ${expected}`).toBeLessThanOrEqual(tolerance);
}

/** Equal in all digits that matter, also for numbers near zero. */
export function relativelyNear(actual: number, expected: number, tolerance = exact): void {
  near(actual / expected, 1, tolerance);
}
