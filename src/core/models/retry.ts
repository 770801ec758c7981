import { setTimeout as wait } from 'node:timers/promises';
import { CancelledError } from '../errors';
import { ModelUnavailableError } from './modelErrors';

export interface RetryOptions {
  /** Further tries after the first. */
  retries: number;
  /** Pause before the first further try; it doubles each time. */
  firstPauseSeconds: number;
  signal?: AbortSignal;
}

/** A server may ask for a longer pause than a person would wait. */
const longestPauseSeconds = 30;

/** Runs `attempt` again after a pause while it fails with an error that time may heal. */
export async function withRetries<T>(attempt: () => Promise<T>, options: RetryOptions): Promise<T> {
  for (let done = 0; ; done++) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ModelUnavailableError) || !error.retryable || done >= options.retries) throw error;
      const pause = error.retryAfterSeconds ?? options.firstPauseSeconds * 2 ** done;
      await pauseFor(Math.min(pause, longestPauseSeconds), options.signal);
    }
  }
}

async function pauseFor(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  try {
    await wait(seconds * 1000, undefined, { signal });
  } catch {
    throw new CancelledError('The request to the model');
  }
}
