import type { TraceHead } from '../../../webview/shared/traceProtocol';
import type { Finding } from '../../core/diagnosis/model';
import type { TraceRun } from '../../core/traces/model';
import { headFacts, outcomeWords, runName } from './words';

export interface HeadInput {
  run: TraceRun;
  stepCount: number;
  /** Findings of this run, best first. */
  findings: readonly Finding[];
  /** Last step with an error, null when none has one. */
  lastError: number | null;
  linksMissing: string | null;
  /** All runs of the file. */
  runs: readonly TraceRun[];
}

/** The head of the trace page. A failed run opens at its first finding, else at its last error. */
export function traceHead(input: HeadInput): TraceHead {
  const { run, findings } = input;
  return {
    run: run.id,
    title: [run.task, runName(run)].filter(Boolean).join(' - ').slice(0, 300),
    outcome: outcomeWords(run.outcome),
    facts: headFacts(run).map((fact) => fact.slice(0, 200)),
    stepCount: input.stepCount,
    ...startOf(input),
    warnings: run.warnings.slice(0, 50).map((warning) => warning.slice(0, 500)),
    linksMissing: input.linksMissing,
    runs: input.runs.slice(0, 500).map((one) => ({ run: one.id, label: runName(one).slice(0, 100) })),
    findings: byTitle(findings),
  };
}

/** Findings that say the same are one line with all their steps. */
function byTitle(findings: readonly Finding[]): TraceHead['findings'] {
  const steps = new Map<string, number[]>();
  for (const finding of findings) {
    const title = findingTitle(finding);
    steps.set(title, [...(steps.get(title) ?? []), ...finding.steps].slice(0, 50));
  }
  return [...steps].slice(0, 20).map(([title, list]) => ({ title, steps: list }));
}

/** One line of a finding: what is suspected. */
export function findingTitle(finding: Finding): string {
  return `${finding.why.replaceAll('_', ' ')}: ${finding.explanation}`.slice(0, 300);
}

function startOf({ run, findings, lastError }: HeadInput): { startAt: number; startReason: string | null } {
  if (run.outcome.verdict === 'pass') return { startAt: 1, startReason: null };
  const finding = findings[0];
  if (finding) {
    return {
      startAt: finding.steps[0]!,
      startReason: `Opened at step ${finding.steps[0]}: the first finding leads there.`,
    };
  }
  if (lastError !== null && run.outcome.verdict === 'fail') {
    return { startAt: lastError, startReason: `Opened at step ${lastError}: the last error of a failed run.` };
  }
  return { startAt: 1, startReason: null };
}
