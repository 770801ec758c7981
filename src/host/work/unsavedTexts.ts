import { readEditable, type UnsavedTexts } from '../../core/proposals';

/**
 * Texts of an editor as they would stand in the files: an editor keeps the byte order mark to itself, and a text without
 * it would differ from the file in its first line.
 */
export async function unsavedTexts(root: string, texts: Record<string, string> = {}): Promise<UnsavedTexts> {
  const found = new Map<string, string>();
  for (const [file, text] of Object.entries(texts)) {
    const saved = await readEditable(root, file);
    const hasMark = 'text' in saved && saved.text?.startsWith('\uFEFF') && !text.startsWith('\uFEFF');
    found.set(file, hasMark ? `\uFEFF${text}` : text);
  }
  return found;
}
