import type { Outcome } from '../core/traces';

/** The verdict of a run in words: "passed", "failed", "no verdict", "outcome unknown"; with the exception if one was recorded. */
export function outcomeWords(outcome: Outcome): string {
  const words = { pass: 'passed', fail: 'failed', missing: 'no verdict', unknown: 'outcome unknown' }[outcome.verdict];
  const reward =
    outcome.reward !== null && outcome.reward !== 0 && outcome.reward !== 1 ? ` (reward ${outcome.reward})` : '';
  return `${words}${reward}${outcome.exception ? `, ${outcome.exception}` : ''}`;
}

/** "$0.12", "$0", "under $0.0001", "no cost recorded". */
export function money(usd: number | null): string {
  if (usd === null) return 'no cost recorded';
  if (usd === 0) return '$0';
  return usd < 0.0001 ? 'under $0.0001' : `$${usd.toFixed(usd < 0.1 ? 4 : 2)}`;
}

/** "1 step", "3 steps". */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
