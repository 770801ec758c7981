import type { RunManifest, Trial, Verdict } from '../model';
import { points, pValue } from '../sentence';
import { ruleWords } from '../verdicts';
import type { PredictionScore } from './predictions';
import { orderedTasks, shareWords } from './table';

/** Everything a written report is made from. */
export interface RunReport {
  manifest: RunManifest;
  verdict: Verdict;
  trials: readonly Trial[];
  prediction?: PredictionScore | null;
}

/** The facts under the sentence, a line each, in the order people ask for them. */
export function factLines({ manifest, verdict, prediction }: RunReport): string[] {
  const { scores, retention, equivalence } = verdict;
  const lines: string[] = [];
  for (const arm of ['baseline', 'candidate'] as const) {
    const score = scores?.[arm];
    if (!score) continue;
    const error =
      score.standardError === null ? '' : ` +- ${(100 * score.standardError).toFixed(1)} (standard error over tasks)`;
    lines.push(
      `${arm}: ${(100 * score.mean).toFixed(1)} %${error}; passed ${score.passed} of ${score.measured} ` +
        `measured and of ${score.planned} planned trials; ${score.infrastructure} ended by infrastructure`,
    );
  }
  if (retention)
    lines.push(`retention: ${retention.kept} of ${retention.of} tasks that the baseline passes are still passed`);
  if (equivalence) {
    lines.push(
      `within ${points(equivalence.margin)} pp: p = ${pValue(equivalence.p)} (TOST); not worse by it: p = ${pValue(equivalence.notWorseP)}`,
    );
  }
  for (const part of verdict.splits ?? []) {
    lines.push(
      `split ${part.split}: ${points(part.difference)} pp [${points(part.interval[0])}, ${points(part.interval[1])}], ` +
        `p = ${pValue(part.adjustedP)} (Holm), ${part.tasks} tasks${part.regressions.length > 0 ? `; regressions: ${part.regressions.join(', ')}` : ''}`,
    );
  }
  for (const { k, baseline, candidate } of verdict.passAt ?? []) {
    if (k === 1) continue;
    lines.push(
      `pass@${k}: ${share(baseline.any)} to ${share(candidate.any)}; pass^${k}: ${share(baseline.all)} to ${share(candidate.all)}`,
    );
  }
  for (const { unit, change, interval, p, tasks } of verdict.cost.changes ?? []) {
    lines.push(
      `${unit}: ${signed(change)} % [${signed(interval[0])}, ${signed(interval[1])}], p = ${pValue(p)}, ${tasks} tasks`,
    );
  }
  if (verdict.bounds && verdict.coverage.measured < verdict.coverage.planned) {
    lines.push(
      `if the missing trials went against or for the candidate: ${points(verdict.bounds[0])} to ${points(verdict.bounds[1])} pp`,
    );
  }
  if (prediction) lines.push(prediction.sentence);
  if (manifest.split)
    lines.push(`split of this run: ${manifest.split}; runs judged on it before: ${manifest.earlierLooks ?? 0}`);
  lines.push(`rule, declared before the run: ${ruleWords(verdict.rule)}`);
  return [...lines, ...(manifest.warnings ?? [])];
}

/** The report as Markdown. Names of tasks come from outside, so what Markdown would read as its own is escaped. */
export function markdownReport(report: RunReport): string {
  const { manifest, verdict } = report;
  return [
    `# ${escaped(manifest.suiteName)}: ${escaped(manifest.id)}`,
    '',
    escaped(verdict.sentence),
    '',
    ...factLines(report).map((line) => `- ${escaped(line)}`),
    '',
    '| task | baseline | candidate | group | p | q |',
    '|---|---|---|---|---|---|',
    ...orderedTasks(verdict).map(
      (task) =>
        `| ${escaped(task.task)} | ${shareWords(task.baseline)} | ${shareWords(task.candidate)} | ${task.group} | ` +
        `${task.p === undefined ? '' : pValue(task.p)} | ${task.q === undefined ? '' : pValue(task.q)} |`,
    ),
    '',
  ].join('\n');
}

/** One line a trial, for spreadsheets and other programs (RFC 4180). */
export function csvReport({ trials }: RunReport): string {
  const columns = [
    'run',
    'task',
    'arm',
    'repeat',
    'seed',
    'verdict',
    'reward',
    'exception',
    'infrastructure',
    'seconds',
    'tokens',
    'costUsd',
    'commit',
    'started',
  ] as const;
  const value = (trial: Trial, column: (typeof columns)[number]) =>
    column === 'exception' ? (trial.exception?.type ?? '') : trial[column];
  const rows = trials.map((trial) => columns.map((column) => cell(value(trial, column))).join(','));
  return `${[columns.join(','), ...rows].join('\r\n')}\r\n`;
}

/** The same answer as `--json`: manifest, verdict and trials. */
export function jsonReport({ manifest, verdict, trials, prediction }: RunReport): string {
  return `${JSON.stringify({ schemaVersion: 1, manifest, verdict, prediction: prediction ?? null, trials }, null, 2)}\n`;
}

/** A cell that no spreadsheet takes for a formula and that keeps commas, quotes and line ends. */
function cell(value: string | number | boolean | null): string {
  const text = value === null ? '' : String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function escaped(text: string): string {
  return text.replaceAll(/[\r\n]+/g, ' ').replaceAll(/[\\`*_{}[\]<>#|]/g, (sign) => `\\${sign}`);
}

function share(value: number): string {
  return `${(100 * value).toFixed(1)} %`;
}

function signed(change: number): string {
  return `${change >= 0 ? '+' : ''}${(100 * change).toFixed(1)}`;
}
