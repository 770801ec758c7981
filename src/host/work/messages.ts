import { z } from 'zod';
import { CancelledError, EnvironmentError, HarnessmithError, InputError, messageOf } from '../../core/errors';

/** An error on its way between threads; classes do not survive a structured clone. */
export const WireError = z.object({
  type: z.enum(['input', 'environment', 'cancelled', 'general', 'unexpected']),
  message: z.string(),
  code: z.string(),
  nextStep: z.string(),
  stack: z.string().optional(),
});
export type WireError = z.infer<typeof WireError>;

/** Host to worker. */
export const ToWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('request'), id: z.int(), method: z.string(), params: z.unknown() }),
  z.object({ kind: z.literal('cancel'), id: z.int() }),
  /** Answers what the worker asked the host for. */
  z.object({ kind: z.literal('reply'), id: z.int(), value: z.unknown(), error: WireError.nullable() }),
]);
export type ToWorker = z.infer<typeof ToWorker>;

/** Worker to host. */
export const FromWorker = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('result'), id: z.int(), value: z.unknown() }),
  z.object({ kind: z.literal('error'), id: z.int(), error: WireError }),
  z.object({
    kind: z.literal('progress'),
    id: z.int(),
    report: z.object({ message: z.string(), done: z.number().optional(), total: z.number().optional() }),
  }),
  /** The worker needs the editor's language model: a text for these messages. */
  z.object({ kind: z.literal('completeText'), id: z.int(), request: z.int(), messages: z.unknown() }),
]);
export type FromWorker = z.infer<typeof FromWorker>;

export const TextMessages = z.array(z.object({ role: z.enum(['system', 'user', 'assistant']), content: z.string() }));
export type TextMessages = z.infer<typeof TextMessages>;

export const TextAnswer = z.object({
  text: z.string(),
  model: z.string(),
  /** As the provider counts them; null where it does not. */
  inputTokens: z.number().nullable().optional(),
  outputTokens: z.number().nullable().optional(),
});
export type TextAnswer = z.infer<typeof TextAnswer>;

/** Packs anything thrown for the other thread. */
export function packError(error: unknown): WireError {
  const stack = error instanceof Error ? error.stack : undefined;
  if (!(error instanceof HarnessmithError)) {
    return { type: 'unexpected', message: messageOf(error), code: 'unexpected', nextStep: '', stack };
  }
  const type =
    error instanceof CancelledError
      ? 'cancelled'
      : error instanceof InputError
        ? 'input'
        : error instanceof EnvironmentError
          ? 'environment'
          : 'general';
  return { type, message: error.message, code: error.code, nextStep: error.nextStep, stack };
}

/** The error again, of the class it had; unexpected ones keep their stack for the log. */
export function unpackError(wire: WireError): Error {
  const details = { code: wire.code, nextStep: wire.nextStep };
  switch (wire.type) {
    case 'cancelled':
      return new CancelledError();
    case 'input':
      return new InputError(wire.message, details);
    case 'environment':
      return new EnvironmentError(wire.message, details);
    case 'general':
      return new HarnessmithError(wire.message, details);
    case 'unexpected': {
      const error = new Error(wire.message);
      if (wire.stack) error.stack = wire.stack;
      return error;
    }
  }
}
