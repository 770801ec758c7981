import { diagnoseRuns, type RunsDiagnosis } from '../../../core/diagnosis';
import { siteTouches } from '../../../core/links';
import { loadCatalog, type TraceRun } from '../../../core/traces';
import { type Indexed, type IndexedHarnesses, linksOfRun } from '../indexedHarnesses';
import type { HandlerContext, Handlers } from '../workServer';

/** Links and findings of all runs of the catalog, and the flaws that recur in them. */
export function diagnosisHandlers(harnesses: IndexedHarnesses): Pick<Handlers, 'diagnose'> {
  return {
    diagnose: async ({ root }, context) => {
      const { runs } = await loadCatalog(root, context);
      const { findings, flaws, links, skipped } = await diagnoseAll(harnesses.get(root), runs, context);
      const linked = runs.flatMap((run) => {
        const ofRun = links.get(run.id);
        return ofRun ? [{ run, links: ofRun }] : [];
      });
      return { touches: siteTouches(linked), findings, flaws, skipped };
    },
  };
}

/** The diagnosis of runs with the links that are kept for each state of the source. */
export function diagnoseAll(
  indexed: Indexed,
  runs: readonly TraceRun[],
  context: HandlerContext,
): Promise<RunsDiagnosis> {
  const { map } = indexed;
  return diagnoseRuns({ runs, map, linksOf: (reader, work) => linksOfRun(indexed, reader, work) }, context);
}
