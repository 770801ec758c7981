import { addToCatalog, importTraces, loadCatalog } from '../../../core/traces';
import type { RunReaders } from '../runReaders';
import type { Handlers } from '../workServer';

type TraceMethods = 'loadCatalog' | 'importTraces' | 'readTraceFile' | 'openRun' | 'closeRun';

/** Reading traces: lists and single runs. */
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
  };
}

function pick<T extends { runs: unknown; unknown: unknown }>({ runs, unknown }: T): Pick<T, 'runs' | 'unknown'> {
  return { runs, unknown };
}
