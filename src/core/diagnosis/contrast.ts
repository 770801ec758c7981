import { setImmediate } from 'node:timers/promises';
import { CancelledError, HarnessmithError, throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import { compareTraces, openTrace, type TraceRun } from '../traces';
import type { Contrast } from './model';

/** Reading two traces for each pair takes time; further passing runs seldom part later. */
const passingTried = 3;
const failingCompared = 200;

/** For each failing run of a task that also passed: the passing run it stays with longest, and where they part. */
export async function contrasts(runs: readonly TraceRun[], work: WorkOptions = {}): Promise<Map<string, Contrast>> {
  const byTask = new Map<string, TraceRun[]>();
  for (const run of runs) if (run.task !== null) byTask.set(run.task, [...(byTask.get(run.task) ?? []), run]);
  const flipping = [...byTask.values()].flatMap((group) => {
    const passing = group.filter((run) => run.outcome.verdict === 'pass');
    const failing = group.filter((run) => run.outcome.verdict === 'fail');
    return passing.length === 0 ? [] : failing.map((run) => ({ run, passing: nearest(run, passing) }));
  });
  const found = new Map<string, Contrast>();
  for (const [position, { run, passing }] of flipping.slice(0, failingCompared).entries()) {
    throwIfCancelled(work.signal, 'Comparing with passing runs');
    work.progress?.({ message: 'Comparing with passing runs', done: position, total: flipping.length });
    const contrast = await parting(run, passing, work);
    if (contrast) found.set(run.id, contrast);
    await setImmediate();
  }
  return found;
}

/** Runs of the same model and version of the harness first: what differs then is not the configuration. */
function nearest(run: TraceRun, passing: readonly TraceRun[]): TraceRun[] {
  const distance = (other: TraceRun) =>
    Number(other.model !== run.model) * 2 + Number((other.candidate ?? null) !== (run.candidate ?? null));
  return [...passing].sort((a, b) => distance(a) - distance(b)).slice(0, passingTried);
}

async function parting(run: TraceRun, passing: readonly TraceRun[], work: WorkOptions): Promise<Contrast | undefined> {
  let best: { alike: number; contrast: Contrast } | undefined;
  for (const other of passing) {
    const compared = await comparison(run, other, work);
    if (!compared?.divergence || (best && compared.alike <= best.alike)) continue;
    const { firstStep, secondStep } = compared.divergence;
    best = {
      alike: compared.alike,
      contrast: { run: other.id, step: firstStep, passingStep: secondStep, sentence: compared.sentence },
    };
  }
  return best?.contrast;
}

/** Null when one of the traces cannot be read now; the diagnosis of that run says so. */
async function comparison(run: TraceRun, other: TraceRun, work: WorkOptions) {
  try {
    const [first, second] = [await openTrace(run, work), await openTrace(other, work)];
    try {
      return await compareTraces(first, second);
    } finally {
      await Promise.all([first.close(), second.close()]);
    }
  } catch (error) {
    if (!(error instanceof HarnessmithError) || error instanceof CancelledError) throw error;
    return null;
  }
}
