import { locateEdit } from '../locateEdit';
import type { Gate, GateProblem } from './gate';

/** The text that each edit was made for is still there in the files as they are now. */
export const stale: Gate = {
  id: 'stale',
  check({ proposal, baseTexts, currentTexts }) {
    if (!currentTexts) return null;
    const problems: GateProblem[] = [];
    for (const [file, base] of baseTexts) {
      const now = currentTexts.get(file) ?? null;
      if (now === base) continue;
      const edits = proposal.decisions.flatMap((one) => one.edits).filter((edit) => edit.file === file);
      if (now === null) problems.push({ file, message: 'the file was deleted after the proposal was made' });
      else if (base === null) problems.push({ file, message: 'the file was made by somebody else meanwhile' });
      else problems.push(...edits.flatMap((edit) => problemOf(edit, now)));
    }
    return problems;
  },
};

/** Text changed elsewhere in the file does no harm; the edit still fits. */
function problemOf(edit: { file: string; action: string; oldText: string; newText: string }, now: string) {
  const { file, action, oldText, newText } = edit;
  if (action === 'delete') return [{ file, message: 'the file changed after the proposal to delete it was made' }];
  const range = locateEdit(now, { oldText, newText });
  return 'reason' in range ? [{ file, message: `the text changed after the proposal was made: ${range.reason}` }] : [];
}
