import { jsonLines } from '../helpers';

/** A small trace in one format, written for the tests, and what must be read from it. */
export interface Sample {
  /** File name below the test's folder; endings are on purpose not always those of the format. */
  name: string;
  content: unknown;
  format: string;
  /** Other files beside it. */
  beside?: Record<string, unknown>;
  counts: { modelTurns: number; toolCalls: number; resultsLinked: number; userMessages: number } & Record<
    string,
    number
  >;
  run?: Record<string, unknown>;
  runs?: number;
  /** A text that one of the warnings must hold. */
  warns?: string;
}

export { jsonLines };

/** A time in 2026, `second` seconds after noon. */
export function at(second: number): string {
  return new Date(Date.UTC(2026, 0, 1, 12, 0, second)).toISOString();
}
