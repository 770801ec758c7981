import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openHarness } from '../../core/harness';
import { isMissing } from '../../core/store';
import { reportOnFiles, reportOnRuns, type Verdict, writeReport } from '../../core/validation';
import { type Answer, answerWith, newCommand } from '../command';
import { reportFormat, saveReport } from '../runReports';
import { verdictText } from '../runTexts';

export { Verdict as CompareDocument } from '../../core/validation';

/** `harnessmith compare <runA> <runB>`: statistics on two finished runs or on result files. */
export function compareCommand() {
  const command = newCommand('compare', 'judge one finished run, or one set of results, against another')
    .argument('<before>', 'run id, run folder, trials.jsonl or Harbor job folder')
    .argument('<after>', 'the same')
    .option('--format <format>', 'write the report as md, csv, json, html or junit instead')
    .option('--out <file>', 'with --format: into this file');
  answerWith(command, async (context, before: string, after: string): Promise<Answer<Verdict>> => {
    const report = (await arePaths(before, after))
      ? await reportOnFiles(resolve(before), resolve(after))
      : await reportOnRuns((await openHarness(context.folder)).root, before, after);
    const { verdict, trials, manifest } = report;
    const ok = verdict.verdict !== 'reject';
    const { format, out } = command.opts<{ format?: string; out?: string }>();
    if (format === undefined) return { document: verdict, text: verdictText(verdict, trials, manifest), ok };
    const kind = reportFormat(format);
    if (out === undefined) return { document: verdict, text: writeReport(kind, report), ok, file: true };
    await saveReport(resolve(out), kind, report);
    return { document: verdict, text: `Wrote ${out}.`, ok };
  });
  return command;
}

async function arePaths(...names: string[]): Promise<boolean> {
  const found = names.map((name) =>
    stat(resolve(name)).then(
      () => true,
      (error) => {
        if (isMissing(error)) return false;
        throw error;
      },
    ),
  );
  return (await Promise.all(found)).every(Boolean);
}
