import { Command } from 'commander';
import { z } from 'zod';
import { CancelledError, HarnessmithError, messageOf } from '../core/errors';
import type { Progress } from '../core/progress';
import { printable } from './printable';
import { progressBar } from './progressBar';

/** What a command found: a JSON document for programs and a text for people. */
export interface Answer<T = unknown> {
  document: T;
  text: string;
  /** False when the answer is "no": a check failed, a verdict rejects. Exit code 1. */
  ok?: boolean;
  /** The text is a file for other programs (a patch): into a pipe it goes byte for byte. */
  file?: boolean;
  /** Nothing is printed: standard output belonged to somebody else. */
  silent?: boolean;
}

export interface CommandContext {
  /** Folder the command works on. */
  folder: string;
  json: boolean;
  signal: AbortSignal;
  progress: Progress;
  /** A line for people while work goes on; not part of the answer, so it goes to standard error. */
  note(text: string): void;
}

/** Version of every JSON document the command line prints. */
export const schemaVersion = 1;

/** What `--json` prints when a command fails. */
export const ErrorDocument = z.object({
  schemaVersion: z.literal(schemaVersion),
  error: z.object({ code: z.string(), message: z.string(), nextStep: z.string() }),
});
export type ErrorDocument = z.infer<typeof ErrorDocument>;

/** A command that only holds others; it has no options, because they would be taken from the ones it holds. */
export function commandGroup(name: string, description: string, commands: readonly Command[]): Command {
  const group = new Command(name).description(description);
  for (const command of commands) group.addCommand(command);
  return group;
}

/** Adds the options every command has. */
export function newCommand(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .showHelpAfterError('Use --help to see the options.')
    .option('--json', 'print one JSON document')
    .option('-C, --directory <folder>', 'work on this repository', '.');
}

/**
 * Wraps the work of a command: cancellation by Ctrl-C, progress on a terminal, the answer on standard output,
 * errors in words on standard error (and as a document with --json), and the exit code.
 */
export function answerWith<A extends unknown[]>(
  command: Command,
  work: (context: CommandContext, ...parameters: A) => Promise<Answer>,
): void {
  command.action(async (...parameters) => {
    const options = command.opts<{ json?: boolean; directory: string }>();
    const json = options.json === true;
    const cancel = new AbortController();
    const stop = () => cancel.abort();
    process.once('SIGINT', stop);
    process.once('SIGTERM', stop);
    const bar = progressBar(process.stderr);
    const context: CommandContext = {
      folder: options.directory,
      json,
      signal: cancel.signal,
      progress: bar.report,
      note: (text) => {
        bar.clear();
        process.stderr.write(`${printable(text)}\n`);
      },
    };
    try {
      // commander appends the options and the command itself
      const answer = await work(context, ...(parameters.slice(0, -2) as A));
      bar.clear();
      if (!answer.silent)
        await write(
          json ? JSON.stringify({ schemaVersion, ...(answer.document as object) }, null, 2) : shownText(answer),
        );
      process.exitCode = answer.ok === false ? 1 : 0;
    } catch (error) {
      bar.clear();
      process.exitCode = await report(error, json, cancel.signal);
    } finally {
      process.removeListener('SIGINT', stop);
      process.removeListener('SIGTERM', stop);
    }
  });
}

function shownText({ text, file }: Answer): string {
  return file && !process.stdout.isTTY ? text.replace(/\n$/, '') : printable(text);
}

function write(text: string): Promise<void> {
  return new Promise((resolve) => process.stdout.write(`${text}\n`, () => resolve()));
}

/** The document of an error, see docs/schema/cli-error.schema.json. */
export function errorText({
  code,
  message,
  nextStep,
}: Pick<HarnessmithError, 'code' | 'message' | 'nextStep'>): string {
  const document: ErrorDocument = { schemaVersion, error: { code, message, nextStep } };
  return JSON.stringify(document, null, 2);
}

async function report(error: unknown, json: boolean, signal: AbortSignal): Promise<number> {
  const known = toKnown(error, signal);
  if (json) await write(errorText(known));
  process.stderr.write(`${printable(known.message)}\n${printable(known.nextStep)}\n`);
  if (process.env.HARNESSMITH_DEBUG && error instanceof Error) process.stderr.write(`${error.stack}\n`);
  return known.exitCode;
}

function toKnown(error: unknown, signal: AbortSignal): HarnessmithError {
  if (error instanceof HarnessmithError) return error;
  if (signal.aborted) return new CancelledError();
  return new HarnessmithError(`Something failed that should not: ${messageOf(error)}`, {
    code: 'internal',
    nextStep: 'Run again with HARNESSMITH_DEBUG=1 and report what it prints.',
    cause: error,
  });
}
