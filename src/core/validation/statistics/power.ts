import { exactMcNemar } from './mcnemar';
import { normalQuantile } from './normal';
import { binomialProbability, binomialUpperTail } from './numbers';

/** What a paired design meets: the share of tasks that change for the worse and for the better. */
export interface Discordance {
  down: number;
  up: number;
}

export interface PowerOptions {
  alpha: number;
}

/**
 * Chance that the exact two-sided McNemar test at `alpha` is significant in the direction of `up`, with `tasks` paired
 * tasks. Summed over the number of discordant pairs d ~ Bin(tasks, down + up) and, given d, the number of ups
 * ~ Bin(d, up / (down + up)).
 */
export function mcnemarPower(tasks: number, { down, up }: Discordance, { alpha }: PowerOptions): number {
  const discordant = Math.min(1, down + up);
  if (discordant <= 0) return 0;
  const share = up / (down + up);
  // Nine standard deviations hold all but 1e-18 of the mass; the rest is only time.
  const spread = 9 * Math.sqrt(tasks * discordant * (1 - discordant)) + 9;
  const first = Math.max(0, Math.floor(tasks * discordant - spread));
  const last = Math.min(tasks, Math.ceil(tasks * discordant + spread));
  let power = 0;
  for (let pairs = first; pairs <= last; pairs++) {
    const critical = criticalUps(pairs, alpha);
    if (critical === undefined) continue;
    power += binomialUpperTail(pairs, critical, share) * binomialProbability(tasks, pairs, discordant);
  }
  return Math.min(1, power);
}

const criticalByAlpha = new Map<number, (number | undefined)[]>();

/** Smallest number of ups out of `pairs` that is significant; undefined when not even all of them are. */
function criticalUps(pairs: number, alpha: number): number | undefined {
  const known = criticalByAlpha.get(alpha) ?? [];
  criticalByAlpha.set(alpha, known);
  for (let next = known.length; next <= pairs; next++) {
    // From one pair to the next the border moves by at most one, so the search never starts anew.
    let ups = known[next - 1] ?? next;
    while (ups > next / 2 && twoSided(next, ups) <= alpha) ups--;
    while (ups <= next && twoSided(next, ups) > alpha) ups++;
    known.push(ups <= next && ups > next / 2 ? ups : undefined);
  }
  return known[pairs];
}

/** McNemar's p for more ups than downs; in integers only where a p can be exactly a usual level, such as 1/16. */
function twoSided(pairs: number, ups: number): number {
  return pairs <= 64 ? exactMcNemar(pairs - ups, ups) : 2 * binomialUpperTail(pairs, ups, 0.5);
}

/**
 * Smallest true gap (candidate minus baseline, 0..1) that the design finds with 80 % power, when the share of tasks that
 * change at all is `discordance` (or the gap itself, if that is larger). Found by halving, to 0.0005.
 * Null when not even a gap of 1 would be found.
 */
export function detectableGap(tasks: number, discordance: number, options: PowerOptions): number | null {
  const power = (gap: number) => {
    const changed = Math.max(discordance, gap);
    return mcnemarPower(tasks, { up: (changed + gap) / 2, down: (changed - gap) / 2 }, options);
  };
  if (tasks < 1 || power(1) < 0.8) return null;
  let below = 0;
  let above = 1;
  while (above - below > 0.0005) {
    const middle = (below + above) / 2;
    if (power(middle) < 0.8) below = middle;
    else above = middle;
  }
  return above;
}

/**
 * Tasks needed for 80 % power by Connor 1987: [z(alpha/2) sqrt(pd) + z(beta) sqrt(pd - gap^2)]^2 / gap^2 with
 * pd = down + up and gap = up - down, at alpha 0.05. Infinity without a gap.
 */
export function connorTasks({ down, up }: Discordance): number {
  const changed = down + up;
  const gap = up - down;
  const root =
    normalQuantile(0.975) * Math.sqrt(changed) + normalQuantile(0.8) * Math.sqrt(Math.max(0, changed - gap ** 2));
  return Math.ceil((root / gap) ** 2);
}

/** Beyond this many tasks the normal approximation is as good as the exact power and much faster. */
const exactUpTo = 1_000;

/**
 * How many tasks beyond `tasks` give 80 % power if the shares seen so far are the true ones; null when the shares are
 * equal, because no number of tasks resolves a gap of zero. Exact up to 1,000 tasks, Connor's formula above.
 */
export function furtherTasks(tasks: number, seen: Discordance, options: PowerOptions): number | null {
  if (seen.up === seen.down) return null;
  const towardsUp = { up: Math.max(seen.up, seen.down), down: Math.min(seen.up, seen.down) };
  const estimate = connorTasks(towardsUp);
  if (estimate > exactUpTo) return Math.max(1, estimate - tasks);
  const enough = (count: number) => mcnemarPower(count, towardsUp, options) >= 0.8;
  let below = tasks;
  let above = Math.max(tasks + 1, estimate);
  while (!enough(above)) above = Math.ceil(above * 1.2);
  // The exact test is discrete, so power dips a little here and there; halving still ends on a count that is enough.
  while (above - below > 1) {
    const middle = Math.floor((below + above) / 2);
    if (enough(middle)) above = middle;
    else below = middle;
  }
  return above - tasks;
}
