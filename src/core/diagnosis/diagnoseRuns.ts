import { setImmediate } from 'node:timers/promises';
import { CancelledError, HarnessmithError, throwIfCancelled } from '../errors';
import type { Link } from '../links';
import type { WorkOptions } from '../progress';
import { openTrace, type TraceReader, type TraceRun } from '../traces';
import { consolidate } from './consolidate';
import { contrasts } from './contrast';
import { acrossDetectors } from './detectors';
import type { RunHead, RunView, UnitHead } from './detectors/detector';
import { findingOf, findingsOf, viewOf } from './diagnoseRun';
import type { Finding, FlawRecord, SkippedRun } from './model';
import { settleParties } from './parties';

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
  /** See `DiagnoseInput`. */
  texts?: readonly { file: string; text: string }[];
}

interface ReadRun extends RunHead {
  /** What looks across runs need of a view; the turns are given free. */
  view: RunView;
}

/**
 * Reads, links and diagnoses runs one after the other, so that only one trace is open at a time; then looks at them beside
 * each other. A trace that became unreadable since it was listed is left out and named.
 * @throws CancelledError
 */
export async function diagnoseRuns(input: DiagnoseRunsInput, work: WorkOptions = {}): Promise<RunsDiagnosis> {
  const { runs, map } = input;
  const single: Finding[] = [];
  const links = new Map<string, readonly Link[]>();
  const skipped: SkippedRun[] = [];
  const read: ReadRun[] = [];
  for (const [position, run] of runs.entries()) {
    throwIfCancelled(work.signal, 'Reading the runs');
    work.progress?.({ message: 'Reading runs', done: position, total: runs.length });
    try {
      const found = await diagnoseTrace(run, input, work);
      single.push(...found.findings);
      links.set(run.id, found.links);
      read.push({ run, lastStep: found.lastStep, view: found.view });
    } catch (error) {
      // Everything else than an error a user may see is a mistake of this program.
      if (!(error instanceof HarnessmithError) || error instanceof CancelledError) throw error;
      skipped.push({ run: run.id, reason: error.message });
    }
    // A host answers other requests between two runs.
    await setImmediate();
  }
  const readable = read.map(({ run }) => run);
  const parted = await contrasts(readable, work);
  const findings = settleParties([...single, ...across(read)], readable).map((finding) => {
    const contrast = parted.get(finding.run);
    return contrast ? { ...finding, contrast } : finding;
  });
  return { findings, flaws: consolidate(findings, readable, map), links, skipped };
}

function across(read: readonly ReadRun[]): Finding[] {
  return read.flatMap((head) => {
    const others = read.filter((other) => other !== head);
    return acrossDetectors.flatMap((detector) =>
      detector.detect(head, others).map((observation) => findingOf(detector, observation, head.view)),
    );
  });
}

async function diagnoseTrace(run: TraceRun, { map, linksOf, texts }: DiagnoseRunsInput, work: WorkOptions) {
  const reader = await openTrace(run, work);
  try {
    const links = await linksOf(reader, work);
    const view = await viewOf({ run, reader, links, map, texts }, work);
    const findings = findingsOf(view);
    const lastStep = view.turns.at(-1)?.step ?? Math.max(1, view.steps);
    return { links, findings, lastStep, view: { ...view, turns: [], prompts: [], events: [] } };
  } finally {
    await reader.close();
  }
}
