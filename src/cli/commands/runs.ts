import { resolve } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { openHarness } from '../../core/harness';
import {
  cancelRun,
  cleanLeftovers,
  executeRun,
  gainReport,
  listRuns,
  overrideVerdict,
  RunManifest,
  readRun,
  Split,
  Trial,
  Verdict,
  writeReport,
} from '../../core/validation';
import { type Answer, answerWith, commandGroup, newCommand } from '../command';
import { predictionOf, reportFormat, saveReport } from '../runReports';
import { planText, verdictText } from '../runTexts';
import { counted } from '../words';

export const RunsDocument = z.object({
  runs: z.array(RunManifest),
  unreadable: z.array(z.object({ id: z.string(), reason: z.string() })),
});
export const RunDocument = z.object({ manifest: RunManifest, trials: z.array(Trial), verdict: Verdict.nullable() });
export const CleanDocument = z.object({
  worktrees: z.array(z.string()),
  processes: z.int(),
  interrupted: z.array(z.string()),
});

export const GainDocument = z.object({
  gains: z.array(
    z.object({ split: Split, run: z.string(), gain: z.number(), interval: z.tuple([z.number(), z.number()]) }),
  ),
  retainedShare: z.number().nullable(),
  overfittingShare: z.number().nullable(),
  timeScaling: z.object({ tries: z.int(), gain: z.number(), share: z.number().nullable() }).nullable(),
  remainderUpperBound: z.number().nullable(),
  sentences: z.array(z.string()),
});

export const CancelDocument = z.object({ run: z.string(), state: RunManifest.shape.state, asked: z.boolean() });
export const OverrideDocument = z.object({ run: z.string(), verdict: z.string(), reason: z.string() });

/** `harnessmith runs list|show|resume|gain|cancel|override|clean`. */
export function runsCommand() {
  return commandGroup('runs', 'list, show, resume, stop, overrule and tidy validation runs', [
    listCommand(),
    showCommand(),
    resumeCommand(),
    gainCommand(),
    cancelCommand(),
    overrideCommand(),
    cleanCommand(),
  ]);
}

function listCommand() {
  const command = newCommand('list', 'list the runs, newest first');
  answerWith(command, async (context): Promise<Answer<z.infer<typeof RunsDocument>>> => {
    const { root } = await openHarness(context.folder);
    const found = await listRuns(root);
    const lines = found.runs.map(
      (run) =>
        `${run.id}  ${run.state}  ${run.proposal ?? 'no proposal'}  ${run.split ? `${run.split} split, ` : ''}` +
        `${counted(run.tasks.length, 'task')} x ${run.trials}`,
    );
    lines.push(...found.unreadable.map(({ id, reason }) => `${id}  unreadable: ${reason}`));
    return { document: found, text: lines.join('\n') || 'No runs. Start one: harnessmith validate <proposal>' };
  });
  return command;
}

function showCommand() {
  const command = newCommand('show', 'show a run and its verdict, or write its report')
    .argument('<run>', 'run id')
    .option('--format <format>', 'write the report as md, csv, json, html or junit instead')
    .option('--out <file>', 'with --format: into this file');
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof RunDocument>>> => {
    const { root } = await openHarness(context.folder);
    const { manifest, trials, verdict } = await readRun(root, id);
    const { format, out } = command.opts<{ format?: string; out?: string }>();
    if (format !== undefined) {
      if (!verdict) throw verdictMissing(id);
      const kind = reportFormat(format);
      const report = { manifest, trials, verdict, prediction: await predictionOf(root, manifest.proposal, verdict) };
      if (out === undefined)
        return { document: { manifest, trials, verdict }, text: writeReport(kind, report), file: true };
      await saveReport(resolve(out), kind, report);
      return { document: { manifest, trials, verdict }, text: `Wrote ${out}.` };
    }
    const planned = manifest.tasks.length * manifest.trials * manifest.arms.length;
    const text = verdict
      ? verdictText(verdict, trials, manifest)
      : `${manifest.state}, ${trials.length} of ${planned} trials. Go on: harnessmith validate --resume ${id}`;
    return { document: { manifest, trials, verdict }, text: `${planText(manifest)}\n${text}` };
  });
  return command;
}

function verdictMissing(id: string): InputError {
  return new InputError(`${id} has no verdict yet.`, {
    code: 'verdict-missing',
    nextStep: `Finish it first: harnessmith validate --resume ${id}`,
  });
}

function resumeCommand() {
  const command = newCommand('resume', 'make the trials that a run still misses, and judge it').argument(
    '<run>',
    'run id',
  );
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof RunDocument>>> => {
    const { root } = await openHarness(context.folder);
    const { manifest, trials, verdict } = await executeRun(root, id, {
      progress: context.progress,
      signal: context.signal,
    });
    const text = verdictText(verdict, trials, manifest);
    return { document: { manifest, trials, verdict }, text, ok: verdict.verdict !== 'reject' };
  });
  return command;
}

function gainCommand() {
  const command = newCommand(
    'gain',
    'take the gain of a proposal apart: search, selection, sealed, plain retrying',
  ).argument('<proposal>', 'id of a proposal with finished runs');
  answerWith(command, async (context, proposal: string): Promise<Answer<z.infer<typeof GainDocument>>> => {
    const { root } = await openHarness(context.folder);
    const verdicts: Partial<Record<Split, Verdict>> = {};
    for (const run of (await listRuns(root)).runs) {
      if (run.proposal !== proposal || run.state !== 'finished') continue;
      const split = run.split ?? 'selection';
      const { verdict } = await readRun(root, run.id);
      if (verdict) verdicts[split] ??= verdict; // newest first
    }
    const report = gainReport(verdicts);
    if (report.gains.length === 0) {
      throw new InputError(`Proposal ${proposal} has no finished run.`, {
        code: 'run-missing',
        nextStep: `Validate it first: harnessmith validate ${proposal}`,
      });
    }
    return { document: report, text: report.sentences.join('\n') };
  });
  return command;
}

function cleanCommand() {
  const command = newCommand('clean', 'remove processes and worktrees that crashed runs left; trials are kept');
  answerWith(command, async (context): Promise<Answer<z.infer<typeof CleanDocument>>> => {
    const { root } = await openHarness(context.folder);
    const left = await cleanLeftovers(root);
    const text = `Removed ${counted(left.worktrees.length, 'worktree')} and ${counted(left.processes, 'process', 'processes')}; ${counted(left.interrupted.length, 'run')} can be resumed.`;
    return { document: left, text };
  });
  return command;
}

function cancelCommand() {
  const command = newCommand('cancel', 'stop a run that another process carries out; its trials are kept').argument(
    '<run>',
    'run id',
  );
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof CancelDocument>>> => {
    const { root } = await openHarness(context.folder);
    const { manifest, runner } = await readRun(root, id);
    // A request to nobody would only lie about.
    if (runner === null) {
      const text = `Nobody carries out ${id}; it is ${manifest.state}.`;
      return { document: { run: id, state: manifest.state, asked: false }, text, ok: false };
    }
    await cancelRun(root, id);
    const text = `Asked ${runner.owner} to stop ${id}. Go on later: harnessmith validate --resume ${id}`;
    return { document: { run: id, state: manifest.state, asked: true }, text };
  });
  return command;
}

function overrideCommand() {
  const command = newCommand('override', 'record that you go against the verdict of a run; changes nothing else')
    .argument('<run>', 'run id')
    .requiredOption('--reason <text>', 'why the verdict does not count');
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof OverrideDocument>>> => {
    const { root } = await openHarness(context.folder);
    const { verdict } = await readRun(root, id);
    if (!verdict) throw verdictMissing(id);
    const { reason } = command.opts<{ reason: string }>();
    await overrideVerdict(root, id, reason);
    const text = `Recorded that the verdict "${verdict.verdict}" of ${id} was overruled: ${reason.trim()}`;
    return { document: { run: id, verdict: verdict.verdict, reason: reason.trim() }, text };
  });
  return command;
}
