import type { GraphNode } from '../model';
import type { ArtifactFacts } from './facts';
import { type TemplateStyle, templateNames, templateParts } from './templates';

/** Prompt nodes that only count when code names their file carry this mark until the facts are linked. */
export const candidateMark = 'candidate';

/** A prompt node and its literal for a whole text file. Range: first to last line. */
export function promptFileFacts(path: string, text: string, candidate: boolean): ArtifactFacts {
  const style: TemplateStyle = /\.(j2|jinja2?|hbs|mustache|liquid)$/i.test(path) ? 'jinja' : 'prompt';
  const lines = lineCount(text);
  const name = skillName(path, text) ?? path.slice(path.lastIndexOf('/') + 1);
  const id = `prompt:${path}`;
  const node: GraphNode = {
    id,
    kind: 'prompt',
    name,
    qualname: '',
    file: path,
    start: 1,
    end: lines,
    signature: placeholders(text, style),
    doc: skillDescription(path, text) ?? firstWords(text),
  };
  if (candidate) node.decorators = [candidateMark];
  const parts = templateParts(text, style);
  const literals = parts.length === 0 ? [] : [{ file: path, start: 1, end: lines, owner: id, parts }];
  return { nodes: [node], edges: [], literals };
}

/** Skills all lie in a file of the same name: their front matter or their folder tells them apart. */
function skillName(path: string, text: string): string | undefined {
  if (!/(^|\/)SKILL\.md$/.test(path)) return undefined;
  const stated = /^---\r?\n(?:.*\r?\n){0,20}?name:[ \t]*["']?([^"'\r\n]+)/.exec(text)?.[1]?.trim();
  return stated || path.split('/').at(-2);
}

/** What a skill says it is for, by which the model chooses it; on one line, at most 240 characters. */
function skillDescription(path: string, text: string): string | undefined {
  if (!/(^|\/)SKILL\.md$/.test(path)) return undefined;
  const front = /^---\r?\n([\s\S]*?)\r?\n---/.exec(text)?.[1] ?? '';
  // A value may go on in lines that are further in, with or without a block mark.
  const stated = /^description:[ \t]*(?:[>|][-+]?)?[ \t]*(.*(?:\r?\n[ \t]+.*)*)/m.exec(front)?.[1];
  const words = stated
    ?.replace(/\s+/g, ' ')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2');
  return words ? words.slice(0, 240) : undefined;
}

/** `{task} {tools}`: the names a template needs, in order of first use; empty string when none. */
export function placeholders(text: string, style: TemplateStyle): string {
  return templateNames(text, style)
    .map((name) => `{${name}}`)
    .join(' ');
}

/** The first line with words, without markup, at most 120 characters. */
export function firstWords(text: string): string {
  const body = text.replace(/^---\n[\s\S]*?\n---\n/, '');
  const line = body.split('\n').find((candidate) => /\w{2,}/.test(candidate.replace(/\{[%#][^}]*\}/g, ''))) ?? '';
  return line
    .replace(/^[#>*\s-]+/, '')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, 120);
}

/** Number of lines of a text; a final line break starts no further line. */
export function lineCount(text: string): number {
  return Math.max(1, text.split('\n').length - (text.endsWith('\n') ? 1 : 0));
}
