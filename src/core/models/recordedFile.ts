import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { z } from 'zod';
import { InputError, messageOf } from '../errors';

export const RecordedAnswer = z.strictObject({
  /** Hash of the request it answers, see `requestHash`. */
  request: z.string().optional(),
  /** Name of the schema it answers. */
  schemaName: z.string().optional(),
  /** Texts that must all occur in the messages. */
  contains: z.array(z.string()).optional(),
  /** The answer as JSON, or as text for answers that are no JSON. */
  answer: z.unknown().optional(),
  text: z.string().optional(),
  inputTokens: z.number().nullable().default(null),
  outputTokens: z.number().nullable().default(null),
});
export type RecordedAnswer = z.infer<typeof RecordedAnswer>;

/** A file of recorded answers. Answers without any rule are given in their order, once each. */
export const RecordedAnswers = z.strictObject({
  schemaVersion: z.literal(1),
  /** The model that gave them. */
  model: z.string(),
  answers: z.array(RecordedAnswer),
});
export type RecordedAnswers = z.infer<typeof RecordedAnswers>;

/**
 * Reads recorded answers. `ifMissing` stands for a file that is not there.
 * @throws InputError naming the file, and the first place that is wrong.
 */
export async function readAnswers(file: string, ifMissing?: RecordedAnswers): Promise<RecordedAnswers> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (isMissing && ifMissing) return ifMissing;
    throw unreadable(file, isMissing ? 'it does not exist' : messageOf(error), error);
  }
  const result = RecordedAnswers.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw unreadable(file, `${issue!.path.map(String).join('.') || 'top level'}: ${issue!.message}`, result.error);
}

/** Writes beside the file and renames, so that nobody reads a part. */
export async function writeAnswers(file: string, answers: RecordedAnswers): Promise<void> {
  const temporary = `${file}.${randomBytes(4).toString('hex')}.tmp`;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(temporary, `${JSON.stringify(answers, null, 2)}\n`);
  await rename(temporary, file);
}

function unreadable(file: string, reason: string, cause: unknown): InputError {
  return new InputError(`The recorded answers in ${file} cannot be read: ${reason}`, {
    code: 'answers-unreadable',
    nextStep: 'Check model.answers in harness.json, or correct the file.',
    cause,
  });
}
