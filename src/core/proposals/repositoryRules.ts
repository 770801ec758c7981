import { checkEditPath, readEditable } from './editPaths';
import type { FileExcerpt } from './siteTexts';

/** Files in which people tell agents how to work in a repository, most usual first. */
const names = ['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md', '.cursorrules'];
const longest = 8_000;

/** The first of these files that a repository has; null when it has none. */
export async function repositoryRules(root: string): Promise<FileExcerpt | null> {
  for (const name of names) {
    const path = await checkEditPath(root, name, []);
    if ('reason' in path) continue;
    const read = await readEditable(root, path.file);
    if ('reason' in read || !read.text?.trim()) continue;
    const isLong = read.text.length > longest;
    return { file: name, text: read.text.slice(0, longest), note: isLong ? ', its beginning' : '' };
  }
  return null;
}
