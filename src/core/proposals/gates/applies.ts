import { locateEdit } from '../locateEdit';
import { findOverlaps } from '../overlaps';
import type { Gate, GateProblem } from './gate';

/** Every edit fits the text it was made for, and every hunk can be taken without the others. */
export const applies: Gate = {
  id: 'applies',
  check({ proposal, baseTexts, hunks }) {
    const problems: GateProblem[] = [];
    for (const { file, action, oldText, newText } of proposal.decisions.flatMap((one) => one.edits)) {
      const base = baseTexts.get(file) ?? null;
      if (action === 'create' && base !== null) problems.push({ file, message: 'the file exists already' });
      if (action !== 'create' && base === null) problems.push({ file, message: 'the file does not exist' });
      if (action !== 'replace' || base === null) continue;
      const range = locateEdit(base, { oldText, newText });
      if ('reason' in range) problems.push({ file, message: range.reason });
    }
    for (const [a, b] of findOverlaps(hunks)) {
      const message = `hunks ${a.number} and ${b.number} change the same lines`;
      problems.push({ file: b.file, line: b.baseStart, message });
    }
    return problems;
  },
};
