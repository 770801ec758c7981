import { chmod, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvironmentError } from '../errors';
import { writeFileAtomic } from '../store';
import { presentText } from './hunkStates';
import type { Review } from './model';
import { type FilePlan, type LeftHunk, planFile } from './plan';
import { ReviewError } from './proposalErrors';
import type { StoredProposal } from './proposalStore';
import { numbersIn } from './review';
import { recordUndo, type WrittenFile } from './undo';

export interface WorkingTreeResult {
  files: string[];
  hunks: number[];
  left: LeftHunk[];
}

/**
 * Writes hunks into the user's files, each file at once and whole; hunks without a certain place are left. When one
 * file cannot be written the others get their old content back.
 */
export async function applyToWorkingTree(
  root: string,
  stored: StoredProposal,
  review: Review,
  numbers: ReadonlySet<number>,
): Promise<WorkingTreeResult> {
  const plans: FilePlan[] = [];
  const applied = new Set(numbersIn(review, stored.hunks, 'applied'));
  for (const file of stored.baseTexts.keys()) {
    const wanted = stored.hunks.filter((hunk) => hunk.file === file && numbers.has(hunk.number));
    if (wanted.length === 0) continue;
    const present = await presentText(root, file);
    if ('reason' in present) {
      const left = wanted.map(({ number }) => ({ number, file, reason: present.reason }));
      plans.push({ file, before: null, after: null, hunks: [], left });
    } else {
      plans.push(planFile(stored, review, file, present.text, numbers, applied));
    }
  }
  const hunks = plans.flatMap((plan) => plan.hunks).sort((a, b) => a - b);
  const left = plans.flatMap((plan) => plan.left);
  const changed = plans.filter((plan) => plan.after !== plan.before);
  const files = await Promise.all(changed.map((plan) => withMode(root, plan)));
  if (files.length > 0) await writeAll(root, stored.proposal.id, hunks, files);
  return { files: files.map(({ file }) => file), hunks, left };
}

async function withMode(root: string, { file, before, after }: FilePlan): Promise<WrittenFile> {
  const mode = before === null ? null : (await stat(join(root, file))).mode & 0o7777;
  return { file, before, after, mode };
}

async function writeAll(root: string, id: string, hunks: number[], files: readonly WrittenFile[]): Promise<void> {
  const undo = await recordUndo(root, id, hunks, files);
  const written: WrittenFile[] = [];
  try {
    for (const one of files) {
      const present = await presentText(root, one.file);
      if ('reason' in present || present.text !== one.before) throw changedMeanwhile(one.file);
      written.push(one);
      await put(root, one.file, one.after, one.mode);
    }
  } catch (error) {
    await putAllBack(root, written, undo, error);
    throw error;
  }
}

async function putAllBack(root: string, written: readonly WrittenFile[], undo: string, cause: unknown): Promise<void> {
  const lost: string[] = [];
  for (const { file, before, mode } of written) {
    const isBack = () => presentText(root, file).then((present) => 'text' in present && present.text === before);
    if (await isBack()) continue;
    await put(root, file, before, mode).catch(() => undefined); // what counts is checked next
    if (!(await isBack())) lost.push(file);
  }
  if (lost.length > 0) {
    throw new EnvironmentError(`${lost.join(', ')} could not be put back after a failed apply.`, {
      code: 'put-back-failed',
      nextStep: `The previous text is in ${join(undo, 'before')}.`,
      cause,
    });
  }
  await rm(undo, { recursive: true, force: true });
}

async function put(root: string, file: string, text: string | null, mode: number | null): Promise<void> {
  const path = join(root, file);
  if (text === null) {
    await rm(path, { force: true });
    return;
  }
  await writeFileAtomic(path, text);
  if (mode !== null) await chmod(path, mode);
}

function changedMeanwhile(file: string): ReviewError {
  return new ReviewError(`${file} was changed while the proposal was being applied.`, {
    code: 'changed-meanwhile',
    nextStep: 'Nothing was written. Save the file and apply again.',
  });
}
