import { isNoiseRun, type RunManifest, type Verdict } from './model';

const words: Record<Verdict['verdict'], string> = {
  accept: 'Accept.',
  reject: 'Reject.',
  undecided: 'Undecided.',
  'not measured': 'Not measured.',
};

/**
 * The verdict in words: decision, difference with interval and p, what the design can resolve, what would decide,
 * coverage, regressions by name. Differences are in percentage points.
 */
export function verdictSentence(manifest: RunManifest, verdict: Omit<Verdict, 'sentence'>): string {
  const { measured, planned } = verdict.coverage;
  const parts = [words[verdict.verdict]];
  if (verdict.verdict === 'not measured') {
    parts.push(`Only ${measured} of ${planned} trials have a verdict${reasons(verdict)}.`);
    parts.push(`The rule asks for ${Math.round(verdict.rule.minimumCoverage * 100)} % in each arm.`);
    return parts.join(' ');
  }
  const [low, high] = verdict.interval;
  const tasks = verdict.tasks.filter((task) => task.group !== 'not measured').length;
  const design = `${verdict.rule.test}, ${tasks} ${plural(tasks, 'task')} x ${manifest.trials}`;
  parts.push(
    `${nameOf(manifest, 'candidate')} against ${nameOf(manifest, 'baseline')}: ${points(verdict.difference)} pp ` +
      `[${points(low)}, ${points(high)}], p = ${pValue(verdict.p)} (${design}).`,
    `${verdict.up} ${plural(verdict.up, 'task')} flipped up, ${verdict.down} down.`,
  );
  if (verdict.regressions.length > 0) {
    const lead = isNoiseRun(manifest) ? 'Flipped down by chance' : 'Regressions';
    parts.push(`${lead}: ${shortList(verdict.regressions)}.`);
  }
  // Resampling tasks that all differ by the same amount gives that amount each time; it is no sign of certainty.
  if (high - low < 1e-9) {
    parts.push('The interval has no width: it says nothing about other tasks.');
  }
  parts.push(resolution(verdict.detectable));
  if (isNoiseRun(manifest)) parts.push('Nothing was changed, so this difference is the noise of the suite.');
  else if (verdict.verdict === 'undecided') parts.push(whatWouldDecide(manifest, verdict));
  parts.push(`Coverage ${measured} of ${planned}${reasons(verdict)}.`);
  return parts.join(' ');
}

function nameOf(manifest: RunManifest, arm: 'baseline' | 'candidate'): string {
  if (arm === 'baseline') return 'baseline';
  if (isNoiseRun(manifest)) return 'The baseline with other seeds (A/A)';
  return `Candidate ${manifest.arms.find((each) => each.arm === 'candidate')?.label ?? ''}`.trim();
}

function resolution(detectable: number | null): string {
  if (detectable === null) return 'This design cannot resolve any gap at 80 % power; it needs at least 6 tasks.';
  return `This design resolves ${Math.ceil(detectable * 100)} pp or more at 80 % power.`;
}

function whatWouldDecide(manifest: RunManifest, verdict: Omit<Verdict, 'sentence'>): string {
  if (verdict.moreTasks === null) return 'As many tasks flipped up as down, so more tasks like these would not decide.';
  return `About ${verdict.moreTasks} more ${plural(verdict.moreTasks, 'task')} x ${manifest.trials} would decide if this difference holds.`;
}

function reasons(verdict: Omit<Verdict, 'sentence'>): string {
  const shown = (verdict.missing ?? []).slice(0, 3).map((each) => `${each.trials} ${each.reason} in the ${each.arm}`);
  return shown.length === 0 ? '' : ` (no verdict: ${shown.join(', ')})`;
}

/** `+6.2`, `-3.1`, `0.0`: percentage points with the sign that a reader looks for. */
export function points(difference: number): string {
  const text = (difference * 100).toFixed(1);
  if (Number(text) === 0) return '0.0';
  return difference > 0 ? `+${text}` : text;
}

/** Two significant digits, and never rounded down to zero. */
export function pValue(p: number): string {
  if (p < 0.0001) return p.toExponential(1);
  return p >= 0.995 ? '1' : String(Number(p.toPrecision(2)));
}

function plural(count: number, noun: string): string {
  return count === 1 ? noun : `${noun}s`;
}

function shortList(names: readonly string[]): string {
  const shown = names.slice(0, 8).join(', ');
  return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
}
