import { type Node as JsonNode, parseTree } from 'jsonc-parser';
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Pair,
  parseAllDocuments,
  type Node as YamlNode,
} from 'yaml';
import { type Entry, type EntryValue, lineAt, lineStarts } from './facts';

/** Files above this size are data, not configuration. */
export const maximumDocumentBytes = 400_000;
const maximumDepth = 12;

/** The entries of a YAML file with exact lines; of several documents in one file all are read. Broken parts are left out. */
export function yamlEntries(text: string): Entry[] {
  const lineCounter = new LineCounter();
  const lineOf = (offset: number): number => Math.max(1, lineCounter.linePos(offset).line);
  const documents = parseAllDocuments(text, {
    lineCounter,
    logLevel: 'silent',
    uniqueKeys: false,
    keepSourceTokens: false,
  });
  const entries: Entry[] = [];
  for (const document of Array.isArray(documents) ? documents : []) {
    if (isMap(document.contents) || isSeq(document.contents)) {
      entries.push(...yamlChildren(document.contents, [], text, lineOf, 0));
    }
  }
  return entries;
}

function yamlChildren(
  node: YamlNode,
  path: string[],
  text: string,
  lineOf: (o: number) => number,
  depth: number,
): Entry[] {
  if (depth > maximumDepth) return [];
  const entries: Entry[] = [];
  const add = (part: string, keyNode: unknown, valueNode: unknown): void => {
    const value = valueNode as YamlNode | null;
    if (value === null || isAlias(value) || !value.range) return;
    const keyRange = (keyNode as YamlNode | null)?.range;
    const start = lineOf(keyRange?.[0] ?? value.range[0]);
    // The value of a block string ends with its line break, which belongs to the last line of the text.
    const lastOffset = value.range[1] - (text[value.range[1] - 1] === '\n' ? 1 : 0);
    const end = Math.max(start, lineOf(Math.max(value.range[0], lastOffset)));
    const block = isScalar(value) && (value.type === 'BLOCK_LITERAL' || value.type === 'BLOCK_FOLDED');
    const valueStart = block ? Math.min(end, lineOf(value.range[0]) + 1) : lineOf(value.range[0]);
    const childPath = [...path, part];
    entries.push({ path: childPath, start, end, valueStart, value: yamlValue(value, childPath, text, lineOf, depth) });
  };
  if (isMap(node)) {
    for (const pair of node.items as Pair[]) {
      const key = isScalar(pair.key) ? String(pair.key.value) : undefined;
      if (key !== undefined) add(key, pair.key, pair.value);
    }
  } else if (isSeq(node)) {
    for (const [index, item] of node.items.entries()) add(`[${index}]`, null, item);
  }
  return entries;
}

function yamlValue(
  node: YamlNode,
  path: string[],
  text: string,
  lineOf: (o: number) => number,
  depth: number,
): EntryValue {
  const source = text.slice(node.range?.[0] ?? 0, node.range?.[1] ?? 0).trim();
  if (isMap(node)) return { kind: 'map', entries: yamlChildren(node, path, text, lineOf, depth + 1) };
  if (isSeq(node)) return { kind: 'list', entries: yamlChildren(node, path, text, lineOf, depth + 1), source };
  return { kind: 'scalar', value: scalar(isScalar(node) ? node.value : null), source };
}

/** The entries of a JSON file, comments and trailing commas allowed. */
export function jsonEntries(text: string): Entry[] {
  const root = parseTree(text, [], { allowTrailingComma: true });
  if (!root) return [];
  return jsonChildren(root, [], text, lineStarts(text), 0);
}

function jsonChildren(node: JsonNode, path: string[], text: string, starts: number[], depth: number): Entry[] {
  if (depth > maximumDepth) return [];
  const entries: Entry[] = [];
  (node.children ?? []).forEach((child, index) => {
    const value = node.type === 'object' ? child.children?.[1] : child;
    if (!value) return;
    const part = node.type === 'object' ? String(child.children?.[0]?.value) : `[${index}]`;
    const childPath = [...path, part];
    entries.push({
      path: childPath,
      start: lineAt(starts, child.offset),
      end: lineAt(starts, value.offset + Math.max(0, value.length - 1)),
      valueStart: lineAt(starts, value.offset),
      value: jsonValue(value, childPath, text, starts, depth),
    });
  });
  return entries;
}

function jsonValue(node: JsonNode, path: string[], text: string, starts: number[], depth: number): EntryValue {
  const source = text.slice(node.offset, node.offset + node.length);
  if (node.type === 'object') return { kind: 'map', entries: jsonChildren(node, path, text, starts, depth + 1) };
  if (node.type === 'array')
    return { kind: 'list', entries: jsonChildren(node, path, text, starts, depth + 1), source };
  return { kind: 'scalar', value: scalar(node.value), source };
}

function scalar(value: unknown): string | number | boolean | null {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return value;
  return value === null || value === undefined ? null : String(value);
}
