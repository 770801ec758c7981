export interface MarkedPiece {
  text: string;
  marked: boolean;
}

/** Marks of one text; more would make the page slow and help nobody. */
const mostMarks = 2000;

/** The words of a search in lower case; what stands in quotes is one word. */
export function searchWords(text: string): string[] {
  const words = [...text.matchAll(/"([^"]+)"|(\S+)/g)].map((match) => match[1] ?? match[2]!);
  return words.map((word) => word.toLowerCase()).filter((word) => word !== '"');
}

/** A text cut where one of the words begins or ends, in any case. The pieces together are the text. */
export function markedPieces(text: string, words: readonly string[]): MarkedPiece[] {
  const wanted = words.filter(Boolean);
  if (wanted.length === 0 || text === '') return [{ text, marked: false }];
  const pattern = new RegExp(
    [...wanted]
      .sort((a, b) => b.length - a.length)
      .map(escaped)
      .join('|'),
    'gi',
  );
  const pieces: MarkedPiece[] = [];
  let from = 0;
  for (const match of text.matchAll(pattern)) {
    if (pieces.length >= mostMarks * 2) break;
    if (match.index > from) pieces.push({ text: text.slice(from, match.index), marked: false });
    pieces.push({ text: match[0], marked: true });
    from = match.index + match[0].length;
  }
  if (from < text.length) pieces.push({ text: text.slice(from), marked: false });
  return pieces;
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
