import type { Split, Verdict } from '../model';
import { points } from '../sentence';

/** The gain of one candidate on one split. */
export interface SplitGain {
  split: Split;
  run: string;
  gain: number;
  interval: [number, number];
}

/** Where the gain of a campaign comes from. Shares are null where what they divide is not above zero for certain. */
export interface GainReport {
  gains: SplitGain[];
  /** Sealed gain over search gain. */
  retainedShare: number | null;
  /** The part of the search gain that the sealed split does not show. */
  overfittingShare: number | null;
  /** The part that the old harness reaches by trying again at the same spend, from its own repeats. */
  timeScaling: { tries: number; gain: number; share: number | null } | null;
  /** What is left of the sealed gain (or of the best known one); other causes may hide in it. */
  remainderUpperBound: number | null;
  sentences: string[];
}

/**
 * Takes the gain of a candidate apart: what search showed, what selection kept, what the sealed split confirms, and what
 * plain retrying of the old harness would give for the same money. pass@1 stays the measure of the candidate.
 */
export function gainReport(verdicts: Partial<Record<Split, Verdict>>): GainReport {
  const order: Split[] = ['search', 'selection', 'sealed'];
  const gains = order.flatMap((split) => {
    const verdict = verdicts[split];
    return verdict ? [{ split, run: verdict.run, gain: verdict.difference, interval: verdict.interval }] : [];
  });
  const of = (split: Split) => gains.find((each) => each.split === split);
  const [search, sealed] = [of('search'), of('sealed')];
  const known = search !== undefined && search.interval[0] > 0;
  const retainedShare = known && sealed ? sealed.gain / search.gain : null;
  const overfittingShare = retainedShare === null ? null : Math.min(1, Math.max(0, 1 - retainedShare));
  const last = gains.at(-1);
  const verdict = last ? verdicts[last.split] : undefined;
  const timeScaling = verdict ? equalBudget(verdict) : null;
  const remainderUpperBound = last ? last.gain - (timeScaling?.gain ?? 0) : null;
  return {
    gains,
    retainedShare,
    overfittingShare,
    timeScaling,
    remainderUpperBound,
    sentences: sentencesOf({ gains, retainedShare, timeScaling, remainderUpperBound, known }),
  };
}

/**
 * What the baseline gains by being tried again for what a trial of the candidate costs, with a perfect choice among its
 * tries (pass@k of its own repeats, k the ratio of the costs). Null where costs or repeats are missing or the candidate
 * costs less than two trials of the baseline.
 */
export function equalBudget(verdict: Verdict): GainReport['timeScaling'] {
  const change =
    verdict.cost.changes?.find((each) => each.unit === 'USD') ??
    verdict.cost.changes?.find((each) => each.unit === 'tokens');
  const tries = change === undefined ? 0 : Math.floor(change.change + 1 + 1e-9);
  const once = verdict.passAt?.find(({ k }) => k === 1);
  const often = verdict.passAt?.find(({ k }) => k === tries);
  if (tries < 2 || !once || !often) return null;
  const gain = often.baseline.any - once.baseline.any;
  return { tries, gain, share: verdict.interval[0] > 0 ? Math.min(1, gain / verdict.difference) : null };
}

function sentencesOf(
  report: Pick<GainReport, 'gains' | 'retainedShare' | 'timeScaling' | 'remainderUpperBound'> & { known: boolean },
): string[] {
  const said = report.gains.map(
    ({ split, gain, interval }) => `${split} gain ${points(gain)} pp [${points(interval[0])}, ${points(interval[1])}].`,
  );
  if (report.retainedShare !== null)
    said.push(`The sealed split retains ${percent(report.retainedShare)} of the search gain.`);
  else if (report.gains.length > 1 && !report.known)
    said.push('The search gain may be zero, so no retained share can be given.');
  if (report.timeScaling) {
    const { tries, gain } = report.timeScaling;
    said.push(
      `At the same spend the old harness tries ${tries} times and gains up to ${points(gain)} pp by that alone.`,
    );
  }
  if (report.remainderUpperBound !== null) {
    said.push(`What is left for the change itself is at most ${points(report.remainderUpperBound)} pp.`);
  }
  return said;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
