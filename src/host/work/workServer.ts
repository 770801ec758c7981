import { CancelledError, InputError } from '../../core/errors';
import type { WorkOptions } from '../../core/progress';
import { type FromWorker, packError, TextAnswer, type TextMessages, ToWorker, unpackError } from './messages';
import { type MethodName, methods, type Params, type Result } from './methods';

/** What a handler gets beside its parameters. */
export interface HandlerContext extends Required<WorkOptions> {
  /** Asks the editor's language model, through the host. */
  completeText(messages: TextMessages): Promise<TextAnswer>;
}

export type Handlers = { [M in MethodName]: (params: Params<M>, context: HandlerContext) => Promise<Result<M>> };

/** The worker's side of the channel: checks, dispatches, cancels. Free of threads, so tests need none. */
export class WorkServer {
  private readonly running = new Map<number, AbortController>();
  private readonly asked = new Map<number, { resolve(answer: TextAnswer): void; reject(error: Error): void }>();
  private nextAsk = 1;

  constructor(
    private readonly handlers: Handlers,
    private readonly send: (message: FromWorker) => void,
  ) {}

  /** Takes one message of the host. Never throws: failures go back as error messages. */
  async receive(raw: unknown): Promise<void> {
    const message = ToWorker.parse(raw);
    if (message.kind === 'cancel') {
      this.running.get(message.id)?.abort();
      return;
    }
    if (message.kind === 'reply') {
      const waiting = this.asked.get(message.id);
      this.asked.delete(message.id);
      const answer = TextAnswer.safeParse(message.value);
      if (message.error) waiting?.reject(unpackError(message.error));
      else if (answer.success) waiting?.resolve(answer.data);
      else waiting?.reject(new Error(`The editor's model answered in an unknown shape: ${answer.error.message}`));
      return;
    }
    const controller = new AbortController();
    this.running.set(message.id, controller);
    try {
      const value = await this.run(message.method, message.params, message.id, controller.signal);
      if (controller.signal.aborted) throw new CancelledError();
      this.send({ kind: 'result', id: message.id, value });
    } catch (error) {
      this.send({ kind: 'error', id: message.id, error: packError(error) });
    } finally {
      this.running.delete(message.id);
    }
  }

  private run(method: string, params: unknown, id: number, signal: AbortSignal): Promise<unknown> {
    const name = method as MethodName;
    const handler = this.handlers[name] as (params: unknown, context: HandlerContext) => Promise<unknown>;
    if (!handler) {
      throw new InputError(`The worker knows no method "${method}".`, {
        code: 'unknown-method',
        nextStep: 'Reload the window; the extension was probably updated.',
      });
    }
    return handler(methods[name].params.parse(params), {
      signal,
      progress: (report) => this.send({ kind: 'progress', id, report }),
      completeText: (messages) => this.ask(id, messages, signal),
    });
  }

  private ask(request: number, messages: TextMessages, signal: AbortSignal): Promise<TextAnswer> {
    const id = this.nextAsk++;
    return new Promise((resolve, reject) => {
      this.asked.set(id, { resolve, reject });
      signal.addEventListener('abort', () => {
        this.asked.delete(id);
        reject(new CancelledError());
      });
      this.send({ kind: 'completeText', id, request, messages });
    });
  }
}
