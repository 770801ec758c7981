import { lineChanges } from './blocks';
import { splitLines, withoutEnding } from './lines';
import { type EditRange, locateEdit } from './locateEdit';
import type { Decision, Edit, Hunk, Proposal } from './model';
import { ProposalDamagedError } from './proposalErrors';

/** Base text of every file a proposal touches; null for files that did not exist. */
export type BaseTexts = ReadonlyMap<string, string | null>;

/**
 * The hunks of a proposal, numbered from 1 by decision, then file, then line. The same proposal and base texts
 * always give the same numbers.
 * @throws ProposalDamagedError when an edit does not fit its base text, which a made proposal never does.
 */
export function hunksOf(proposal: Pick<Proposal, 'id' | 'decisions'>, baseTexts: BaseTexts): Hunk[] {
  const hunks: Hunk[] = [];
  for (const decision of proposal.decisions) {
    for (const [file, edits] of editsByFile(decision)) {
      for (const hunk of hunksOfFile(proposal.id, decision.id, file, edits, baseTexts.get(file) ?? null)) {
        hunks.push({ number: hunks.length + 1, ...hunk });
      }
    }
  }
  return hunks;
}

/** Edits of a decision by file, files in the order they first occur. */
export function editsByFile(decision: Pick<Decision, 'edits'>): Map<string, Edit[]> {
  const byFile = new Map<string, Edit[]>();
  for (const edit of decision.edits) byFile.set(edit.file, [...(byFile.get(edit.file) ?? []), edit]);
  return byFile;
}

function hunksOfFile(proposal: string, decision: string, file: string, edits: Edit[], base: string | null) {
  const whole = edits.find((edit) => edit.action !== 'replace');
  if (whole) return [makeHunk(decision, file, whole.action, 0, base ?? '', whole.newText)];
  if (base === null) throw new ProposalDamagedError(proposal, file, 'its base text is missing');
  const ranges: EditRange[] = edits.map((edit) => {
    const range = locateEdit(base, edit);
    if ('reason' in range) throw new ProposalDamagedError(proposal, file, range.reason);
    return range;
  });
  const lines = splitLines(base);
  return lineChanges(base, ranges).map((change) =>
    makeHunk(decision, file, 'replace', change.start, lines.slice(change.start, change.end).join(''), change.newText),
  );
}

function makeHunk(
  decision: string,
  file: string,
  action: Edit['action'],
  start: number,
  oldText: string,
  newText: string,
): Omit<Hunk, 'number'> {
  return {
    decision,
    file,
    action,
    baseStart: start + 1,
    removed: splitLines(oldText).map(withoutEnding),
    added: splitLines(newText).map(withoutEnding),
    oldText,
    newText,
  };
}
