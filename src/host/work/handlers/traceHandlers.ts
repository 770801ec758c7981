import type { RowFilter } from '../../../../webview/shared/traceProtocol';
import { throwIfCancelled } from '../../../core/errors';
import { addToCatalog, importTraces, loadCatalog, type TraceReader } from '../../../core/traces';
import { bodyParts, matchesText, passesFilter } from '../../traces/traceRows';
import type { RunReaders } from '../runReaders';
import type { HandlerContext, Handlers } from '../workServer';

type TraceMethods =
  | 'loadCatalog'
  | 'importTraces'
  | 'readTraceFile'
  | 'openRun'
  | 'closeRun'
  | 'stepBody'
  | 'findSteps';

/** Steps are looked through in windows, so that a cancellation is noticed in a long trace. */
const searchWindow = 200;

/** More hits help nobody; the page says that the search stopped. */
const hitLimit = 20_000;

/** Reading traces: lists, single runs, single steps, searches. */
export function traceHandlers(readers: RunReaders): Pick<Handlers, TraceMethods> {
  return {
    loadCatalog: async ({ root }, work) => pick(await loadCatalog(root, work)),
    importTraces: async ({ root, paths }, work) => pick(await addToCatalog(root, paths, work)),
    readTraceFile: async ({ file }, work) => pick(await importTraces([file], work)),
    openRun: async ({ run }, work) => ({ stepCount: (await readers.open(run, work)).stepCount }),
    closeRun: async ({ run }) => {
      await readers.close(run);
      return null;
    },
    stepBody: async ({ run, step }) => bodyParts(await (await readers.get(run)).step(step)),
    findSteps: async ({ run, filter }, context) => findSteps(await readers.get(run), filter, context),
  };
}

function pick<T extends { runs: unknown; unknown: unknown }>({ runs, unknown }: T): Pick<T, 'runs' | 'unknown'> {
  return { runs, unknown };
}

async function findSteps(reader: TraceReader, filter: RowFilter, { signal }: HandlerContext) {
  const steps: number[] = [];
  const wantsText = filter.text.trim() !== '';
  for (let from = 1; from <= reader.stepCount; from += searchWindow) {
    throwIfCancelled(signal, 'The search');
    for (const summary of await reader.summaries(from, from + searchWindow - 1)) {
      if (!passesFilter(summary, filter)) continue;
      if (wantsText && !matchesText(await reader.step(summary.n), filter.text)) continue;
      steps.push(summary.n);
      if (steps.length >= hitLimit) return { steps, complete: false };
    }
  }
  return { steps, complete: true };
}
