import { chmod, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import {
  currentPerson,
  isMissing,
  Ledger,
  readJsonFile,
  readTextIfPresent,
  writeFileAtomic,
  writeJsonFile,
} from '../store';
import { deleteBranch } from './applyBranch';
import { contentHash } from './contentHash';
import { presentText } from './hunkStates';
import type { Review } from './model';
import { ReviewError } from './proposalErrors';
import { proposalFolder } from './proposalStore';
import { changeReview, reviewOf } from './review';

/** One apply to the working tree, kept so that it can be taken back. The previous texts lie beside it. */
const UndoEntry = z.object({
  at: z.string(),
  hunks: z.array(z.int()),
  files: z.array(
    z.object({
      file: z.string(),
      /** Hashes of the text before and after; null for "did not exist". */
      before: z.string().nullable(),
      after: z.string().nullable(),
      mode: z.int().nullable(),
    }),
  ),
});
type UndoEntry = z.infer<typeof UndoEntry>;

export interface WrittenFile {
  file: string;
  before: string | null;
  after: string | null;
  mode: number | null;
}

/** Keeps the texts that are about to be replaced. Call it before the first file is written. */
export async function recordUndo(root: string, id: string, hunks: number[], files: readonly WrittenFile[]) {
  const folder = join(undoFolder(root, id), String(((await undoNumbers(root, id)).at(-1) ?? 0) + 1));
  for (const { file, before } of files) {
    if (before !== null) await writeFileAtomic(join(folder, 'before', file), before);
  }
  const entry: UndoEntry = {
    at: new Date().toISOString(),
    hunks,
    files: files.map(({ file, before, after, mode }) => ({ file, before: hash(before), after: hash(after), mode })),
  };
  await writeJsonFile(join(folder, 'entry.json'), entry);
  return folder;
}

/**
 * Takes the last apply back: files get their previous bytes and mode, or the branch is deleted; the hunks are
 * accepted again.
 * @throws ReviewError when nothing is applied, or when a file or the branch was changed since; nothing is changed then.
 */
export async function undoApplied(root: string, id: string, who = currentPerson()): Promise<{ files: string[] }> {
  let files: string[] = [];
  let hunks: number[] = [];
  await changeReview(root, id, async (review) => {
    const number = (await undoNumbers(root, id)).at(-1);
    if (number !== undefined) ({ files, hunks } = await undoWorkingTree(root, id, number));
    else hunks = await undoBranch(root, id, review);
    reopen(review, hunks, who);
  });
  const ledger = await Ledger.open(root);
  await ledger.append({ kind: 'apply', at: new Date().toISOString(), by: who, proposal: id, hunks, target: 'undo' });
  return { files };
}

/** True when there is an apply that `undoApplied` could take back. */
export async function canUndo(root: string, id: string): Promise<boolean> {
  if ((await undoNumbers(root, id)).length > 0) return true;
  return Boolean((await reviewOf(root, id)).appliedCommit);
}

async function undoWorkingTree(root: string, id: string, number: number) {
  const folder = join(undoFolder(root, id), String(number));
  const entry = await readJsonFile(join(folder, 'entry.json'), UndoEntry);
  const restore: UndoEntry['files'] = [];
  for (const file of entry.files) {
    const present = await presentText(root, file.file);
    const found = 'reason' in present ? undefined : hash(present.text);
    if (found === file.after) restore.push(file);
    // A crash in the middle of the apply leaves files that were not written yet; they are right already.
    else if (found !== file.before) throw changedSince(id, file.file);
  }
  for (const { file, before, mode } of restore) await putBack(root, folder, file, before, mode);
  await rm(folder, { recursive: true, force: true });
  return { files: restore.map(({ file }) => file), hunks: entry.hunks };
}

async function putBack(root: string, folder: string, file: string, before: string | null, mode: number | null) {
  if (before === null) {
    await rm(join(root, file), { force: true });
    return;
  }
  const text = await readTextIfPresent(join(folder, 'before', file));
  if (text === undefined || hash(text) !== before) {
    throw new ReviewError(`The previous text of ${file} is missing.`, {
      code: 'undo-damaged',
      nextStep: 'Restore the file with git.',
    });
  }
  await writeFileAtomic(join(root, file), text);
  if (mode !== null) await chmod(join(root, file), mode);
}

async function undoBranch(root: string, id: string, review: Review): Promise<number[]> {
  if (!review.appliedCommit || !review.appliedTo) {
    throw new ReviewError(`Nothing of ${id} is applied.`, {
      code: 'nothing-applied',
      nextStep: 'There is nothing to undo.',
    });
  }
  await deleteBranch(root, review.appliedTo, review.appliedCommit);
  return Object.keys(review.hunks)
    .map(Number)
    .filter((number) => review.hunks[String(number)]!.state === 'applied');
}

function reopen(review: Review, hunks: readonly number[], who: string): void {
  const at = new Date().toISOString();
  for (const number of hunks) review.hunks[String(number)] = { state: 'accepted', at, by: who };
  if (Object.values(review.hunks).some((hunk) => hunk.state === 'applied')) return;
  review.appliedAt = null;
  review.appliedTo = null;
  review.appliedCommit = null;
}

/** Numbers of the complete entries, oldest first; one without its `entry.json` was cut off before any file changed. */
async function undoNumbers(root: string, id: string): Promise<number[]> {
  const numbers: number[] = [];
  for (const name of await namesIn(undoFolder(root, id))) {
    const names = await namesIn(join(undoFolder(root, id), name));
    if (Number.isInteger(Number(name)) && names.includes('entry.json')) numbers.push(Number(name));
  }
  return numbers.sort((a, b) => a - b);
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}

function undoFolder(root: string, id: string): string {
  return join(proposalFolder(root, id), 'undo');
}

function hash(text: string | null): string | null {
  return text === null ? null : contentHash(text);
}

function changedSince(id: string, file: string): ReviewError {
  return new ReviewError(`${file} was changed since ${id} was applied.`, {
    code: 'changed-since',
    nextStep: 'Take your change of the file back first, or undo by hand with git.',
  });
}
