import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../errors';
import { isMissing } from '../store';
import { type ArtifactFacts, analyzeArtifact, lineCount, shellFacts } from './artifacts';
import type { FileFacts } from './fileFacts';
import { hashText } from './hash';
import { languageOf } from './languages';
import type { PackageFact } from './languages/language';
import { type Outline, splitFacts } from './outline';
import { isPackageFile, readPackage } from './packages';
import { mayBeScript, scriptLanguage } from './scripts';
import { decodeText, reasonToSkip } from './textFiles';

/** Everything the index keeps of one file. */
export interface FileRecord {
  language: string;
  lines: number;
  facts: FileFacts | null;
  artifact: ArtifactFacts | null;
  package: PackageFact | null;
}

/** The part of a {@link FileRecord} that other files ask for. */
export interface OutlineRecord extends Omit<FileRecord, 'facts'> {
  facts: Outline | null;
}

/**
 * What became of one file. `record` is the JSON of an {@link OutlineRecord}, `body` that of the other facts, empty when
 * there are none: they go to the cache as they are.
 */
export const FileResult = z.discriminatedUnion('status', [
  z.object({
    status: z.literal('analyzed'),
    path: z.string(),
    hash: z.string(),
    record: z.string(),
    body: z.string(),
  }),
  z.object({ status: z.literal('unchanged'), path: z.string(), hash: z.string() }),
  z.object({ status: z.literal('skipped'), path: z.string(), reason: z.string() }),
  z.object({ status: z.literal('missing'), path: z.string() }),
]);
export type FileResult = z.infer<typeof FileResult>;

/** Whether the index has any use for a path; the rest is not read. */
export function isIndexed(path: string): boolean {
  return languageOf(path) !== undefined || isPackageFile(path) || artifactEndings.test(path) || mayBeScript(path);
}

const artifactEndings = /\.(md|mdx|txt|xml|ya?ml|jsonc?|toml|j2|jinja2?|prompt|hbs|mustache|liquid|tpl|tmpl|gotmpl)$/i;

/**
 * Reads and analyzes one file, unless its text still has the known hash.
 *
 * @param root absolute path of the harness
 */
export async function analyzeFile(root: string, path: string, knownHash: string | undefined): Promise<FileResult> {
  let bytes: Buffer;
  try {
    // Many small files: going through the thread pool takes longer than the reading.
    bytes = readFileSync(join(root, path));
  } catch (error) {
    if (isMissing(error)) return { status: 'missing', path };
    return { status: 'skipped', path, reason: `it cannot be read: ${messageOf(error)}` };
  }
  const text = decodeText(bytes);
  if (text === undefined) return { status: 'skipped', path, reason: 'it is binary' };
  const hash = hashText(text);
  if (hash === knownHash) return { status: 'unchanged', path, hash };
  const reason = languageOf(path) ? reasonToSkip(path, text) : undefined;
  if (reason) return { status: 'skipped', path, reason };
  try {
    return { status: 'analyzed', path, hash, ...packed(await recordOf(path, text)) };
  } catch (error) {
    // Readers of JSON, YAML and TOML recurse; one hostile file must not stop the index of all others.
    if (!(error instanceof RangeError)) throw error;
    return { status: 'skipped', path, reason: 'it is nested too deeply' };
  }
}

function packed({ facts, ...rest }: FileRecord): { record: string; body: string } {
  if (!facts) return { record: JSON.stringify({ ...rest, facts }), body: '' };
  const { outline, body } = splitFacts(facts);
  return { record: JSON.stringify({ ...rest, facts: outline } satisfies OutlineRecord), body: JSON.stringify(body) };
}

/** Facts of a text by the kind of its path. */
export async function recordOf(path: string, text: string): Promise<FileRecord> {
  const language = languageOf(path) ?? scriptLanguage(path, text);
  if (language && language !== 'shell') {
    const facts = await language.analyze(text);
    return { language: language.id, lines: facts.lines, facts, artifact: null, package: null };
  }
  if (language === 'shell') {
    return { language, lines: lineCount(text), facts: null, artifact: shellFacts(path, text), package: null };
  }
  const lines = text === '' ? 0 : text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
  return {
    language: textLanguage(path),
    lines,
    facts: null,
    artifact: analyzeArtifact(path, text),
    package: isPackageFile(path) ? readPackage(path, text) : null,
  };
}

const textLanguages = new Map([
  ['md', 'markdown'],
  ['mdx', 'markdown'],
  ['yml', 'yaml'],
  ['jsonc', 'json'],
  ['j2', 'jinja'],
  ['jinja2', 'jinja'],
  ['txt', 'text'],
]);

function textLanguage(path: string): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  return textLanguages.get(ending) ?? ending;
}
