import { setImmediate } from 'node:timers/promises';
import { consolidate, diagnoseRun, type Finding } from '../../../core/diagnosis';
import { throwIfCancelled } from '../../../core/errors';
import { type Link, siteTouches } from '../../../core/links';
import { loadCatalog, openTrace, type TraceRun } from '../../../core/traces';
import { type Indexed, type IndexedHarnesses, linksOfRun } from '../indexedHarnesses';
import type { Diagnosis } from '../methods';
import type { HandlerContext, Handlers } from '../workServer';

/** Links and findings of all runs of the catalog, and the flaws that recur in them. */
export function diagnosisHandlers(harnesses: IndexedHarnesses): Pick<Handlers, 'diagnose'> {
  return {
    diagnose: async ({ root }, context) => {
      const { runs } = await loadCatalog(root, context);
      return diagnoseAll(harnesses.get(root), runs, context);
    },
  };
}

/** A trace that became unreadable since it was listed is left out; its page tells why. */
export async function diagnoseAll(
  indexed: Indexed,
  runs: readonly TraceRun[],
  context: HandlerContext,
): Promise<Diagnosis> {
  const linked: { run: TraceRun; links: readonly Link[] }[] = [];
  const findings: Finding[] = [];
  for (const [index, run] of runs.entries()) {
    throwIfCancelled(context.signal, 'Reading what the traces say');
    context.progress({ message: 'Linking traces to code', done: index, total: runs.length });
    const reader = await openTrace(run, context).catch(() => null);
    if (!reader) continue;
    try {
      const links = await linksOfRun(indexed, reader, context);
      linked.push({ run, links });
      findings.push(...(await diagnoseRun({ run, reader, links, map: indexed.map }, context)));
    } finally {
      await reader.close();
    }
    // Rows of an open page are answered between two runs.
    await setImmediate();
  }
  return { touches: siteTouches(linked), findings, flaws: consolidate(findings, runs, indexed.map) };
}
