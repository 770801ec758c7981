import { CancelledError, HarnessmithError, messageOf } from '../core/errors';

/** Where the extension writes what people do not need to read every day. */
export interface Log {
  debug(message: string): void;
  info(message: string): void;
  warn(message: string): void;
  /** Keeps the stack of `error`; people see only its message. */
  error(message: string, error?: unknown): void;
}

/** What to tell a person about anything thrown; null for a cancellation, which is not a failure. */
export function userMessage(error: unknown): { text: string; nextStep: string | null } | null {
  if (error instanceof CancelledError || isNamedCancelled(error)) return null;
  if (error instanceof HarnessmithError) return { text: error.message, nextStep: error.nextStep };
  return { text: messageOf(error), nextStep: null };
}

/** Errors of the editor's own cancellation come without our class. */
function isNamedCancelled(error: unknown): boolean {
  return error instanceof Error && (error.name === 'Canceled' || error.name === 'AbortError');
}

/** One line for logs and notifications: what happened, then what to do. */
export function oneLine(error: unknown): string {
  const message = userMessage(error);
  if (!message) return 'Cancelled.';
  return message.nextStep ? `${message.text} ${message.nextStep}` : message.text;
}
