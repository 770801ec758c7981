import { normalQuantile } from './normal';
import { requireCount } from './numbers';

/**
 * P(T <= t) for Student's t with a whole number of degrees of freedom: a finite sum over powers of the cosine
 * (Abramowitz and Stegun 26.7.3 and 26.7.4).
 * @throws RangeError unless the degrees are an integer of at least 1.
 */
export function studentCdf(t: number, degrees: number): number {
  requireCount(degrees, 'degrees of freedom');
  if (degrees < 1) throw new RangeError('t needs at least one degree of freedom');
  const angle = Math.atan(Math.abs(t) / Math.sqrt(degrees));
  const tail = (1 - withinAngle(angle, degrees)) / 2;
  return t < 0 ? tail : 1 - tail;
}

/** P(|T| <= t) for t = sqrt(degrees) * tan(angle). */
function withinAngle(angle: number, degrees: number): number {
  const squared = Math.cos(angle) ** 2;
  const odd = degrees % 2 === 1;
  let term = odd ? Math.cos(angle) : 1;
  let sum = degrees === 1 ? 0 : term;
  for (let step = odd ? 3 : 2; step < degrees; step += 2) {
    term *= (squared * (step - 1)) / step;
    sum += term;
  }
  return odd ? (2 / Math.PI) * (angle + Math.sin(angle) * sum) : Math.sin(angle) * sum;
}

/** Two-sided p of a t statistic; 1 - P(|T| <= |t|). */
export function studentTwoSided(t: number, degrees: number): number {
  return Math.min(1, 2 * studentCdf(-Math.abs(t), degrees));
}

/**
 * The t with P(T <= t) = p, found by halving around the normal quantile, to the precision of numbers.
 * @throws RangeError unless 0 < p < 1 and the degrees are an integer of at least 1.
 */
export function studentQuantile(p: number, degrees: number): number {
  if (p < 0.5) return -studentQuantile(1 - p, degrees);
  let below = Math.max(0, normalQuantile(p)); // tails of t are heavier, so its quantile lies further out
  let above = below + 1;
  while (studentCdf(above, degrees) < p) above *= 2;
  for (;;) {
    const middle = (below + above) / 2;
    if (middle <= below || middle >= above) return above;
    if (studentCdf(middle, degrees) < p) below = middle;
    else above = middle;
  }
}
