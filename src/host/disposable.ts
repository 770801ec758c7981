/** Anything that holds something until told otherwise; same shape as the editor's. */
export interface DisposableLike {
  dispose(): unknown;
}

/** Owns disposables and ends them in reverse order. What is added to an ended store ends at once. */
export class DisposableStore implements DisposableLike {
  private items: DisposableLike[] = [];
  private ended = false;

  get isDisposed(): boolean {
    return this.ended;
  }

  add<T extends DisposableLike>(item: T): T {
    if (this.ended) item.dispose();
    else this.items.push(item);
    return item;
  }

  dispose(): void {
    this.ended = true;
    const items = this.items.reverse();
    this.items = [];
    for (const item of items) item.dispose();
  }
}

/** A single event without `vscode`; listeners that throw do not stop the others. */
export class Emitter<T> implements DisposableLike {
  private listeners = new Set<(value: T) => void>();

  constructor(private readonly onListenerError: (error: unknown) => void = () => {}) {}

  readonly event = (listener: (value: T) => void): DisposableLike => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };

  fire(value: T): void {
    for (const listener of [...this.listeners]) {
      try {
        listener(value);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}
