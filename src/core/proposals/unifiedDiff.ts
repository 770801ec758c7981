import { formatPatch, structuredPatch } from 'diff';
import { composeFile } from './compose';
import type { StoredProposal } from './proposalStore';

/**
 * Hunks of a proposal as a unified diff against their base, in the form `git apply` takes. Files are in the order of
 * the proposal; empty when the hunks change nothing.
 */
export function exportUnifiedDiff(stored: StoredProposal, numbers?: Iterable<number>): string {
  const taken = new Set(numbers ?? stored.hunks.map((hunk) => hunk.number));
  let diff = '';
  for (const [file, base] of stored.baseTexts) {
    const own = stored.hunks.filter((hunk) => hunk.file === file);
    const text = composeFile(base, own, taken);
    if (text !== base) diff += fileDiff(file, base, text);
  }
  return diff;
}

function fileDiff(file: string, base: string | null, text: string | null): string {
  const [before, after] = [quoted(`a/${file}`), quoted(`b/${file}`)];
  let header = `diff --git ${before} ${after}\n`;
  if (base === null) header += 'new file mode 100644\n';
  if (text === null) header += 'deleted file mode 100644\n';
  const patch = structuredPatch(file, file, base ?? '', text ?? '', undefined, undefined, { context: 3 });
  if (patch.hunks.length === 0) return header; // an empty file made or deleted
  const body = formatPatch(patch)
    .split('\n')
    .slice(firstHunkLine(formatPatch(patch)))
    .join('\n');
  return `${header}--- ${base === null ? '/dev/null' : before}\n+++ ${text === null ? '/dev/null' : after}\n${body}`;
}

function firstHunkLine(patch: string): number {
  return patch.split('\n').findIndex((line) => line.startsWith('@@ '));
}

/** Git quotes names with characters that would break the line; all others stand as they are. */
function quoted(name: string): string {
  return /["\\\t\n]/.test(name) ? JSON.stringify(name) : name;
}
