import { resolve } from 'node:path';
import { z } from 'zod';
import { Finding, FlawRecord, SkippedRun } from '../../core/diagnosis';
import { openedHarness } from '../../core/handbook';
import { importTraces, loadCatalog } from '../../core/traces';
import { type Answer, answerWith, newCommand } from '../command';
import { diagnosed, skippedLines } from '../diagnosed';
import { counted } from '../words';

export const DiagnoseDocument = z.object({
  runs: z.int(),
  findings: z.array(Finding),
  flaws: z.array(FlawRecord),
  /** Runs whose trace cannot be read now; they are not among `runs`. */
  skipped: z.array(SkippedRun),
});
type DiagnoseDocument = z.infer<typeof DiagnoseDocument>;

const flawsShown = 12;

/** `harnessmith diagnose [--traces ...]`: findings and flaw records. */
export function diagnoseCommand() {
  const command = newCommand('diagnose', 'find what goes wrong in the runs, and where in the harness').option(
    '--traces <path...>',
    'only the traces in these files or folders',
  );
  answerWith(command, async (context): Promise<Answer<DiagnoseDocument>> => {
    const opened = await openedHarness(context.folder, context);
    const paths = command.opts<{ traces?: string[] }>().traces;
    const { runs } = paths
      ? await importTraces(
          paths.map((path) => resolve(path)),
          context,
        )
      : await loadCatalog(opened.harness.root, context);
    const { findings, flaws, skipped } = await diagnosed(opened, runs, context);
    const document = { runs: runs.length - skipped.length, findings, flaws, skipped };
    return { document, text: describe(document) };
  });
  return command;
}

function describe({ runs, findings, flaws, skipped }: DiagnoseDocument): string {
  if (runs + skipped.length === 0) return 'No traces. Import some: harnessmith traces import <files or folders>';
  const lines = [
    `${counted(findings.length, 'finding')} in ${counted(runs, 'run')}. All are suspected until a run confirms them.`,
  ];
  for (const flaw of flaws.slice(0, flawsShown)) {
    const place = flaw.site ? `  ${flaw.site.file}:${flaw.site.start}` : '';
    lines.push(`${flaw.id}  ${flaw.title}${place}`);
    lines.push(
      `    in ${flaw.failingRuns} failing and ${flaw.passingRuns} passing of ${counted(flaw.runsLookedAt, 'run')}; tasks: ${flaw.tasks.slice(0, 6).join(', ')}${flaw.tasks.length > 6 ? ', ...' : ''}`,
      ...whoseAndWhere(flaw),
    );
  }
  if (flaws.length > flawsShown) lines.push(`and ${flaws.length - flawsShown} more (--json lists all)`);
  lines.push(...skippedLines(skipped));
  return lines.join('\n');
}

/** Who has to change something and why, then the step to look at first. */
function whoseAndWhere({ party, partyReason, exemplars = [] }: FlawRecord): string[] {
  const [first] = exemplars;
  return [
    ...(party ? [`    ${party}${partyReason ? `: ${partyReason}` : ''}`] : []),
    ...(first ? [`    look at step ${first.step} of ${first.run}`] : []),
  ];
}
