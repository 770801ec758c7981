import type { WorkOptions } from '../../progress';
import type { Step, TraceRun } from '../model';
import type { TraceReader } from '../open';
import type { RunRelations, StepRelations } from '../relations/model';
import { relateSteps } from '../relations/relateRun';
import { costOf } from './cost';
import { FingerprintCount } from './fingerprint';
import type { RunMetrics, StepMetrics } from './model';
import { preambleOf } from './preamble';
import { type PriceTable, priceTable } from './prices';
import { metricsOfStep, secondsBetween } from './stepMetrics';

/** Numbers and relations of a run. */
export interface MeasuredRun {
  metrics: RunMetrics;
  relations: RunRelations;
}

/**
 * Tokens, cost, latency, preamble, fingerprint and relations of a run in one pass over its steps. Costs that the trace
 * records are kept; others are computed from the prices, or null.
 * @throws CancelledError when the signal is aborted.
 */
export async function measureRun(
  reader: TraceReader,
  prices: PriceTable = priceTable(null),
  work: WorkOptions = {},
): Promise<MeasuredRun> {
  const steps: StepMetrics[] = [];
  const count = new FingerprintCount();
  let before: string | null = null;
  const model = { sum: 0, most: 0, known: 0 };
  const models = new Set<string>();
  const relations = await relateSteps(reader, work, (step: Step, related) => {
    if (step.model !== undefined && step.tokens !== undefined) models.add(step.model);
    const metrics = metricsOfStep(step, prices, reader.run.model, before);
    steps.push(metrics);
    count.step(step, related);
    if (step.kind === 'agent' && metrics.seconds !== null) {
      model.sum += metrics.seconds;
      model.most = Math.max(model.most, metrics.seconds);
      model.known += 1;
    }
    before = step.time ?? before;
  });
  const { run } = reader;
  const cost = runCost(run, steps, models, prices);
  return {
    relations,
    metrics: {
      run: run.id,
      tokens: run.tokens,
      costUsd: cost?.usd ?? null,
      costOrigin: cost?.origin ?? null,
      seconds: secondsBetween(run.started, run.ended),
      modelSeconds: model,
      preamble: await preambleOf(reader),
      fingerprint: count.of(run),
      steps,
    },
  };
}

/**
 * The sums in the head count repeated usage once, so they are what is priced; only runs of several models are priced by
 * step. One answer without a known price would make that sum too small, which is worse than none.
 */
function runCost(run: TraceRun, steps: readonly StepMetrics[], models: ReadonlySet<string>, prices: PriceTable) {
  if (run.costUsd !== null) return { usd: run.costUsd, origin: 'recorded' };
  if (models.size <= 1) return costOf(run.tokens, [...models][0] ?? run.model, prices);
  const spent = steps.filter((step) => step.tokens !== null);
  if (spent.length === 0 || spent.some((step) => step.costUsd === null)) return null;
  const usd = spent.reduce((sum, step) => sum + (step.costUsd ?? 0), 0);
  return { usd, origin: [...new Set(spent.flatMap((step) => step.costOrigin ?? []))].join('; ') };
}

/** Relations and numbers of one step; reads the steps before it. */
export async function measureStep(
  reader: TraceReader,
  n: number,
  prices: PriceTable = priceTable(null),
  work: WorkOptions = {},
): Promise<{ relations: StepRelations; metrics: StepMetrics }> {
  let before: string | null = null;
  let found: { relations: StepRelations; metrics: StepMetrics } | null = null;
  const each = (step: Step, relations: StepRelations) => {
    if (step.n === n) found = { relations, metrics: metricsOfStep(step, prices, reader.run.model, before) };
    before = step.time ?? before;
  };
  await relateSteps(reader, work, each, n);
  return found ?? missingStep(reader, n);
}

/** Asking the reader for it throws the error that names the steps there are. */
async function missingStep(reader: TraceReader, n: number) {
  const step = await reader.step(n);
  return { relations: { step: n }, metrics: metricsOfStep(step, priceTable(null), reader.run.model, null) };
}
