import { createTwoFilesPatch } from 'diff';
import { composeFile } from './compose';
import type { StoredProposal } from './proposalStore';

/** How the files look different under two proposals, as a unified diff; empty when they propose the same texts. */
export function revisionDiff(earlier: StoredProposal, later: StoredProposal): string {
  const files = [...new Set([...earlier.baseTexts.keys(), ...later.baseTexts.keys()])];
  return files
    .map((file) => {
      // A file that one of them leaves alone stays as the other one found it.
      const a = proposedText(earlier, file) ?? later.baseTexts.get(file) ?? '';
      const b = proposedText(later, file) ?? earlier.baseTexts.get(file) ?? '';
      if (a === b) return '';
      return createTwoFilesPatch(`${earlier.proposal.id}/${file}`, `${later.proposal.id}/${file}`, a, b);
    })
    .join('');
}

/** Text of a file with all hunks; empty for a deleted one, undefined for one the proposal does not touch. */
function proposedText({ baseTexts, hunks }: StoredProposal, file: string): string | undefined {
  if (!baseTexts.has(file)) return undefined;
  const own = hunks.filter((hunk) => hunk.file === file);
  const numbers = own.map((hunk) => hunk.number);
  return composeFile(baseTexts.get(file) ?? null, own, numbers) ?? '';
}
