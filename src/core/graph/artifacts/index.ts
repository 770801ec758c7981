import { jsonEntries, maximumDocumentBytes, yamlEntries } from './documents';
import type { ArtifactFacts } from './facts';
import { promptFileFacts } from './promptFile';
import { recognize } from './recognize';
import { structuredFacts } from './structuredFile';
import { tomlEntries } from './toml';

export type { ArtifactFacts, GraphLists } from './facts';
export { linkArtifacts } from './link';
export { lineCount } from './promptFile';
export { remembered } from './remembered';
export { shellFacts } from './shellScript';
export { templateNames, templateParts, tokenizeTemplate } from './templates';

/**
 * Facts of a prompt file, tool descriptor or agent configuration; null when the file is none of these or too large.
 * Never throws: files that do not parse yield what could be read of them. Text files that may be documentation come back
 * as candidates, which {@link linkArtifacts} removes again unless code names them.
 */
export function analyzeArtifact(path: string, text: string): ArtifactFacts | null {
  const kind = recognize(path);
  if (kind === 'none' || text.length > maximumDocumentBytes || text.includes('\0') || text.trim() === '') return null;
  if (isHandbookPage(path, text)) return null;
  switch (kind) {
    case 'prompt':
      return promptFileFacts(path, text, false);
    case 'candidate':
      return promptFileFacts(path, text, true);
    case 'yaml':
      return structuredFacts(path, yamlEntries(text));
    case 'json':
      return structuredFacts(path, jsonEntries(text));
    case 'toml':
      return structuredFacts(path, tomlEntries(text));
  }
}

/** Pages and map of a handbook that was written into the repository are about the harness, not part of it. */
function isHandbookPage(path: string, text: string): boolean {
  if (/(^|\/)(map|handbook)\.json$/.test(path)) return /^\{\s*"schemaVersion": 1,\s*"(harness|map)":/.test(text);
  if (/(^|\/)(units|stages)\/[^/]+-[0-9a-f]{6}\.md$/.test(path)) return true;
  return path.endsWith('index.md') && text.startsWith('# Handbook of ');
}
