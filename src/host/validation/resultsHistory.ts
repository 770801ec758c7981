import type { CostDot, HistoryLine, ResultsView } from '../../../webview/shared/resultsProtocol';
import { type HistoryEntry, paretoPicks, points } from '../../core/validation';

/** A run of the history as a line people read. */
export function historyLine(entry: HistoryEntry, current: string): HistoryLine {
  const { difference, interval } = entry;
  const candidate = entry.arms.find((arm) => arm.arm === 'candidate')?.label ?? entry.proposal ?? 'baseline only';
  return {
    run: entry.run,
    when: entry.createdAt.slice(0, 16).replace('T', ' '),
    what: entry.noise ? 'baseline against itself (A/A)' : `${candidate}${entry.split ? `, ${entry.split} split` : ''}`,
    verdict: entry.override
      ? `${entry.verdict ?? entry.state}, overruled: ${entry.override}`
      : (entry.verdict ?? entry.state),
    difference:
      difference === null || interval === null
        ? ''
        : `${points(difference)} pp [${points(interval[0])}, ${points(interval[1])}]`,
    parent: entry.parent,
    current: entry.run === current,
  };
}

interface Dot extends CostDot {
  tree: string;
}

/**
 * Cost per trial against score, a dot a harness version of the suite's finished runs: price where all of them state it,
 * tokens otherwise, null where neither. Of a version that was measured more than once the newest run counts.
 */
export function costPlot(current: string, history: readonly HistoryEntry[]): ResultsView['cost'] {
  const arms = history.flatMap((entry) => entry.arms.map((arm) => ({ ...arm, current: entry.run === current })));
  const newest = arms.filter((arm, index) => arms.findIndex((other) => other.tree === arm.tree) === index);
  const unit = newest.length > 0 && newest.every((arm) => arm.usd !== null) ? 'USD' : 'tokens';
  const dots = newest.flatMap((arm): Dot[] => {
    const cost = unit === 'USD' ? arm.usd : arm.tokens;
    if (cost === null) return [];
    return [
      { label: arm.label, cost, score: arm.score, picks: [], onLine: false, current: arm.current, tree: arm.tree },
    ];
  });
  if (dots.length === 0) return null;
  const { line, light, medium, heavy } = paretoPicks(dots);
  const named = [
    ['light', light],
    ['medium', medium],
    ['heavy', heavy],
  ] as const;
  return {
    unit,
    dots: dots.map(({ tree, ...dot }) => ({
      ...dot,
      onLine: line.some((each) => each.tree === tree),
      picks: named.flatMap(([name, pick]) => (pick?.tree === tree ? [name] : [])),
    })),
  };
}
