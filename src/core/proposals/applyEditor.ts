import { currentPerson, Ledger } from '../store';
import { recordApply } from './apply';
import { diffLineChanges, type LineChange } from './blocks';
import { effectiveHunks } from './editedText';
import type { UnsavedTexts } from './editPaths';
import { presentText } from './hunkStates';
import { splitLines } from './lines';
import type { Review } from './model';
import { type LeftHunk, planFile } from './plan';
import { ReviewError } from './proposalErrors';
import { openProposal, type StoredProposal } from './proposalStore';
import { changeReview, numbersIn, reviewOf } from './review';
import { recordUndo, type WrittenFile } from './undo';

/** What one decision does to one file, for an editor that makes the change itself so that it can be undone there. */
export interface PlannedFile {
  file: string;
  action: 'replace' | 'create' | 'delete';
  /** Whole lines from 0, `end` not included; for `create` one change with the whole text. */
  changes: LineChange[];
}

export interface EditorPlan {
  decisions: { id: string; title: string; files: PlannedFile[] }[];
  /** Texts before and after all decisions; null for "does not exist". */
  files: { file: string; before: string | null; after: string | null }[];
  hunks: number[];
  left: LeftHunk[];
  /** False when an editor could not write the files without changing more of them: they mix line endings. */
  exact: boolean;
}

/**
 * Plans the accepted hunks on the texts as they are now, or stand unsaved in an editor: one step a decision. Nothing is
 * written. @throws ReviewError when nothing is accepted or nothing fits.
 */
export async function planForEditor(root: string, id: string, unsaved?: UnsavedTexts): Promise<EditorPlan> {
  const stored = await openProposal(root, id);
  const review = await reviewOf(root, id);
  const accepted = new Set(numbersIn(review, stored.hunks, 'accepted'));
  const plan: EditorPlan = { decisions: [], files: [], hunks: [], left: [], exact: true };
  const steps = stored.proposal.decisions.map(({ id: decision, title }) => ({
    id: decision,
    title,
    files: [] as PlannedFile[],
  }));
  for (const file of stored.baseTexts.keys()) {
    const wanted = stored.hunks.filter((hunk) => hunk.file === file && accepted.has(hunk.number));
    if (wanted.length === 0) continue;
    const present = await presentText(root, file, unsaved);
    if ('reason' in present) {
      plan.left.push(...wanted.map(({ number }) => ({ number, file, reason: present.reason })));
      continue;
    }
    planOneFile(stored, review, file, present.text, accepted, steps, plan);
  }
  plan.decisions = steps.filter(({ files }) => files.length > 0);
  plan.hunks.sort((a, b) => a - b);
  if (plan.hunks.length > 0) return plan;
  const why = plan.left.map((one) => `hunk ${one.number} (${one.file}): ${one.reason}`).join('; ');
  throw new ReviewError(
    accepted.size === 0 ? `No hunk of ${id} is accepted.` : `No accepted hunk of ${id} could be written: ${why}.`,
    {
      code: accepted.size === 0 ? 'nothing-accepted' : 'nothing-fits',
      nextStep:
        accepted.size === 0
          ? 'Accept at least one hunk, then apply.'
          : 'Make the proposal again from the files as they are now.',
    },
  );
}

function planOneFile(
  stored: StoredProposal,
  review: Review,
  file: string,
  present: string | null,
  accepted: ReadonlySet<number>,
  steps: { id: string; files: PlannedFile[] }[],
  plan: EditorPlan,
): void {
  const applied = new Set(numbersIn(review, stored.hunks, 'applied'));
  const all = planFile(stored, review, file, present, accepted, applied);
  plan.left.push(...all.left);
  if (all.after === all.before) return;
  plan.files.push({ file, before: all.before, after: all.after });
  plan.hunks.push(...all.hunks);
  if (present !== null && /\r\n/.test(present) && /(?<!\r)\n/.test(present)) plan.exact = false;
  let text = present;
  const taken = new Set<number>();
  for (const step of steps) {
    for (const hunk of stored.hunks) {
      if (hunk.decision === step.id && all.hunks.includes(hunk.number)) taken.add(hunk.number);
    }
    // A person's own text may join hunks of two decisions; they are written with the later one.
    const whole = new Set([...taken].filter((number) => isWhole(stored, review, file, number, taken)));
    const next = planFile(stored, review, file, present, whole, applied).after;
    if (next === text) continue;
    step.files.push(changeOf(file, text, next));
    text = next;
  }
}

function isWhole(
  stored: StoredProposal,
  review: Review,
  file: string,
  number: number,
  taken: ReadonlySet<number>,
): boolean {
  return effectiveHunks(stored, review, file).every((hunk) => {
    const group = [hunk.number, ...hunk.alsoNeeds];
    return !group.includes(number) || group.every((one) => taken.has(one));
  });
}

function changeOf(file: string, before: string | null, after: string | null): PlannedFile {
  if (after === null) return { file, action: 'delete', changes: [] };
  if (before === null) return { file, action: 'create', changes: [{ start: 0, end: 0, newText: after }] };
  return { file, action: 'replace', changes: diffLineChanges(splitLines(before), splitLines(after)) };
}

/** Enters in review, undo and ledger what an editor wrote by a plan. `files` have the texts as the editor left them. */
export async function recordEditorApply(
  root: string,
  id: string,
  hunks: number[],
  files: readonly WrittenFile[],
  who = currentPerson(),
): Promise<void> {
  await changeReview(root, id, async (review) => {
    await recordUndo(root, id, hunks, files);
    recordApply(review, { hunks, target: 'workingTree', branch: null, commit: null }, who);
  });
  const ledger = await Ledger.open(root);
  const at = new Date().toISOString();
  await ledger.append({ kind: 'apply', at, by: who, proposal: id, hunks, target: 'workingTree' });
}
