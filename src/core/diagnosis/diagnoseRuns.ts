import { setImmediate } from 'node:timers/promises';
import { CancelledError, HarnessmithError, throwIfCancelled } from '../errors';
import type { Link } from '../links';
import type { WorkOptions } from '../progress';
import { openTrace, type TraceReader, type TraceRun } from '../traces';
import { consolidate } from './consolidate';
import type { UnitHead } from './detectors/detector';
import { diagnoseRun } from './diagnoseRun';
import type { Finding, FlawRecord, SkippedRun } from './model';

export interface RunsDiagnosis {
  findings: Finding[];
  /** Over the runs that could be read. */
  flaws: FlawRecord[];
  /** Links of each run that could be read, by run id. */
  links: Map<string, readonly Link[]>;
  /** Runs whose trace cannot be read now, with the reason. */
  skipped: SkippedRun[];
}

export interface DiagnoseRunsInput {
  runs: readonly TraceRun[];
  map: { units: readonly UnitHead[] };
  linksOf: (reader: TraceReader, work: WorkOptions) => Promise<readonly Link[]>;
}

/**
 * Reads, links and diagnoses runs one after the other, so that only one trace is open at a time. A trace that became
 * unreadable since it was listed is left out and named.
 * @throws CancelledError
 */
export async function diagnoseRuns(input: DiagnoseRunsInput, work: WorkOptions = {}): Promise<RunsDiagnosis> {
  const { runs, map } = input;
  const findings: Finding[] = [];
  const links = new Map<string, readonly Link[]>();
  const skipped: SkippedRun[] = [];
  const read: TraceRun[] = [];
  for (const [position, run] of runs.entries()) {
    throwIfCancelled(work.signal, 'Reading the runs');
    work.progress?.({ message: 'Reading runs', done: position, total: runs.length });
    try {
      const found = await diagnoseTrace(run, input, work);
      findings.push(...found.findings);
      links.set(run.id, found.links);
      read.push(run);
    } catch (error) {
      // Everything else than an error a user may see is a mistake of this program.
      if (!(error instanceof HarnessmithError) || error instanceof CancelledError) throw error;
      skipped.push({ run: run.id, reason: error.message });
    }
    // A host answers other requests between two runs.
    await setImmediate();
  }
  return { findings, flaws: consolidate(findings, read, map), links, skipped };
}

async function diagnoseTrace(run: TraceRun, { map, linksOf }: DiagnoseRunsInput, work: WorkOptions) {
  const reader = await openTrace(run, work);
  try {
    const links = await linksOf(reader, work);
    return { links, findings: await diagnoseRun({ run, reader, links, map }, work) };
  } finally {
    await reader.close();
  }
}
