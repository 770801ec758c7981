import type { DisposableLike } from '../disposable';
import { userMessage } from '../log';

export type SearchNews<T> =
  | { state: 'idle' }
  | { state: 'searching'; text: string }
  | { state: 'found'; text: string; value: T }
  | { state: 'failed'; text: string; message: string };

/** Words too short to say anything; a search for them would only answer late. */
const shortestText = 3;

/** Searches while somebody types: waits for a pause, gives up the search before, and tells only about the newest text. */
export class LiveSearch<T> implements DisposableLike {
  private timer: NodeJS.Timeout | undefined;
  private running: AbortController | null = null;

  constructor(
    private readonly find: (text: string, signal: AbortSignal) => Promise<T>,
    private readonly tell: (news: SearchNews<T>) => void,
    private readonly pauseMs = 250,
  ) {}

  /** Takes the text as it is now. `now` does not wait for a pause, as for a text that was given and not typed. */
  ask(given: string, now = false): void {
    this.stop();
    const text = given.trim();
    if (text.length < shortestText) this.tell({ state: 'idle' });
    else if (now) void this.start(text);
    else this.timer = setTimeout(() => void this.start(text), this.pauseMs);
  }

  dispose(): void {
    this.stop();
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.running?.abort();
    this.running = null;
  }

  private async start(text: string): Promise<void> {
    const running = new AbortController();
    this.running = running;
    this.tell({ state: 'searching', text });
    try {
      const value = await this.find(text, running.signal);
      if (!running.signal.aborted) this.tell({ state: 'found', text, value });
    } catch (error) {
      if (running.signal.aborted) return;
      this.tell({ state: 'failed', text, message: userMessage(error)?.text ?? 'The search was cancelled.' });
    }
  }
}
