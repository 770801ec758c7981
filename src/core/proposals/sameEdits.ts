import type { Proposal } from './model';

/** True when two proposals make the same edits, whatever they say about them. */
export function sameEdits(a: Pick<Proposal, 'decisions'>, b: Pick<Proposal, 'decisions'>): boolean {
  const edits = ({ decisions }: Pick<Proposal, 'decisions'>) =>
    decisions.flatMap((one) => one.edits.map((edit) => JSON.stringify([edit.file, edit.oldText, edit.newText]))).sort();
  return JSON.stringify(edits(a)) === JSON.stringify(edits(b));
}
