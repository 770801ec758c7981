import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { InputError } from '../core/errors';
import type { WorkOptions } from '../core/progress';
import { importTraces, loadCatalog, type TraceRun } from '../core/traces';

/**
 * The run a person names: a run id, a file, or the end of an imported run's id (such as a trial's folder name).
 * @throws InputError when nothing or more than one run fits.
 */
export async function chosenTrace(root: string, name: string, work: WorkOptions): Promise<TraceRun> {
  const { runs } = await loadCatalog(root, work);
  const full = resolve(name);
  const exact = runs.find((run) => run.id === name || run.id === full);
  if (exact) return exact;
  const inFile = runs.filter((run) => run.file === full);
  const fitting = inFile.length > 0 ? inFile : runs.filter((run) => fits(run, name));
  if (fitting.length === 1) return fitting[0];
  if (fitting.length > 1) {
    throw new InputError(`${name} fits ${fitting.length} runs.`, {
      code: 'trace-ambiguous',
      nextStep: `Name one of them: ${fitting
        .slice(0, 5)
        .map((run) => run.id)
        .join(', ')}`,
    });
  }
  const { runs: imported, unknown } = existsSync(full) ? await importTraces([full], work) : { runs: [], unknown: [] };
  if (imported.length === 1) return imported[0];
  const reason = unknown[0]?.reason;
  throw new InputError(`${name} is no imported run${reason ? ` and not readable as a trace: ${reason}` : ''}.`, {
    code: 'trace-missing',
    nextStep: 'See `harnessmith traces list`, or give the path of a trace file.',
  });
}

function fits(run: TraceRun, name: string): boolean {
  return run.trial === name || run.sessionId === name || run.id.split(/[\\/]/).includes(name);
}
