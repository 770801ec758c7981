import type { RowFilter, ToTracePage } from '../../../webview/shared/traceProtocol';
import { CancelledError } from '../../core/errors';
import type { Work } from '../work/workClient';

/** Steps that are looked through before the page is told how far the search is. */
const windowSize = 500;

/** What a search looks through. */
export interface Searched {
  root: string | null;
  run: string;
  stepCount: number;
}

/** Goes through a run in windows and tells the page the hits of each; a new search ends the one before. */
export class TraceSearch {
  private current = new AbortController();

  constructor(
    private readonly work: Work,
    private readonly post: (message: ToTracePage) => void,
  ) {}

  /** Resolves when all steps were looked through or another search took over. Throws what the worker throws. */
  async start({ root, run, stepCount }: Searched, request: number, filter: RowFilter): Promise<void> {
    this.cancel();
    const controller = new AbortController();
    this.current = controller;
    const { signal } = controller;
    for (let from = 1; ; from += windowSize) {
      const to = Math.min(stepCount, from + windowSize - 1);
      try {
        const found = await this.work.call('findSteps', { root, run, filter, from, to }, { signal });
        if (signal.aborted) return;
        const done = to >= stepCount;
        this.post({ type: 'found', request, from, to, ...found, done });
        if (done) return;
      } catch (error) {
        if (signal.aborted || error instanceof CancelledError) return;
        throw error;
      }
    }
  }

  cancel(): void {
    this.current.abort();
  }
}
