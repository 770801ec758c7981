/** A line that two versions of a page do not share. */
export interface LineDifference {
  /** Line of the page on disk, from 1; where a missing line would stand, for one that is left out. */
  line: number;
  /** Heading above the line. */
  section: string;
  /** What the page says. */
  said?: string;
  /** What it should say. */
  instead?: string;
}

interface PlacedLine {
  text: string;
  section: string;
  line: number;
}

/**
 * Lines that a page says and the right page does not, paired with what it should say where the two begin alike; then
 * lines it leaves out; then, when all lines agree, the first one that stands at another place.
 */
export function lineDifferences(said: string, right: string): LineDifference[] {
  const [ours, theirs] = [placed(said), placed(right)];
  const extra = without(ours, theirs);
  const lost = without(theirs, ours);
  const differences: LineDifference[] = [];
  for (const { text, section, line } of extra) {
    const instead = bestMatch(text, section, lost);
    if (instead) lost.splice(lost.indexOf(instead), 1);
    differences.push({ line, section, said: text, ...(instead ? { instead: instead.text } : {}) });
  }
  for (const { text, section } of lost) {
    const heading = ours.find((one) => one.section === section);
    differences.push({ line: heading?.line ?? 1, section, instead: text });
  }
  if (differences.length > 0) return differences;
  const at = ours.findIndex((one, index) => one.text !== theirs[index]?.text);
  const moved = ours[at];
  return moved
    ? [{ line: moved.line, section: moved.section, said: moved.text, instead: theirs[at]?.text ?? '' }]
    : [{ line: 1, section: '', said: 'another layout of blank lines', instead: 'the same lines' }];
}

function placed(text: string): PlacedLine[] {
  let section = '';
  const lines: PlacedLine[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    section = /^## (.*)/.exec(line)?.[1] ?? section;
    if (line.trim() !== '') lines.push({ text: line, section, line: index + 1 });
  }
  return lines;
}

/** Lines of one list that the other has not, counted: a line that stands twice must stand twice there. */
function without(lines: readonly PlacedLine[], others: readonly PlacedLine[]): PlacedLine[] {
  const counts = new Map<string, number>();
  const key = ({ section, text }: PlacedLine) => `${section}\n${text}`;
  for (const other of others) counts.set(key(other), (counts.get(key(other)) ?? 0) + 1);
  return lines.filter((line) => {
    const left = counts.get(key(line)) ?? 0;
    if (left > 0) counts.set(key(line), left - 1);
    return left === 0;
  });
}

function bestMatch(text: string, section: string, lines: readonly PlacedLine[]): PlacedLine | undefined {
  let best: PlacedLine | undefined;
  let longest = Math.min(12, text.length / 3);
  for (const line of lines) {
    if (line.section !== section) continue;
    const length = commonStart(text, line.text) + commonStart(reversed(text), reversed(line.text));
    if (length > longest) [best, longest] = [line, length];
  }
  return best;
}

function reversed(text: string): string {
  return [...text].reverse().join('');
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
