import { diagnoseRuns, promptTexts, type RunsDiagnosis } from '../core/diagnosis';
import type { OpenedHarness } from '../core/handbook';
import { buildLinkIndex, linkRun } from '../core/links';
import type { WorkOptions } from '../core/progress';
import type { TraceRun } from '../core/traces';
import { counted } from './words';

/** Findings and flaws of runs of an opened harness, with the runs that could not be read. */
export function diagnosed(opened: OpenedHarness, runs: readonly TraceRun[], work: WorkOptions): Promise<RunsDiagnosis> {
  const index = buildLinkIndex(opened.graph, opened.map, opened.harness.config);
  // Runs tell the progress; steps within one would make the bar jump.
  return diagnoseRuns(
    {
      runs,
      map: opened.map,
      texts: promptTexts(opened.graph.data.literals),
      linksOf: (reader, { signal }) => linkRun(index, reader, { signal }),
    },
    work,
  );
}

const skippedShown = 5;

/** One line for each run that could not be read, the first few of them; none when all could. */
export function skippedLines(skipped: RunsDiagnosis['skipped']): string[] {
  if (skipped.length === 0) return [];
  const lines = [`${counted(skipped.length, 'run')} could not be read:`];
  for (const { run, reason } of skipped.slice(0, skippedShown)) lines.push(`    ${run}: ${reason}`);
  if (skipped.length > skippedShown) lines.push(`    and ${skipped.length - skippedShown} more`);
  return lines;
}
