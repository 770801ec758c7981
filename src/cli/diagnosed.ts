import { consolidate, diagnoseRun, type Finding, type FlawRecord } from '../core/diagnosis';
import { throwIfCancelled } from '../core/errors';
import { buildLinkIndex, type Link, linkRun } from '../core/links';
import type { WorkOptions } from '../core/progress';
import { openTrace, type TraceRun } from '../core/traces';
import type { OpenedHarness } from './openedHarness';

export interface Diagnosis {
  findings: Finding[];
  flaws: FlawRecord[];
  links: Map<string, Link[]>;
}

/** Reads, links and diagnoses the runs one after the other, so that only one trace is open at a time. */
export async function diagnosed(
  opened: OpenedHarness,
  runs: readonly TraceRun[],
  work: WorkOptions,
): Promise<Diagnosis> {
  const index = buildLinkIndex(opened.graph, opened.map);
  const findings: Finding[] = [];
  const links = new Map<string, Link[]>();
  for (const [position, run] of runs.entries()) {
    throwIfCancelled(work.signal, 'The diagnosis');
    work.progress?.({ message: 'Reading runs', done: position, total: runs.length });
    const reader = await openTrace(run);
    try {
      const runLinks = await linkRun(index, reader, { signal: work.signal });
      links.set(run.id, runLinks);
      findings.push(...(await diagnoseRun({ run, reader, links: runLinks, map: opened.map })));
    } finally {
      await reader.close();
    }
  }
  return { findings, flaws: consolidate(findings, runs, opened.map), links };
}
