import { z } from 'zod';
import { openHarness } from '../../core/harness';
import { cleanLeftovers, listRuns, RunManifest, readRun, Trial, Verdict } from '../../core/validation';
import { type Answer, answerWith, commandGroup, newCommand } from '../command';
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

/** `harnessmith runs list|show|clean`. */
export function runsCommand() {
  return commandGroup('runs', 'list, show and tidy validation runs', [listCommand(), showCommand(), cleanCommand()]);
}

function listCommand() {
  const command = newCommand('list', 'list the runs, newest first');
  answerWith(command, async (context): Promise<Answer<z.infer<typeof RunsDocument>>> => {
    const { root } = await openHarness(context.folder);
    const found = await listRuns(root);
    const lines = found.runs.map(
      (run) =>
        `${run.id}  ${run.state}  ${run.proposal ?? 'no proposal'}  ${counted(run.tasks.length, 'task')} x ${run.trials}`,
    );
    lines.push(...found.unreadable.map(({ id, reason }) => `${id}  unreadable: ${reason}`));
    return { document: found, text: lines.join('\n') || 'No runs. Start one: harnessmith validate <proposal>' };
  });
  return command;
}

function showCommand() {
  const command = newCommand('show', 'show a run and its verdict').argument('<run>', 'run id');
  answerWith(command, async (context, id: string): Promise<Answer<z.infer<typeof RunDocument>>> => {
    const { root } = await openHarness(context.folder);
    const { manifest, trials, verdict } = await readRun(root, id);
    const planned = manifest.tasks.length * manifest.trials * manifest.arms.length;
    const text = verdict
      ? verdictText(verdict, trials)
      : `${manifest.state}, ${trials.length} of ${planned} trials. Go on: harnessmith validate --resume ${id}`;
    return { document: { manifest, trials, verdict }, text: `${planText(manifest)}\n${text}` };
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
