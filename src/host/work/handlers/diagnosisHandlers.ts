import { setImmediate } from 'node:timers/promises';
import { diagnoseRuns, promptTexts, type RunsDiagnosis } from '../../../core/diagnosis';
import { CancelledError, HarnessmithError, throwIfCancelled } from '../../../core/errors';
import { siteTouches } from '../../../core/links';
import { loadCatalog, openTrace, type Step, type TraceRun } from '../../../core/traces';
import { type Indexed, type IndexedHarnesses, linksOfRun } from '../indexedHarnesses';
import { type CostedRun, turnCosts, unitCosts } from '../unitCosts';
import type { HandlerContext, Handlers } from '../workServer';

/** Links and findings of all runs of the catalog, and the flaws that recur in them. */
export function diagnosisHandlers(harnesses: IndexedHarnesses): Pick<Handlers, 'diagnose' | 'unitCosts'> {
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
    unitCosts: async ({ root }, context) => {
      const { runs } = await loadCatalog(root, context);
      const costed: CostedRun[] = [];
      for (const [position, run] of runs.entries()) {
        throwIfCancelled(context.signal, 'Adding up costs');
        context.progress({ message: 'Adding up costs', done: position, total: runs.length });
        const read = await costedRun(harnesses.get(root), run, context);
        if (read) costed.push(read);
        await setImmediate();
      }
      return unitCosts(costed);
    },
  };
}

/** The diagnosis of runs with the links that are kept for each state of the source. */
export function diagnoseAll(
  indexed: Indexed,
  runs: readonly TraceRun[],
  context: HandlerContext,
): Promise<RunsDiagnosis> {
  const { map, graph } = indexed;
  const texts = promptTexts(graph.data.literals);
  return diagnoseRuns({ runs, map, texts, linksOf: (reader, work) => linksOfRun(indexed, reader, work) }, context);
}

/** The turns of a run and where its steps lead; null when its trace cannot be read now, which the diagnosis names. */
async function costedRun(indexed: Indexed, run: TraceRun, context: HandlerContext): Promise<CostedRun | null> {
  try {
    const reader = await openTrace(run, context);
    try {
      const links = await linksOfRun(indexed, reader, context);
      const steps: Step[] = [];
      for (let n = 1; n <= reader.stepCount; n++) {
        const { kind, copied, tokens, costUsd } = await reader.step(n);
        // Only the figures are kept: the bodies of a long trace would fill the memory.
        if (kind === 'agent') steps.push({ n, kind, copied, tokens, costUsd, text: '', calls: [], results: [] });
      }
      return { turns: turnCosts(run, steps), links };
    } finally {
      await reader.close();
    }
  } catch (error) {
    if (!(error instanceof HarnessmithError) || error instanceof CancelledError) throw error;
    return null;
  }
}
