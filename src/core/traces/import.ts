import { basename, dirname, join, resolve } from 'node:path';
import { CancelledError, messageOf, throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import { withCandidate } from './candidates';
import { collectFiles } from './collect';
import { formatById } from './formats';
import type { TraceRun, UnknownFile } from './model';
import { joinOutcome, outcomeFileKind } from './outcome';
import { readTraceFile } from './readRun';
import { savePlaces } from './savedPlaces';

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

/**
 * Reads one file. Unreadable files give a reason, never an error. With a folder for places, those of a large file are
 * kept there for opening it.
 */
export async function readForImport(file: string, work: WorkOptions = {}, placesFolder?: string): Promise<ReadFile> {
  try {
    const reading = await readTraceFile(file, work);
    if (reading.format === null) return { runs: [], reason: reading.reason };
    const places = placesFolder === undefined ? null : await savePlaces(placesFolder, file, reading);
    const runs = reading.runs.map(({ run }) => (places === null ? run : { ...run, places }));
    return { runs, reason: null };
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
  const verdicts: TraceRun[] = [];
  const all = [...read.values()].flatMap(({ runs }) => runs);
  for (const found of all) {
    throwIfCancelled(work.signal, 'Importing traces');
    const run = await withCandidate(found);
    if (isVerdictOnly(run)) {
      verdicts.push(run);
      continue;
    }
    const withOutcome = await joinOutcome(run);
    joined.push(withOutcome.run);
    for (const file of withOutcome.sidecars) outcomeFiles.set(file, run.id);
    for (const member of run.memberFiles ?? []) parents.set(member, run.id);
  }
  const used = { files: outcomeFiles, trials: new Set(joined.flatMap((run) => run.trial ?? [])) };
  const unknown: UnknownFile[] = [...notRead];
  const parts = new Set(joined.flatMap((run) => run.partFiles ?? []));
  for (const [file, { runs, reason }] of read) {
    if (runs.length > 0 || outcomeFiles.has(file) || parts.has(file)) continue;
    const trial = trialOf(file, used);
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
  const open = verdicts.filter((run) => !isUsed(run, joined, outcomeFiles));
  const shown = [...joined, ...open].filter((run) => !parts.has(run.file));
  const mains = mainRuns(joined, used);
  return {
    runs: shown.map((run) => asMember(run, parents.get(run.file) ?? mains.get(run.id) ?? run.memberOf ?? undefined)),
    unknown,
    outcomeFiles: [...outcomeFiles].map(([file, run]) => ({ file, run })),
  };
}

/** True when a trace shows the verdict already: its own file, or the trial of the same name in a file of many. */
function isUsed(verdict: TraceRun, joined: readonly TraceRun[], outcomeFiles: ReadonlyMap<string, string>): boolean {
  if (!outcomeFiles.has(verdict.file)) return false;
  if (verdict.id === verdict.file) return true;
  return joined.some((run) => {
    const beside = run.outcome.source !== null && resolve(dirname(run.file), run.outcome.source) === verdict.file;
    return (
      beside && (run.task === verdict.task || run.trial === verdict.trial || run.file.includes(`/${verdict.trial}/`))
    );
  });
}

/**
 * An agent in a Harbor trial leaves its own log beside the ATIF trajectory, so one trial would count twice. The
 * trajectory is the run, the logs belong to it; without one, the log with the most steps is.
 */
function mainRuns(joined: readonly TraceRun[], used: UsedVerdicts): Map<string, string> {
  const byTrial = new Map<string, TraceRun[]>();
  for (const run of joined) {
    const trial = trialOf(run.file, used);
    if (trial !== null) byTrial.set(trial, [...(byTrial.get(trial) ?? []), run]);
  }
  const mains = new Map<string, string>();
  for (const runs of byTrial.values()) {
    const rank = (run: TraceRun) =>
      (run.format === 'atif' ? 1e9 : 0) + (run.id === run.file ? 1e6 : 0) + run.counts.steps;
    const started = runs.filter(
      (run) => run.memberOf === undefined && !runs.some((one) => one.memberFiles?.includes(run.file)),
    );
    const main = started.reduce<TraceRun | null>(
      (best, run) => (best === null || rank(run) > rank(best) ? run : best),
      null,
    );
    for (const run of started) if (main !== null && run !== main && run.file !== main.file) mains.set(run.id, main.id);
  }
  return mains;
}

function isVerdictOnly(run: TraceRun): boolean {
  return formatById(run.format)?.verdictOnly === true;
}

/**
 * The trial folder around a file: one whose `result.json` (Harbor) gave the outcome of a run, or one named after its trial
 * whose `results.json` (terminal-bench) did. Null when there is none.
 */
function trialOf(file: string, used: UsedVerdicts): string | null {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (used.files.has(join(folder, 'result.json'))) return folder;
    if (used.trials.has(basename(folder)) && used.files.has(join(folder, 'results.json'))) return folder;
  }
  return null;
}

/** Files that gave outcomes, with the run, and the names of trials that runs have. */
interface UsedVerdicts {
  files: ReadonlyMap<string, string>;
  trials: ReadonlySet<string>;
}

/** The verdict is about the whole trial, so a sub-agent's run does not repeat it. */
function asMember(run: TraceRun, parent: string | undefined): TraceRun {
  if (parent === undefined || parent === run.id) return run;
  return { ...run, memberOf: parent, outcome: { verdict: 'unknown', reward: null, exception: null, source: null } };
}
