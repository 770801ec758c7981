import { basename, dirname, join } from 'node:path';
import { CancelledError, messageOf, throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import { collectFiles } from './collect';
import { formatById } from './formats';
import type { TraceRun, UnknownFile } from './model';
import { joinOutcome, outcomeFileKind } from './outcome';
import { readTraceFile } from './readRun';

/** A file that holds the outcome of a run, and the run's id. */
export interface OutcomeFile {
  file: string;
  run: string;
}

export interface ImportResult {
  runs: TraceRun[];
  /** Files that no reader took, each with the reason; nothing is left out silently. */
  unknown: UnknownFile[];
  /** Files that were used for the outcome of a run; they are no traces and not unknown either. */
  outcomeFiles: OutcomeFile[];
}

/** What reading one file gave, before anything beside it was looked at; the part that can be cached. */
export interface ReadFile {
  runs: TraceRun[];
  /** Set when there is no run. */
  reason: string | null;
}

/** Reads one file. Unreadable files give a reason, never an error. */
export async function readForImport(file: string, work: WorkOptions = {}): Promise<ReadFile> {
  try {
    const reading = await readTraceFile(file, work);
    if (reading.format === null) return { runs: [], reason: reading.reason };
    return { runs: reading.runs.map(({ run }) => run), reason: null };
  } catch (error) {
    if (error instanceof CancelledError) throw error;
    return { runs: [], reason: messageOf(error) };
  }
}

/**
 * Imports trace files and folders. Formats are told by content. Progress counts files.
 * @throws InputError when a path does not exist, CancelledError when the signal is aborted.
 */
export async function importTraces(paths: readonly string[], work: WorkOptions = {}): Promise<ImportResult> {
  const { files, notRead } = await collectFiles(paths, work);
  const read = new Map<string, ReadFile>();
  for (const [index, file] of files.entries()) {
    throwIfCancelled(work.signal, 'Importing traces');
    work.progress?.({ message: 'Importing traces', done: index, total: files.length });
    read.set(file, await readForImport(file, work));
  }
  work.progress?.({ message: 'Importing traces', done: files.length, total: files.length });
  return assemble(read, notRead, work);
}

/** Puts single files together: runs get their outcome, members their parent; what remains is unknown. */
export async function assemble(
  read: ReadonlyMap<string, ReadFile>,
  notRead: readonly UnknownFile[],
  work: WorkOptions = {},
): Promise<ImportResult> {
  const outcomeFiles = new Map<string, string>();
  const parents = new Map<string, string>();
  const joined: TraceRun[] = [];
  for (const run of [...read.values()].flatMap(({ runs }) => runs)) {
    throwIfCancelled(work.signal, 'Importing traces');
    if (isVerdictOnly(run)) {
      joined.push(run);
      continue;
    }
    const withOutcome = await joinOutcome(run);
    joined.push(withOutcome.run);
    for (const file of withOutcome.sidecars) outcomeFiles.set(file, run.id);
    for (const member of run.memberFiles ?? []) parents.set(member, run.id);
  }
  const unknown: UnknownFile[] = [...notRead];
  const parts = new Set(joined.flatMap((run) => run.partFiles ?? []));
  for (const [file, { runs, reason }] of read) {
    if (runs.length > 0 || outcomeFiles.has(file) || parts.has(file)) continue;
    const trial = trialOf(file, outcomeFiles);
    if (trial !== null) {
      unknown.push({ file, reason: `belongs to the trial ${basename(trial)}; it holds no steps` });
      continue;
    }
    const kind = await outcomeFileKind(file);
    unknown.push({
      file,
      reason: kind === null ? (reason ?? '') : `${kind}, but no trace was found that it belongs to`,
    });
  }
  const shown = joined.filter((run) => !(isVerdictOnly(run) && outcomeFiles.has(run.file)));
  return {
    runs: shown.map((run) => asMember(run, parents.get(run.file))),
    unknown,
    outcomeFiles: [...outcomeFiles].map(([file, run]) => ({ file, run })),
  };
}

function isVerdictOnly(run: TraceRun): boolean {
  return formatById(run.format)?.verdictOnly === true;
}

/** The trial folder around a file: one whose `result.json` gave the outcome of a run. Null when there is none. */
function trialOf(file: string, outcomeFiles: ReadonlyMap<string, string>): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (outcomeFiles.has(join(folder, 'result.json'))) return folder;
  }
  return null;
}

/** The verdict is about the whole trial, so a sub-agent's run does not repeat it. */
function asMember(run: TraceRun, parent: string | undefined): TraceRun {
  if (parent === undefined) return run;
  return { ...run, memberOf: parent, outcome: { verdict: 'unknown', reward: null, exception: null, source: null } };
}
