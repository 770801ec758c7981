import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { InputError, throwIfCancelled } from '../errors';
import { type AskModel, answerInSchema, type RawAnswer } from './answer';
import { type CallWatch, watchCall } from './calls';
import type { ModelProvider } from './config';
import type { ModelAnswer, ModelClient, ModelMessage, ModelRequest } from './model';
import { ModelUnavailableError } from './modelErrors';
import type { TokenPrice } from './prices';
import { type RecordedAnswer, type RecordedAnswers, readAnswers, writeAnswers } from './recordedFile';

/** First 16 hex digits of the SHA-256 of what is asked; the same request always has the same hash. */
export function requestHash(request: { schemaName: string; messages: readonly ModelMessage[] }): string {
  const asked = [request.schemaName, ...request.messages.map(({ role, content }) => [role, content])];
  return createHash('sha256').update(JSON.stringify(asked)).digest('hex').slice(0, 16);
}

/** Nothing is paid for an answer from a file. */
const nothing: TokenPrice = { input: 0, output: 0 };

/** A stand-in for a model that gives recorded answers: for demonstrations, tests and work without a network. */
export class RecordedClient implements ModelClient {
  readonly id: string;
  readonly label: string;
  readonly price = nothing;
  private readonly inOrder: RecordedAnswer[];

  constructor(
    private readonly recorded: RecordedAnswers,
    private readonly watches: readonly CallWatch[] = [],
  ) {
    this.id = `recorded/${recorded.model}`;
    this.label = `recorded answers of ${recorded.model}`;
    this.inOrder = recorded.answers.filter((one) => !one.request && !one.schemaName && !one.contains);
  }

  /** @throws InputError when the file is missing or not of the schema. */
  static async open(file: string, watches: readonly CallWatch[] = []): Promise<RecordedClient> {
    return new RecordedClient(await readAnswers(file), watches);
  }

  generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>> {
    const ask: AskModel = async (messages) => {
      const answer: RawAnswer = { text: '', usage: { inputTokens: null, outputTokens: null }, cut: false };
      const started = { model: this.id, label: this.label, purpose: request.schemaName, messages, price: nothing };
      return watchCall(started, this.watches, answer, async () => {
        Object.assign(answer, this.find(request));
      });
    };
    return answerInSchema(ask, request, this);
  }

  private find<T>(request: ModelRequest<T>): RawAnswer {
    throwIfCancelled(request.signal, 'The request to the model');
    const hash = requestHash(request);
    const found =
      this.recorded.answers.find((one) => one.request === hash) ??
      this.recorded.answers.find((one) => !one.request && matches(one, request)) ??
      this.inOrder.shift();
    if (!found) {
      throw new ModelUnavailableError(this.label, `no answer is recorded for this "${request.schemaName}" (${hash}).`, {
        nextStep: 'Record one with a real model, or set another model in harness.json.',
      });
    }
    const text = found.text ?? JSON.stringify(found.answer ?? null);
    request.onText?.(text);
    return { text, usage: { inputTokens: found.inputTokens, outputTokens: found.outputTokens }, cut: false };
  }
}

function matches<T>(recorded: RecordedAnswer, request: ModelRequest<T>): boolean {
  if (!recorded.schemaName && !recorded.contains) return false;
  if (recorded.schemaName && recorded.schemaName !== request.schemaName) return false;
  const asked = request.messages.map((message) => message.content).join('\n');
  return (recorded.contains ?? []).every((text) => asked.includes(text));
}

/** A client that asks another one and adds each answer to a file that `RecordedClient` reads. */
export function recordingClient(inner: ModelClient, file: string): ModelClient {
  // One writer at a time: answers that come in together would overwrite each other.
  let last: Promise<void> = Promise.resolve();
  return {
    id: inner.id,
    label: inner.label,
    async generate<T>(request: ModelRequest<T>): Promise<ModelAnswer<T>> {
      const answer = await inner.generate(request);
      const { inputTokens, outputTokens } = answer.usage;
      const entry = { request: requestHash(request), answer: answer.value, inputTokens, outputTokens };
      last = last.catch(() => undefined).then(() => addAnswer(file, inner.id, entry));
      await last;
      return answer;
    },
  };
}

async function addAnswer(file: string, model: string, entry: RecordedAnswer): Promise<void> {
  const before = await readAnswers(file, { schemaVersion: 1, model, answers: [] });
  const kept = before.answers.filter((one) => one.request !== entry.request);
  await writeAnswers(file, { ...before, answers: [...kept, entry] });
}

/** Answers from a file. */
export const recordedProvider: ModelProvider = {
  id: 'recorded',
  create: async (settings, { root, watches }) => {
    if (!settings.answers) {
      throw new InputError('No file with recorded answers is named.', {
        code: 'answers-unnamed',
        nextStep: 'Set model.answers in harness.json.',
      });
    }
    return RecordedClient.open(resolve(root ?? '', settings.answers), watches);
  },
};
