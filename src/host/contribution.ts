import type { DisposableLike, DisposableStore } from './disposable';
import type { Log } from './log';

/** One feature of the extension. `activate` must not wait for anything. */
export interface Contribution<S> {
  name: string;
  activate(services: S): DisposableLike;
}

export interface StartReport {
  name: string;
  milliseconds: number;
  error: unknown;
}

/**
 * Starts every contribution, one by one. One that throws is logged and left out; the others live on.
 * Returns what each took, in milliseconds, with its error if it failed.
 */
export function startContributions<S>(
  contributions: readonly Contribution<S>[],
  services: S,
  store: DisposableStore,
  log: Log,
  now: () => number = () => performance.now(),
): StartReport[] {
  return contributions.map((contribution) => {
    const began = now();
    let failure: unknown = null;
    try {
      store.add(contribution.activate(services));
    } catch (error) {
      failure = error;
      log.error(`The part "${contribution.name}" did not start`, error);
    }
    const report = { name: contribution.name, milliseconds: now() - began, error: failure };
    log.debug(`Part "${report.name}" took ${report.milliseconds.toFixed(1)} ms to start`);
    return report;
  });
}
