import { CancelledError, EnvironmentError } from '../../core/errors';
import type { WorkOptions } from '../../core/progress';
import { type DisposableLike, Emitter } from '../disposable';
import type { Log } from '../log';
import { FromWorker, packError, type TextAnswer, TextMessages, type ToWorker, unpackError } from './messages';
import { type MethodName, methods, type Params, type Result } from './methods';

/** One end of a channel to a worker; made anew after a crash. */
export interface WorkerPort {
  post(message: ToWorker): void;
  onMessage(listener: (message: unknown) => void): void;
  /** Called once, when the worker is gone; `reason` is for people. */
  onExit(listener: (reason: string) => void): void;
  terminate(): void;
}

/** What features use to get heavy work done off the thread of the editor. */
export interface Work {
  call<M extends MethodName>(method: M, params: Params<M>, options?: WorkOptions): Promise<Result<M>>;
}

/** Answers the worker's wish for a text of the editor's language model. */
export type CompleteText = (messages: TextMessages, signal: AbortSignal) => Promise<TextAnswer>;

interface Pending {
  method: MethodName;
  settle(value: unknown, error: Error | null): void;
  options: WorkOptions;
  asked: AbortController;
}

/** Sends requests to one worker, started on first use and again after a crash. */
export class WorkClient implements Work, DisposableLike {
  private port: WorkerPort | null = null;
  private nextId = 1;
  private readonly pending = new Map<number, Pending>();
  private readonly busy = new Emitter<number>();
  readonly onDidChangeBusy = this.busy.event;

  constructor(
    private readonly startWorker: () => WorkerPort,
    private readonly completeText: CompleteText,
    private readonly log: Log,
  ) {}

  /** Runs one method in the worker. Throws what it throws, `CancelledError` on abort, `EnvironmentError` on a crash. */
  call<M extends MethodName>(method: M, params: Params<M>, options: WorkOptions = {}): Promise<Result<M>> {
    if (options.signal?.aborted) return Promise.reject(new CancelledError());
    const id = this.nextId++;
    const port = this.ensurePort();
    const began = performance.now();
    return new Promise<Result<M>>((resolve, reject) => {
      const cancel = () => port.post({ kind: 'cancel', id });
      const settle = (value: unknown, error: Error | null) => {
        this.pending.delete(id);
        this.busy.fire(this.pending.size);
        options.signal?.removeEventListener('abort', cancel);
        this.log.debug(`${method} took ${(performance.now() - began).toFixed(0)} ms${error ? ' and failed' : ''}`);
        if (error) return reject(error);
        const checked = methods[method].result.safeParse(value);
        if (checked.success) resolve(checked.data as Result<M>);
        else reject(new Error(`The worker answered ${method} in an unknown shape: ${checked.error.message}`));
      };
      this.pending.set(id, { method, settle, options, asked: new AbortController() });
      this.busy.fire(this.pending.size);
      options.signal?.addEventListener('abort', cancel, { once: true });
      port.post({ kind: 'request', id, method, params });
    });
  }

  dispose(): void {
    this.port?.terminate();
    this.port = null;
    this.failAll(new CancelledError());
    this.busy.dispose();
  }

  private ensurePort(): WorkerPort {
    if (this.port) return this.port;
    const port = this.startWorker();
    this.port = port;
    port.onMessage((message) => this.receive(port, message));
    port.onExit((reason) => {
      if (this.port !== port) return;
      this.port = null;
      this.log.error(`The worker ended: ${reason}`);
      this.failAll(
        new EnvironmentError(`The background worker ended: ${reason}.`, {
          code: 'worker-ended',
          nextStep: 'Run the command again; the worker starts anew. The log has details.',
        }),
      );
    });
    return port;
  }

  private failAll(error: Error): void {
    for (const entry of [...this.pending.values()]) {
      entry.asked.abort();
      entry.settle(undefined, error);
    }
  }

  private receive(port: WorkerPort, raw: unknown): void {
    const message = FromWorker.safeParse(raw);
    if (!message.success) {
      this.log.error('The worker sent an unknown message', message.error);
      return;
    }
    const data = message.data;
    const entry = this.pending.get(data.kind === 'completeText' ? data.request : data.id);
    // Late news of a request that was settled by a crash or a cancellation.
    if (!entry) return;
    if (data.kind === 'progress') entry.options.progress?.(data.report);
    else if (data.kind === 'result') entry.settle(data.value, null);
    else if (data.kind === 'error') {
      entry.asked.abort();
      entry.settle(undefined, unpackError(data.error));
    } else void this.reply(port, data.id, data.messages, entry);
  }

  private async reply(port: WorkerPort, id: number, messages: unknown, entry: Pending): Promise<void> {
    const signals = entry.options.signal ? [entry.options.signal, entry.asked.signal] : [entry.asked.signal];
    try {
      const value = await this.completeText(TextMessages.parse(messages), AbortSignal.any(signals));
      port.post({ kind: 'reply', id, value, error: null });
    } catch (error) {
      port.post({ kind: 'reply', id, value: null, error: packError(error) });
    }
  }
}
