import { normalCdf } from './normal';

/**
 * Expected score, in standard errors, of the best of `candidates` that are all no better than the baseline: the winner's
 * curse of choosing on the data that is then reported. Integral of 1 - Phi^m above zero minus Phi^m below it.
 * @throws RangeError unless there is at least one candidate.
 */
export function expectedMaximum(candidates: number): number {
  if (!(Number.isInteger(candidates) && candidates >= 1))
    throw new RangeError(`${candidates} is no number of candidates`);
  const reach = 9;
  const steps = 1800;
  const step = reach / steps;
  let sum = 0;
  for (let index = 0; index <= steps; index++) {
    const x = index * step;
    const factor = index === 0 || index === steps ? 1 : index % 2 === 1 ? 4 : 2;
    sum += factor * (1 - normalCdf(x) ** candidates - normalCdf(-x) ** candidates);
  }
  return (sum * step) / 3;
}
