import { byPlace } from './compose';
import type { Hunk } from './model';

/**
 * Pairs of hunks of one file that cannot be taken independently: they share lines, or one would glue its last line
 * to the other. The later-numbered hunk comes second.
 */
export function findOverlaps(hunks: readonly Hunk[]): [Hunk, Hunk][] {
  const byFile = new Map<string, Hunk[]>();
  for (const hunk of hunks) byFile.set(hunk.file, [...(byFile.get(hunk.file) ?? []), hunk]);
  const pairs: [Hunk, Hunk][] = [];
  for (const group of byFile.values()) {
    const sorted = [...group].sort(byPlace);
    for (let first = 0; first < sorted.length; first++) {
      for (let second = first + 1; second < sorted.length; second++) {
        const a = sorted[first]!;
        const b = sorted[second]!;
        if (collide(a, b)) pairs.push(a.number < b.number ? [a, b] : [b, a]);
        else if (b.baseStart > a.baseStart + a.removed.length && endsLine(a)) break;
      }
    }
  }
  return pairs;
}

function collide(earlier: Hunk, later: Hunk): boolean {
  if (earlier.action !== 'replace' || later.action !== 'replace') return true;
  return later.baseStart < earlier.baseStart + earlier.removed.length || !endsLine(earlier);
}

function endsLine(hunk: Hunk): boolean {
  return hunk.newText === '' || hunk.newText.endsWith('\n');
}
