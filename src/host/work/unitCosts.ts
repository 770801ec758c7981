import type { Link } from '../../core/links/model';
import type { Step, TraceRun } from '../../core/traces/model';
import type { UnitCost } from './methods';

/** What one model turn of a run used, as recorded. */
export interface TurnCost {
  n: number;
  tokens: number | null;
  costUsd: number | null;
}

/** A run with what its turns used and where its steps lead. */
export interface CostedRun {
  turns: readonly TurnCost[];
  links: readonly Pick<Link, 'step' | 'unit'>[];
}

/**
 * The cost of a turn as its step records it. A step without a price gets its share, by tokens, of what the whole run
 * cost where that is known.
 */
export function turnCosts(run: Pick<TraceRun, 'costUsd'>, steps: readonly Step[]): TurnCost[] {
  const turns = steps
    .filter((step) => step.kind === 'agent' && !step.copied)
    .map((step): TurnCost => {
      const { input = null, output = null } = step.tokens ?? {};
      const tokens = input === null && output === null ? null : (input ?? 0) + (output ?? 0);
      return { n: step.n, tokens, costUsd: step.costUsd ?? null };
    });
  const all = turns.reduce((sum, turn) => sum + (turn.tokens ?? 0), 0);
  if (run.costUsd === null || all === 0 || turns.some((turn) => turn.costUsd !== null)) return turns;
  const price = run.costUsd / all;
  return turns.map((turn) => ({ ...turn, costUsd: turn.tokens === null ? null : turn.tokens * price }));
}

/**
 * What the turns used that lead to each unit. A step that is no turn (a result, a message of the harness) counts as the
 * turn after it, which has to read it. Each turn counts once a unit, but for every unit it leads to, so sums over units
 * say nothing.
 */
export function unitCosts(runs: readonly CostedRun[]): UnitCost[] {
  const costs = new Map<string, UnitCost>();
  for (const { turns, links } of runs) {
    const ordered = [...turns].sort((a, b) => a.n - b.n);
    const counted = new Set<string>();
    for (const { step, unit } of links) {
      if (unit === null) continue;
      const turn = firstFrom(ordered, step);
      if (!turn || counted.has(`${unit}\n${turn.n}`)) continue;
      counted.add(`${unit}\n${turn.n}`);
      const known = costs.get(unit) ?? { unit, steps: 0, tokens: null, costUsd: null };
      costs.set(unit, {
        unit,
        steps: known.steps + 1,
        tokens: plus(known.tokens, turn.tokens),
        costUsd: plus(known.costUsd, turn.costUsd),
      });
    }
  }
  return [...costs.values()].sort((a, b) => (a.unit < b.unit ? -1 : 1));
}

/** The first turn at or after a step, by halving. */
function firstFrom(turns: readonly TurnCost[], step: number): TurnCost | undefined {
  let low = 0;
  let high = turns.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (turns[middle]!.n < step) low = middle + 1;
    else high = middle;
  }
  return turns[low];
}

function plus(a: number | null, b: number | null): number | null {
  return a === null ? b : b === null ? a : a + b;
}
