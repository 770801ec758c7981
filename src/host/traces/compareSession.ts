import type { CompareHead } from '../../../webview/shared/compareProtocol';
import type { ToTracePage } from '../../../webview/shared/traceProtocol';
import type { TraceRun } from '../../core/traces/model';
import type { Work } from '../work/workClient';
import { comparisonParts, splitRows } from './messageParts';
import { outcomeWords, runName } from './words';

/** What a comparison needs around it. */
export interface CompareSurroundings {
  work: Work;
  harnessRoot(): string | null;
  knownRuns(): readonly TraceRun[];
  post(message: ToTracePage): void;
  /** Lets the person choose the run to compare with; null when they chose none. */
  chooseRun(besides: TraceRun): Promise<TraceRun | null>;
}

/** A run laid beside the one of the page. */
export class CompareSession {
  private other: TraceRun | null = null;

  constructor(private readonly around: CompareSurroundings) {}

  /** The run beside, while there is one. */
  get run(): TraceRun | null {
    return this.other;
  }

  /** Lays a run beside `run`; without `wanted` the person chooses it. Throws what the worker throws. */
  async start(run: TraceRun, wanted: string | null): Promise<void> {
    const { work, post } = this.around;
    const known = this.around.knownRuns().find((one) => one.id === wanted);
    const other = wanted === null ? await this.around.chooseRun(run) : (known ?? null);
    if (!other || other.id === run.id) return;
    await this.leave();
    const [, { stepCount }] = await Promise.all([work.call('openRun', { run }), work.call('openRun', { run: other })]);
    this.other = other;
    const { pairs, sentence, divergence } = await work.call('alignRuns', { left: run.id, right: other.id });
    if (this.other !== other) return;
    const outcome = outcomeWords(other.outcome);
    const head: CompareHead = {
      run: other.id,
      leftTitle: titleOf(run),
      rightTitle: titleOf(other),
      rightOutcome: outcome,
      rightSteps: stepCount,
      sentence,
      divergence,
    };
    for (const part of comparisonParts(head, pairs)) post(part);
  }

  async rows(from: number, to: number): Promise<void> {
    if (!this.other) return;
    const root = this.around.harnessRoot();
    const rows = await this.around.work.call('rows', { root, run: this.other.id, from, to });
    for (const part of splitRows(rows)) this.around.post({ type: 'otherRows', rows: part });
  }

  async leave(): Promise<void> {
    const { other } = this;
    this.other = null;
    if (other) await this.around.work.call('closeRun', { run: other.id });
  }
}

function titleOf(run: TraceRun): string {
  return `${runName(run)}, ${outcomeWords(run.outcome).words}`.slice(0, 200);
}

/**
 * The other runs in the order in which a comparison is likely wanted: of the same task first, and of those the ones that
 * ended otherwise.
 */
export function besides(run: TraceRun, runs: readonly TraceRun[]): TraceRun[] {
  const rank = (one: TraceRun) => {
    if (run.task === null || one.task !== run.task) return 2;
    return one.outcome.verdict === run.outcome.verdict ? 1 : 0;
  };
  return runs.filter((one) => one.id !== run.id).sort((a, b) => rank(a) - rank(b));
}
