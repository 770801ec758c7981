/** One harness version on one suite: what a trial costs and how well it does. */
export interface CostPoint {
  label: string;
  /** Per trial, in the unit that all points share. */
  cost: number;
  /** 0..1 scale. */
  score: number;
}

export interface ParetoPick<T extends CostPoint> {
  /** Points that no other one beats in both cost and score, cheapest first. */
  line: T[];
  /** The cheapest of the line, the best of it, and the one that gains most for its price; null without points. */
  light: T | null;
  medium: T | null;
  heavy: T | null;
}

/**
 * The line of points that nothing dominates, and three picks from it. The medium one lies farthest above the straight line
 * from the lightest to the heaviest; with fewer than three points it is the heavy one.
 */
export function paretoPicks<T extends CostPoint>(points: readonly T[]): ParetoPick<T> {
  const sorted = [...points].sort((one, other) => one.cost - other.cost || other.score - one.score);
  const line: T[] = [];
  for (const point of sorted) if (point.score > (line.at(-1)?.score ?? -1)) line.push(point);
  const light = line[0] ?? null;
  const heavy = line.at(-1) ?? null;
  if (!light || !heavy) return { line, light, medium: null, heavy };
  const slope = heavy.cost === light.cost ? 0 : (heavy.score - light.score) / (heavy.cost - light.cost);
  const above = (point: T) => point.score - light.score - slope * (point.cost - light.cost);
  const between = line.slice(1, -1).sort((one, other) => above(other) - above(one));
  return { line, light, medium: between[0] ?? heavy, heavy };
}
