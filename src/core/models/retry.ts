import { setTimeout as wait } from 'node:timers/promises';
import { CancelledError } from '../errors';
import { ModelTimeoutError, ModelUnavailableError } from './modelErrors';

export interface RetryOptions {
  /** Further tries after the first. */
  retries: number;
  /** Further tries after a timeout, which cost the person a long wait each. */
  retriesOfTimeout: number;
  /** Pause before the first further try; it doubles each time. */
  firstPauseSeconds: number;
  signal?: AbortSignal;
  /** Told in words before each pause. */
  onRetry?: (message: string) => void;
}

/** A server may ask for a longer pause than a person would wait: then the error is shown at once. */
const longestPauseSeconds = 120;
/** Pauses of our own never grow beyond this. */
const longestOwnPauseSeconds = 30;

/** Runs `attempt` again after a pause while it fails with an error that time may heal. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let done = 0; ; done++) {
    try {
      return await attempt();
    } catch (error) {
      const pause = pauseAfter(error, done, options);
      if (pause === undefined) throw error;
      const { code, retries } =
        error instanceof ModelTimeoutError
          ? { code: 'no answer in time', retries: options.retriesOfTimeout }
          : { code: 'the model is busy or broke off', retries: options.retries };
      options.onRetry?.(`Trying again in ${pause.toFixed(pause < 10 ? 1 : 0)} s: ${code} (${done + 1} of ${retries})`);
      await pauseFor(pause, options.signal);
    }
  }
}

/** Seconds to wait before the next try; undefined when there should be none. */
function pauseAfter(error: unknown, done: number, options: RetryOptions): number | undefined {
  const own = Math.min(options.firstPauseSeconds * 2 ** done, longestOwnPauseSeconds);
  if (error instanceof ModelTimeoutError) return done < options.retriesOfTimeout ? own : undefined;
  if (!(error instanceof ModelUnavailableError) || !error.retryable || done >= options.retries) return undefined;
  const pause = error.retryAfterSeconds ?? own;
  return pause <= longestPauseSeconds ? pause : undefined;
}

async function pauseFor(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(seconds * 1000, undefined, { signal });
  } catch {
    throw new CancelledError('The request to the model');
  }
}
