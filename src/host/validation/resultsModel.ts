import type { ResultRow, ResultsView } from '../../../webview/shared/resultsProtocol';
import type { Prediction } from '../../core/proposals/model';
import { factLines, type HistoryEntry, pValue, ruleWords, scorePrediction } from '../../core/validation';
import {
  isNoiseRun,
  type RunManifest,
  type TaskComparison,
  type Trial,
  type Verdict,
} from '../../core/validation/model';
import { count } from '../traces/words';
import { costPlot, historyLine } from './resultsHistory';

export interface ResultsInput {
  manifest: RunManifest;
  trials: readonly Trial[];
  verdict: Verdict | null;
  prediction: Prediction | null;
  /** Title of the proposal, null for a run without one. */
  proposalTitle: string | null;
  /** Absolute path of a trace, given its path in the run folder. */
  tracePath: (relative: string) => string;
  /** Runs of the suite, newest first. */
  history?: readonly HistoryEntry[];
}

const groupOrder: TaskComparison['group'][] = [
  'flipped down',
  'flipped up',
  'flaky',
  'stable fail',
  'stable pass',
  'not measured',
];

/** What the results page shows. Flips come first, regressions before improvements; nothing is rounded away. */
export function resultsView(input: ResultsInput): ResultsView {
  const { manifest, verdict, trials } = input;
  const planned = manifest.tasks.length * manifest.trials * manifest.arms.length;
  const done = new Set(trials.map((trial) => `${trial.task}\n${trial.arm}\n${trial.repeat}`)).size;
  const tasks = [...(verdict?.tasks ?? [])].sort(
    (a, b) => groupOrder.indexOf(a.group) - groupOrder.indexOf(b.group) || a.task.localeCompare(b.task),
  );
  const final = manifest.state === 'finished';
  // Looking at an interval before all trials are in invites stopping when it pleases; it is shown at the end only.
  const measured = final && verdict !== null && verdict.coverage.measured > 0;
  return {
    run: manifest.id,
    title: `${input.proposalTitle ?? 'Baseline'} on suite ${manifest.suiteName}, ${count(manifest.tasks.length, 'task')} x ${manifest.trials}`,
    state: manifest.state,
    verdict: final ? (verdict?.verdict ?? null) : null,
    sentence: sentenceOf(input, done, planned),
    notes: notesOf(input, done, planned),
    difference: measured ? verdict.difference : null,
    interval: measured ? verdict.interval : null,
    groups: groupOrder.map((group) => ({ group, count: tasks.filter((task) => task.group === group).length })),
    // What a baseline against itself lost, it lost by chance; the sentence says so.
    regressions: final && !isNoiseRun(manifest) ? (verdict?.regressions ?? []) : [],
    rows: tasks.map((task) => rowOf(task, input)),
    done,
    planned,
    canResume: !final && manifest.state !== 'running',
    intervals: measured ? intervalRows(verdict) : [],
    noiseFloor: measured ? (verdict.noiseFloor?.halfWidth ?? null) : null,
    margin: measured ? (verdict.rule.margin ?? null) : null,
    facts: final && verdict ? factLines({ manifest, verdict, trials, prediction: scored(input) }) : [],
    cost: costPlot(manifest.id, input.history ?? []),
    history: (input.history ?? []).map((entry) => historyLine(entry, manifest.id)),
    override: input.history?.find((entry) => entry.run === manifest.id)?.override ?? null,
    canOverride: final && verdict !== null && verdict.verdict !== 'accept' && !isNoiseRun(manifest),
    looksLeft: final && !isNoiseRun(manifest) ? (manifest.rule.looks?.planned ?? 1) - (manifest.look ?? 1) : 0,
  };
}

function scored({ prediction, verdict }: ResultsInput) {
  if (!prediction || !verdict || prediction.fixes.length + prediction.atRisk.length === 0) return null;
  return scorePrediction(prediction, verdict);
}

function intervalRows(verdict: Verdict): ResultsView['intervals'] {
  const { difference, interval } = verdict;
  const parts = (verdict.splits ?? []).map((part) => ({
    label: `split ${part.split}, ${count(part.tasks, 'task')}`,
    difference: part.difference,
    interval: part.interval,
  }));
  return [{ label: 'all tasks', difference, interval }, ...parts];
}

/** While a run is under way the sentence must not read like a verdict. */
function sentenceOf({ manifest, verdict }: ResultsInput, done: number, planned: number): string {
  if (manifest.state === 'finished' && verdict) return verdict.sentence;
  const progress = `${done} of ${count(planned, 'trial')} done`;
  if (manifest.state === 'running') return `Running: ${progress}. The verdict comes when all are done.`;
  return `No verdict: the run was ${manifest.state}, ${progress}. Resume it to get one.`;
}

function notesOf({ manifest, verdict, trials }: ResultsInput, done: number, planned: number): string[] {
  const notes: string[] = [];
  const final = manifest.state === 'finished';
  if (manifest.split) {
    notes.push(`Split ${manifest.split}: looked at by ${count(manifest.earlierLooks ?? 0, 'earlier run')}.`);
  }
  notes.push(
    `Coverage ${verdict ? verdict.coverage.measured : done} of ${verdict ? verdict.coverage.planned : planned}.`,
  );
  const infrastructure = trials.filter((trial) => trial.infrastructure).length;
  if (infrastructure) notes.push(`${count(infrastructure, 'trial')} ended by infrastructure, not counted as failures.`);
  for (const missing of verdict?.missing ?? []) {
    notes.push(`No verdict in ${count(missing.trials, `${missing.arm} trial`)}: ${missing.reason}.`);
  }
  if (!final) notes.push(`Rule, fixed before the run: ${ruleWords(manifest.rule)}.`);
  return final ? notes : [...notes, ...(manifest.warnings ?? [])];
}

function rowOf(task: TaskComparison, { manifest, trials, prediction, tracePath }: ResultsInput): ResultRow {
  const traceOf = (arm: Trial['arm']) => {
    const trial = trials.findLast((one) => one.task === task.task && one.arm === arm && one.trace !== null);
    return trial?.trace ? tracePath(trial.trace) : null;
  };
  const unjudged = trials.findLast((one) => one.task === task.task && one.verdict === 'missing');
  return {
    task: task.task,
    baseline: task.baseline,
    candidate: task.candidate,
    group: task.group,
    regression: manifest.state === 'finished' && task.group === 'flipped down',
    predicted: prediction?.fixes.includes(task.task)
      ? 'fix'
      : prediction?.atRisk.includes(task.task)
        ? 'at risk'
        : null,
    baselineTrace: traceOf('baseline'),
    candidateTrace: traceOf('candidate'),
    output: unjudged ? tracePath(unjudged.output) : null,
    unstable: task.unstable,
    evidence: task.p === undefined || task.q === undefined ? undefined : `p ${pValue(task.p)}, q ${pValue(task.q)}`,
    split: task.split,
  };
}
