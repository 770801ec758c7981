import type { BehaviourMap, Unit } from './model';

/** The unit with the smallest site around a line (from 1); undefined when no unit owns it. */
export function unitAt(map: BehaviourMap, file: string, line: number): Unit | undefined {
  let best: Unit | undefined;
  let bestLength = Number.POSITIVE_INFINITY;
  for (const unit of map.units) {
    for (const site of unit.sites) {
      if (site.file !== file || line < site.start || line > site.end) continue;
      const length = site.end - site.start;
      if (length < bestLength) [best, bestLength] = [unit, length];
    }
  }
  return best;
}
