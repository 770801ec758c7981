import { messageOf } from '../errors';
import type { RawAnswer } from './answer';
import type { ModelMessage, ModelUsage } from './model';
import { costAt, type TokenPrice } from './prices';

/** One request that is about to go to a model. Every try of a request is a call of its own. */
export interface StartedCall {
  model: string;
  label: string;
  /** Name of the answer that is wanted, such as `proposal`. */
  purpose: string;
  messages: readonly ModelMessage[];
  /** Null when it is not known. */
  price: TokenPrice | null;
}

/** One request that is over, well or not. */
export interface ModelCall extends StartedCall {
  at: string;
  seconds: number;
  /** What came of the answer, also when it was cut off. */
  text: string;
  usage: ModelUsage;
  costUsd: number | null;
  /** What went wrong; null when the answer came whole. */
  error: string | null;
}

/** Somebody who follows the calls of a client: who counts the money, who writes them down. */
export interface CallWatch {
  /** May throw, and the request is not made. */
  before?(call: StartedCall): void;
  after(call: ModelCall): void;
}

/** Makes one call under the eyes of all watches. `answer` is filled by `ask` while it comes. */
export async function watchCall(
  started: StartedCall,
  watches: readonly CallWatch[],
  answer: RawAnswer,
  ask: () => Promise<void>,
): Promise<RawAnswer> {
  for (const watch of watches) watch.before?.(started);
  const at = new Date().toISOString();
  const began = performance.now();
  const end = (error: string | null) => {
    const seconds = (performance.now() - began) / 1000;
    answer.costUsd = started.price && costAt(started.price, answer.usage);
    const { text, usage, costUsd } = answer;
    for (const watch of watches) watch.after({ ...started, at, seconds, text, usage, costUsd, error });
  };
  try {
    await ask();
  } catch (error) {
    end(messageOf(error));
    throw error;
  }
  end(null);
  return answer;
}
