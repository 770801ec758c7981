import { isNoiseRun, type RunManifest, type Verdict } from './model';

const words: Record<Verdict['verdict'], string> = {
  accept: 'Accept.',
  reject: 'Reject.',
  undecided: 'Undecided.',
  'not measured': 'Not measured.',
  equal: 'Equal within the margin.',
  'adopt for cost': 'Adopt for cost.',
};

type Unsaid = Omit<Verdict, 'sentence'>;

/**
 * The verdict in words: decision, difference with interval and p, flips and regressions by name, noise floor, what the
 * design can resolve, what would decide, coverage, cost. Differences are in percentage points.
 */
export function verdictSentence(manifest: RunManifest, verdict: Unsaid): string {
  const { measured, planned } = verdict.coverage;
  const parts = [words[verdict.verdict]];
  if (verdict.verdict === 'not measured') {
    parts.push(`Only ${measured} of ${planned} trials have a verdict${reasons(verdict)}.`);
    parts.push(`The rule asks for ${Math.round(verdict.rule.minimumCoverage * 100)} % in each arm.`);
    return [...parts, ...(verdict.treatments ?? [])].join(' ');
  }
  const [low, high] = verdict.interval;
  const tasks = verdict.tasks.filter((task) => task.group !== 'not measured').length;
  const design = `${testWords(verdict)}, ${tasks} ${plural(tasks, 'task')} x ${manifest.trials}`;
  parts.push(
    `${nameOf(manifest, 'candidate')} against ${nameOf(manifest, 'baseline')}: ${points(verdict.difference)} pp ` +
      `[${points(low)}, ${points(high)}], p = ${pValue(verdict.p)} (${design}).`,
    ...levelWords(verdict),
    `${verdict.up} ${plural(verdict.up, 'task')} flipped up, ${verdict.down} down.`,
  );
  if (verdict.regressions.length > 0) {
    const lead = isNoiseRun(manifest) ? 'Flipped down by chance' : 'Regressions';
    parts.push(`${lead}: ${shortList(verdict.regressions)}.`);
  }
  parts.push(...reasonOf(verdict), ...noiseWords(verdict), resolution(verdict.detectable));
  if (isNoiseRun(manifest)) parts.push('Nothing was changed, so this difference is the noise of the suite.');
  else if (verdict.verdict === 'undecided') parts.push(...whatWouldDecide(manifest, verdict));
  parts.push(`Coverage ${measured} of ${planned}${reasons(verdict)}.`, ...costWords(verdict));
  if (manifest.screening) parts.push(...screeningWords(verdict));
  return [...parts, ...(verdict.treatments ?? [])].join(' ');
}

function testWords({ rule }: Unsaid): string {
  return rule.test === 'exact sign-flip on task means' ? 'exact sign-flip' : rule.test;
}

/** Said only where p is not simply compared with alpha. */
function levelWords({ level, rule }: Unsaid): string[] {
  if (level === undefined || Math.abs(level - rule.alpha) < 1e-6) return [];
  if (level === 0) return ['All planned looks are used up, so this look decides nothing.'];
  const why = [
    (rule.candidates ?? 1) > 1 ? `${rule.candidates} candidates` : '',
    (rule.looks?.planned ?? 1) > 1 ? `${rule.looks?.planned} planned looks` : '',
  ].filter((each) => each !== '');
  return [`With ${why.join(' and ')} the level is ${pValue(level)}.`];
}

/** Why the verdict is not the one that p alone would give. */
function reasonOf({ verdict, equivalence, cost, noiseFloor, difference, p, level = 0 }: Unsaid): string[] {
  if (verdict === 'equal' && equivalence) {
    return [
      `A difference beyond ${round(equivalence.margin)} pp is excluded in both directions (p = ${pValue(equivalence.p)}).`,
    ];
  }
  if (verdict === 'adopt for cost' && equivalence) {
    const saved = cost.changes?.find((each) => each.unit !== 'seconds' && each.interval[1] < 0);
    const what = saved
      ? `${saved.unit === 'USD' ? 'Price' : 'Tokens'} fall by ${round(-saved.change)} %`
      : 'It is cheaper';
    return [
      `${what}, and a loss beyond ${round(equivalence.margin)} pp is excluded (p = ${pValue(equivalence.notWorseP)}).`,
    ];
  }
  if (verdict === 'undecided' && p <= level && noiseFloor && Math.abs(difference) < noiseFloor.halfWidth) {
    return ['The difference is below the noise floor, so it is not credited.'];
  }
  return [];
}

function noiseWords({ noiseFloor }: Unsaid): string[] {
  return noiseFloor ? [`Noise floor (A/A): ${round(noiseFloor.halfWidth)} pp, from ${noiseFloor.from}.`] : [];
}

function screeningWords({ population }: Unsaid): string[] {
  const said = ['This run was for screening on chosen tasks; it admits nothing.'];
  if (!population) return said;
  const { hajek, standardError, tasks } = population;
  return [...said, `Over all ${tasks} tasks it stands for ${points(hajek)} pp (Hajek, error ${round(standardError)}).`];
}

function costWords({ cost }: Unsaid): string[] {
  const said = (cost.changes ?? []).flatMap(({ unit, change }) =>
    unit === 'seconds'
      ? []
      : [`${unit === 'USD' ? 'cost' : 'tokens'} ${change >= 0 ? '+' : ''}${Math.round(change * 100)} %`],
  );
  if (said.length === 0) return [];
  const text = said.join(', ');
  return [`${text.charAt(0).toUpperCase()}${text.slice(1)}.`];
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

function whatWouldDecide(manifest: RunManifest, verdict: Unsaid): string[] {
  if (verdict.moreTasks === null) return ['Both did equally well, so more tasks like these would not decide.'];
  const tasks = `${verdict.moreTasks} more ${plural(verdict.moreTasks, 'task')} x ${manifest.trials}`;
  const repeats = verdict.moreTrials
    ? `${verdict.moreTrials} more ${plural(verdict.moreTrials, 'trial')} of each task and arm, or `
    : '';
  const needed = `About ${repeats}${tasks} would decide if this difference holds.`;
  const effect = verdict.rule.minimumEffect;
  if (effect === undefined || !verdict.tasksForEffect) return [needed];
  return [needed, `To resolve ${round(effect)} pp: ${verdict.tasksForEffect} tasks x ${manifest.trials}.`];
}

/** Percentage points or percent, one digit below ten. */
function round(share: number): string {
  return String(Number((share * 100).toFixed(share * 100 < 10 ? 1 : 0)));
}

function reasons(verdict: Unsaid): string {
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
