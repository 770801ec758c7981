import { checkEditPath, readEditable, type UnsavedTexts } from './editPaths';
import type { PlaceFacts } from './evidence';
import { splitLines, withEnding } from './lines';

/** Text of a file as a proposer is shown it. */
export interface FileExcerpt {
  file: string;
  text: string;
  /** What is special about it, to stand behind its name; empty for a whole file. */
  note: string;
}

const maximumFiles = 10;
const maximumWholeFile = 40_000;
const maximumTotal = 160_000;
/** Lines shown around a place of a file that is too long to be shown whole. */
const around = 80;

/** The texts of the files that places lie in, as they are now; files that must not be edited are left out. */
export async function siteTexts(
  root: string,
  places: readonly PlaceFacts[],
  protectedPatterns: readonly string[],
  unsaved?: UnsavedTexts,
): Promise<FileExcerpt[]> {
  const byFile = new Map<string, PlaceFacts[]>();
  for (const place of places) byFile.set(place.file, [...(byFile.get(place.file) ?? []), place]);
  const excerpts: FileExcerpt[] = [];
  let total = 0;
  for (const [path, own] of [...byFile].slice(0, maximumFiles)) {
    const checked = await checkEditPath(root, path, protectedPatterns);
    if ('reason' in checked) continue;
    const read = await readEditable(root, checked.file, unsaved);
    if ('reason' in read || read.text === null) continue;
    // Models copy text better without marks they cannot see; `fitLineEndings` puts line ends back.
    const text = withEnding(read.text.replace(/^\uFEFF/, ''), '\n');
    const excerpt =
      text.length <= maximumWholeFile ? { file: checked.file, text, note: '' } : partOf(checked.file, text, own);
    total += excerpt.text.length;
    if (total > maximumTotal) break;
    excerpts.push(excerpt);
  }
  return excerpts;
}

function partOf(file: string, text: string, places: readonly PlaceFacts[]): FileExcerpt {
  const lines = splitLines(text);
  const shown = new Set<number>();
  for (const place of places.slice(0, 5)) {
    for (let line = place.start - around; line <= Math.min(place.end, place.start + 200) + around; line++)
      shown.add(line);
  }
  let part = '';
  let gap = false;
  lines.forEach((line, index) => {
    if (shown.has(index + 1)) part += line.slice(0, 2_000);
    else if (!gap) part += `[... lines left out from line ${index + 1} ...]\n`;
    gap = !shown.has(index + 1);
  });
  return { file, text: part.slice(0, maximumWholeFile), note: `, parts of its ${lines.length} lines` };
}
