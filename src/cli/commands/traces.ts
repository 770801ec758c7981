import { realpath } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import { z } from 'zod';
import { openHarness } from '../../core/harness';
import {
  addToCatalog,
  groupDocument,
  groupRuns,
  loadCatalog,
  type RunGroup,
  RunGroupDocument,
  TraceRun,
  UnknownFile,
} from '../../core/traces';
import { type Answer, answerWith, commandGroup, newCommand } from '../command';
import { counted, money, outcomeWords } from '../words';
import { compareTracesCommand } from './tracesCompare';
import { digestCommand } from './tracesReading';
import { showCommand } from './tracesShow';
import { tailCommand } from './tracesTail';

export const TracesDocument = z.object({
  runs: z.array(TraceRun),
  unknown: z.array(UnknownFile),
  /** Runs of one task under one configuration, by id; flipping tasks first. */
  groups: z.array(RunGroupDocument),
});
type TracesDocument = z.infer<typeof TracesDocument>;

/** `harnessmith traces ...`: import, list, show, digest, compare, tail. */
export function tracesCommand() {
  return commandGroup('traces', 'import, list and read traces', [
    importCommand(),
    listCommand(),
    showCommand(),
    digestCommand(),
    compareTracesCommand(),
    tailCommand(),
  ]);
}

function importCommand() {
  const command = newCommand('import', 'search files and folders for traces and remember them').argument(
    '<path...>',
    'files or folders',
  );
  answerWith(command, async (context, paths: string[]): Promise<Answer<TracesDocument>> => {
    const harness = await openHarness(context.folder);
    const asked = paths.map((path) => resolve(path));
    const { runs, unknown } = await addToCatalog(harness.root, asked, context);
    const document = { runs, unknown, groups: groupRuns(runs).map(groupDocument) };
    return { document, text: describe(document), ok: await anyBelow(asked, runs) };
  });
  return command;
}

/** Whether a run lies in one of these files or folders; runs that were imported before are no answer. */
async function anyBelow(paths: readonly string[], runs: readonly TraceRun[]): Promise<boolean> {
  const folders = new Set([...paths, ...(await Promise.all(paths.map((path) => realpath(path))))]);
  const below = (file: string) =>
    [...folders].some((path) => file === path || file.startsWith(path.endsWith(sep) ? path : path + sep));
  for (const { file } of runs) if (below(file) || below(await realpath(file).catch(() => file))) return true;
  return false;
}

function listCommand() {
  const command = newCommand('list', 'list the runs, tasks that flip first');
  answerWith(command, async (context): Promise<Answer<TracesDocument>> => {
    const harness = await openHarness(context.folder);
    const { runs, unknown } = await loadCatalog(harness.root, context);
    const document = { runs, unknown, groups: groupRuns(runs).map(groupDocument) };
    return { document, text: describe(document) };
  });
  return command;
}

/** Told apart only where a task ran under several configurations. */
function configurationWords({ configuration }: RunGroup): string {
  const { agent, agentVersion, model, candidate } = configuration;
  const parts = [[agent, agentVersion].filter(Boolean).join(' '), model, candidate && `candidate ${candidate}`];
  return `[${parts.filter(Boolean).join(', ') || 'configuration not recorded'}]`;
}

function describe({ runs, unknown }: Pick<TracesDocument, 'runs' | 'unknown'>): string {
  const lines: string[] = [];
  const groups = groupRuns(runs);
  const configurations = new Map<string | null, number>();
  for (const { task } of groups) configurations.set(task, (configurations.get(task) ?? 0) + 1);
  for (const group of groups) {
    const flips = group.flips ? ', flips' : '';
    const judged =
      group.judged > 0 ? `${group.passed} of ${group.judged} passed${flips}` : counted(group.runs.length, 'run');
    const named = (configurations.get(group.task) ?? 0) > 1 ? `   ${configurationWords(group)}` : '';
    lines.push(`${group.task ?? '(no task name)'}${named}   ${judged}`);
    for (const run of group.runs) {
      const name = run.trial ?? run.sessionId ?? run.file;
      lines.push(
        `  ${outcomeWords(run.outcome)}   ${counted(run.counts.steps, 'step')}, ${money(run.costUsd)}   ${name}${run.warnings.length > 0 ? `   (${counted(run.warnings.length, 'warning')})` : ''}`,
      );
    }
  }
  if (runs.length === 0) lines.push('No traces. Import some: harnessmith traces import <files or folders>');
  if (unknown.length > 0) {
    lines.push('Not read as traces:');
    for (const { file, reason } of unknown.slice(0, 20)) lines.push(`  ${file}: ${reason}`);
    if (unknown.length > 20) lines.push(`  and ${unknown.length - 20} more (--json lists all)`);
  }
  return lines.join('\n');
}
