/** Exit codes of the command line; see docs/cli.md. */
export type ExitCode = 1 | 2 | 3 | 130;

export interface ErrorDetails {
  /** Stable name for programs, for example `trace-unreadable`. */
  code: string;
  /** What the user can do now, one short sentence. */
  nextStep: string;
  cause?: unknown;
}

/**
 * Base of every error a user may see. The message says what happened and to which file or step;
 * `nextStep` says what to do. Stacks stay in the log.
 */
export class HarnessmithError extends Error {
  readonly code: string;
  readonly nextStep: string;
  readonly exitCode: ExitCode = 1;

  constructor(message: string, details: ErrorDetails) {
    super(message, { cause: details.cause });
    this.name = new.target.name;
    this.code = details.code;
    this.nextStep = details.nextStep;
  }
}

/** Wrong usage or unreadable input: the user can correct the call or the file. */
export class InputError extends HarnessmithError {
  override readonly exitCode: ExitCode = 2;
}

/** Something outside is missing or broken: a program, a permission, a disk, a network. */
export class EnvironmentError extends HarnessmithError {
  override readonly exitCode: ExitCode = 3;
}

/** The user or the host stopped the work. Never shown as a failure. */
export class CancelledError extends HarnessmithError {
  override readonly exitCode: ExitCode = 130;

  constructor(what = 'The work') {
    super(`${what} was cancelled.`, { code: 'cancelled', nextStep: 'Start it again when you are ready.' });
  }
}

/** Throws {@link CancelledError} once the signal is aborted. Call it between units of long work. */
export function throwIfCancelled(signal: AbortSignal | undefined, what?: string): void {
  if (signal?.aborted) throw new CancelledError(what);
}

/** The message of anything thrown, without a stack. */
export function messageOf(error: unknown): string {
  if (error instanceof Error) return error.message;
  try {
    return String(error);
  } catch {
    return 'unknown error'; // an object that cannot be made a string, such as one without a prototype
  }
}
