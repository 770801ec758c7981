import type { LinkSource } from '../linkSource';
import type { RunReaders } from '../runReaders';
import type { Handlers } from '../workServer';

/** Runs that are still being written. */
export function liveHandlers(readers: RunReaders, source: LinkSource): Pick<Handlers, 'growRun'> {
  return {
    growRun: async ({ run, settle }, work) => {
      const state = settle ? await readers.settle(run, work) : await readers.grow(run, work);
      if (state !== 'same') source.forget(run.id);
      return { state, stepCount: (await readers.open(run, work)).stepCount };
    },
  };
}
