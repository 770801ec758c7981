import { mask } from '../models';
import { contentHash } from './contentHash';
import { checkEditPath, readEditable, type UnsavedTexts } from './editPaths';
import type { OfferedEvidence } from './evidence';
import { fuzzyEdit } from './fuzzyEdit';
import { hunksOf } from './hunks';
import { type EditRange, fitLineEndings, locateEdit } from './locateEdit';
import type { Decision, Edit, Proposal } from './model';
import { findOverlaps } from './overlaps';
import type { ProposerAnswer } from './proposerAnswer';

export interface CheckedAnswer {
  decisions: Decision[];
  refused: Proposal['refused'];
  fuzz: NonNullable<Proposal['fuzz']>;
  /** Base texts of the files that the decisions touch, and their hashes for the proposal. */
  baseTexts: Map<string, string | null>;
  baseFiles: Record<string, string | null>;
}

/** Where edits may go, and what counts as the present text. */
export interface EditLimits {
  protected: readonly string[];
  /** The only path below which files may change. */
  module?: string;
  unsaved?: UnsavedTexts;
}

interface UsableEdit {
  edit: Edit;
  fuzz?: { line: number; difference: string };
}

type Proposed = ProposerAnswer['decisions'][number];

/** Longer texts are runaways of a model, not edits. */
const maximumNewText = 500_000;

/**
 * Keeps the edits of an answer that can be applied exactly as given to the files as they are, each in a decision
 * that stands alone, and lists everything else with the reason.
 */
export async function checkAnswer(
  root: string,
  answer: Pick<ProposerAnswer, 'decisions'>,
  offered: readonly OfferedEvidence[],
  limits: EditLimits,
): Promise<CheckedAnswer> {
  const fuzz: CheckedAnswer['fuzz'] = [];
  const texts = new Map<string, string | null>();
  const refused: Proposal['refused'] = [];
  const decisions: Decision[] = [];
  for (const proposed of answer.decisions) {
    const edits: Edit[] = [];
    for (const edit of proposed.edits) {
      const usable = await checkEdit(root, edit, edits, texts, limits);
      if ('reason' in usable) {
        refused.push({ file: edit.file, reason: usable.reason });
        continue;
      }
      edits.push(usable.edit);
      if (usable.fuzz) fuzz.push({ file: usable.edit.file, ...usable.fuzz });
    }
    if (proposed.edits.length === 0) refused.push({ file: '-', reason: `"${proposed.title}" has no edits` });
    if (edits.length === 0) continue;
    const evidence = knownEvidence(proposed, offered, refused);
    const { title, rationale } = proposed;
    decisions.push({ id: `d${decisions.length + 1}`, title, rationale, evidence, edits });
  }
  const independent = withoutOverlaps(decisions, texts, refused);
  const touched = new Set(independent.flatMap((one) => one.edits.map((edit) => edit.file)));
  const baseTexts = new Map([...texts].filter(([file]) => touched.has(file)));
  const hashes = [...baseTexts].map(([file, text]) => [file, text === null ? null : contentHash(text)] as const);
  return {
    decisions: independent,
    refused,
    fuzz: fuzz.filter(({ file }) => touched.has(file)),
    baseTexts,
    baseFiles: Object.fromEntries(hashes),
  };
}

async function checkEdit(
  root: string,
  edit: Edit,
  earlier: readonly Edit[],
  texts: Map<string, string | null>,
  limits: EditLimits,
): Promise<UsableEdit | { reason: string }> {
  const path = await checkEditPath(root, edit.file, limits.protected);
  if ('reason' in path) return path;
  const { file } = path;
  if (limits.module !== undefined && !isBelow(file, limits.module)) {
    return { reason: `the file lies outside ${limits.module}, and only that may change` };
  }
  if (edit.newText.includes(mask))
    return { reason: `the new text holds ${mask}, which stands for a value you cannot see` };
  if (!texts.has(file)) {
    const read = await readEditable(root, file, limits.unsaved);
    if ('reason' in read) return read;
    texts.set(file, read.text);
  }
  return fitEdit(
    { ...edit, file },
    texts.get(file) ?? null,
    earlier.filter((one) => one.file === file),
  );
}

/** True for a path itself and everything in it. */
export function isBelow(file: string, module: string): boolean {
  const path = module.replace(/^(?:\.?\/)+/, '').replace(/\/+$/, '');
  return path === '' || path === '.' || file === path || file.startsWith(`${path}/`);
}

function fitEdit(edit: Edit, base: string | null, earlier: readonly Edit[]): UsableEdit | { reason: string } {
  if (edit.newText.length > maximumNewText) return { reason: 'the new text is over 500,000 characters' };
  // Half of a surrogate pair or a NUL cannot be written as UTF-8 text and read back.
  if (/\p{Surrogate}|\0/u.test(edit.newText)) return { reason: 'the new text holds characters that are no text' };
  if (earlier.some((one) => one.action !== 'replace') || (edit.action !== 'replace' && earlier.length > 0)) {
    return { reason: 'the file is created or deleted and edited in one decision' };
  }
  if (edit.action === 'create') {
    if (base !== null) return { reason: 'the file exists already; replace text in it' };
    return { edit: { ...edit, oldText: '' } };
  }
  if (base === null) return { reason: 'the file does not exist' };
  if (edit.action === 'delete') return { edit: { ...edit, oldText: base, newText: '' } };
  const exact = fitLineEndings(base, edit);
  const near = base.includes(exact.oldText) ? null : fuzzyEdit(base, exact);
  const fitted = near ? fitLineEndings(base, near.edit) : exact;
  const range = locateEdit(base, fitted);
  if ('reason' in range) return range;
  if (fitted.oldText === fitted.newText) return { reason: 'the edit changes nothing' };
  const clash = earlier.some((one) => overlaps(range, locateEdit(base, one)));
  if (clash) return { reason: 'it overlaps with an earlier edit of the same decision' };
  return near ? { edit: fitted, fuzz: { line: near.line, difference: near.difference } } : { edit: fitted };
}

function overlaps(a: EditRange, b: EditRange | { reason: string }): boolean {
  return !('reason' in b) && a.start < b.end && b.start < a.end;
}

function knownEvidence(proposed: Proposed, offered: readonly OfferedEvidence[], refused: Proposal['refused']) {
  return [...new Set(proposed.evidence)].flatMap((id) => {
    const found = offered.find((one) => one.id === id.trim());
    if (found) return [found.ref];
    refused.push({
      file: '-',
      reason: `"${proposed.title}" cites ${id.slice(0, 40)}, which was not among the evidence`,
    });
    return [];
  });
}

/** Decisions must stand alone: of two that change the same lines the later one loses its edits of that file. */
function withoutOverlaps(
  decisions: readonly Decision[],
  texts: ReadonlyMap<string, string | null>,
  refused: Proposal['refused'],
): Decision[] {
  let kept = [...decisions];
  for (;;) {
    const [pair] = findOverlaps(hunksOf({ id: 'the answer', decisions: kept }, texts));
    if (!pair) break;
    const [first, second] = pair;
    const winner = kept.find((one) => one.id === first.decision)!;
    refused.push({ file: second.file, reason: `it changes the same lines as the decision "${winner.title}"` });
    kept = kept.map((one) =>
      one.id === second.decision ? { ...one, edits: one.edits.filter((edit) => edit.file !== second.file) } : one,
    );
  }
  return kept.filter((one) => one.edits.length > 0).map((one, index) => ({ ...one, id: `d${index + 1}` }));
}
