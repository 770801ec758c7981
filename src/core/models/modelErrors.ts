import { EnvironmentError } from '../errors';

/** Base of what can go wrong with a language model. */
export class ModelError extends EnvironmentError {}

/** The key is not where it must be. Keys never stand in files of the repository. */
export class ModelKeyMissingError extends ModelError {
  constructor(
    readonly variable: string,
    label: string,
  ) {
    super(`No key for ${label}: the environment variable ${variable} is not set.`, {
      code: 'model-key-missing',
      nextStep: `Set ${variable}, or store the key in VS Code with "Harnessmith: Set model key".`,
    });
  }
}

/** A key of the environment would go to a host that the person did not allow. */
export class ModelHostNotAllowedError extends ModelError {
  constructor(
    readonly host: string,
    readonly variable: string,
    hostsVariable: string,
  ) {
    super(`The key in ${variable} is not sent to ${host}: settings of a repository alone cannot choose who gets it.`, {
      code: 'model-host-not-allowed',
      nextStep: `If you trust this host: export ${hostsVariable}=${host}`,
    });
  }
}

/** The next request would go beyond what the person allowed. */
export class ModelBudgetError extends ModelError {
  constructor(label: string, reason: string) {
    super(`${label} is not asked: ${reason}.`, {
      code: 'model-budget',
      nextStep: 'Raise model.budgetUsd or model.budgetTokens in harness.json, or ask for less.',
    });
  }
}

/** No complete answer within the time, or an answer that stands still in its middle. */
export class ModelTimeoutError extends ModelError {
  constructor(label: string, seconds: number, stalled = false) {
    const what = stalled
      ? `stopped in the middle of its answer for ${seconds} s`
      : `gave no complete answer within ${seconds} s`;
    super(`${label} ${what}.`, {
      code: 'model-timeout',
      nextStep: 'Try again, or raise model.timeoutSeconds in harness.json.',
    });
  }
}

/** The model cannot be reached, refuses, or answers with an error. */
export class ModelUnavailableError extends ModelError {
  constructor(
    label: string,
    reason: string,
    options: { nextStep?: string; cause?: unknown; retryAfterSeconds?: number; retryable?: boolean } = {},
  ) {
    super(`${label} is not available: ${reason}`, {
      code: 'model-unavailable',
      nextStep: options.nextStep ?? 'Check the address, the key and the model name in harness.json, then try again.',
      cause: options.cause,
    });
    this.retryable = options.retryable ?? false;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }

  /** True when the same request may work a little later: too many requests, a server fault, a broken connection. */
  readonly retryable: boolean;
  readonly retryAfterSeconds: number | undefined;
}

/** The answer is not of the wanted form, also after the model was told what is wrong with it. */
export class ModelAnswerError extends ModelError {
  /** Start of the answer, for the log and for the reader. */
  readonly excerpt: string;

  constructor(
    label: string,
    readonly problem: string,
    answer: string,
    nextStep = 'Try again, or try another model.',
  ) {
    const excerpt = excerptOf(answer);
    super(`The answer of ${label} cannot be used: ${problem}. It begins: ${excerpt || '(empty)'}`, {
      code: 'model-answer-unusable',
      nextStep,
    });
    this.excerpt = excerpt;
  }
}

const excerptLength = 300;

/** The beginning of a text on one line, without control characters. */
export function excerptOf(text: string): string {
  const line = text
    .slice(0, excerptLength * 2)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line.length > excerptLength ? `${line.slice(0, excerptLength)}...` : line;
}
