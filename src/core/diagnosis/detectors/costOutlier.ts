import type { TraceRun } from '../../traces';
import type { AcrossDetector } from './detector';

/** Fewer runs have no usual cost. */
const fewestRuns = 5;
const farAbove = 2.5;

/** A run that used far more than the other runs of its task or, where those are few, than all runs. */
export const costOutlier: AcrossDetector = {
  id: 'cost-outlier',
  why: 'loop_or_stagnation',
  unitKinds: ['limits', 'main_loop'],
  soleKinds: ['limits', 'main_loop'],
  party: 'unclear',
  detect(head, all) {
    const { run, lastStep } = head;
    // Two harnesses spend differently on the same work.
    const others = all.filter((one) => one.run.format === run.format && one.run.agent === run.agent);
    const same = others.filter((one) => one.run.task !== null && one.run.task === run.task);
    const beside = same.length + 1 >= fewestRuns ? same : others;
    for (const { words, of } of measures) {
      const own = of(run);
      const known = beside.flatMap((one) => of(one.run) ?? []);
      if (own === null || known.length + 1 < fewestRuns) continue;
      const usual = quantile(known, 0.5);
      const upper = quantile(known, 0.75) + 3 * (quantile(known, 0.75) - quantile(known, 0.25));
      if (own <= upper || own < farAbove * usual) continue;
      const where = beside === same ? 'this task' : 'all tasks';
      return [
        {
          steps: [lastStep],
          explanation: `The run used ${format(own)} ${words}; the middle of ${known.length} other runs of ${where} is ${format(usual)}.`,
          confidence: 0.5,
          partyReason: 'a figure alone does not say who is to blame',
        },
      ];
    }
    return [];
  },
};

/** The surest figure first: prices are recorded seldom and turns always. */
const measures: readonly { words: string; of: (run: TraceRun) => number | null }[] = [
  { words: 'US dollars', of: (run) => run.costUsd },
  {
    words: 'tokens',
    of: ({ tokens: { input, output } }) => (input === null && output === null ? null : (input ?? 0) + (output ?? 0)),
  },
  { words: 'model turns', of: (run) => run.counts.modelTurns || null },
];

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (sorted.length - 1) * share;
  const [low, high] = [sorted[Math.floor(at)] ?? 0, sorted[Math.ceil(at)] ?? 0];
  return low + (high - low) * (at - Math.floor(at));
}

function format(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(2)));
}
