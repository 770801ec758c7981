import type { GraphNode } from '../model';
import { type ArtifactFacts, type Entry, keyOf, stringUnder } from './facts';
import { firstWords, placeholders } from './promptFile';
import { isAgentConfiguration, isPromptText } from './recognize';
import { bindingsIn, referenceOf } from './references';
import { templateParts } from './templates';

/** More keys than this in one file is data, not configuration. */
const maximumKeys = 400;
const argumentKeys = ['parameters', 'arguments', 'input_schema', 'inputSchema', 'args', 'signature'];

/** Prompts, tool descriptors and configuration keys of a YAML, JSON or TOML file; null when it holds none. */
export function structuredFacts(path: string, entries: readonly Entry[]): ArtifactFacts | null {
  const facts: ArtifactFacts = { nodes: [], edges: [], literals: [] };
  const firstKeys = entries.flatMap((entry) => [
    lastKey(entry),
    ...(entry.value.kind === 'map' ? entry.value.entries.map(lastKey) : []),
  ]);
  const configuration = isAgentConfiguration(path, firstKeys);
  const root = toolOf(path, '', { start: 1, end: 1 }, entries);
  if (root && entries.length > 0) {
    addTool(facts, path, { ...root, start: entries[0]?.start ?? 1, end: entries.at(-1)?.end ?? 1 }, entries);
  } else {
    for (const entry of entries) visit(facts, path, entry, '', configuration);
  }
  const keys = facts.nodes.filter((node) => node.kind === 'config');
  if (keys.length > maximumKeys) facts.nodes = facts.nodes.filter((node) => node.kind !== 'config');
  return facts.nodes.length === 0 ? null : facts;
}

function visit(facts: ArtifactFacts, path: string, entry: Entry, parent: string, configuration: boolean): void {
  if (entry.value.kind === 'map') {
    const tool = toolOf(path, parent, entry, entry.value.entries, lastKey(entry));
    if (tool) {
      addTool(facts, path, tool, entry.value.entries);
      return;
    }
    if (configuration) facts.edges.push(...bindingsIn(path, entry.value.entries));
  }
  if (entry.value.kind !== 'scalar') {
    const here = lastKey(entry).startsWith('[') ? parent : lastKey(entry);
    const lists = entry.value.kind === 'list';
    if (lists && configuration && !entry.path.some(isPosition) && !hasMaps(entry.value.entries))
      addKey(facts, path, entry);
    for (const child of entry.value.entries) visit(facts, path, child, here, configuration);
    return;
  }
  const { value } = entry.value;
  const named = configuration && typeof value === 'string' ? referenceOf(path, value) : undefined;
  if (named) {
    const from = entry.path.some(isPosition) ? path : `config:${path}#${keyOf(entry.path)}`;
    facts.edges.push({ from, to: named, kind: 'binds', file: path, line: entry.start });
  }
  if (typeof value === 'string' && configuration && isPromptText(entry.path, value))
    addPrompt(facts, path, entry, value);
  else if (configuration && !entry.path.some(isPosition)) addKey(facts, path, entry);
}

function addPrompt(facts: ArtifactFacts, path: string, entry: Entry, value: string): void {
  const qualname = keyOf(entry.path);
  const id = `prompt:${path}#${qualname}`;
  const style = 'prompt';
  facts.nodes.push({
    id,
    kind: 'prompt',
    name: lastKey(entry),
    qualname,
    file: path,
    start: entry.start,
    end: entry.end,
    signature: placeholders(value, style),
    doc: firstWords(value),
  });
  const parts = templateParts(value, style);
  if (parts.length > 0) facts.literals.push({ file: path, start: entry.valueStart, end: entry.end, owner: id, parts });
}

function addKey(facts: ArtifactFacts, path: string, entry: Entry): void {
  const qualname = keyOf(entry.path);
  const source = entry.value.kind === 'map' ? '' : entry.value.source;
  facts.nodes.push({
    id: `config:${path}#${qualname}`,
    kind: 'config',
    name: lastKey(entry),
    qualname,
    file: path,
    start: entry.start,
    end: entry.end,
    detail: source.replace(/\s+/g, ' ').slice(0, 200),
  });
}

type FoundTool = { name: string; description: string; start: number; end: number };

/**
 * A descriptor is a map with a name, a description and something about its arguments. The name may be the key itself
 * below `tools` or `commands`, as SWE-agent bundles have it (`docstring`, `signature`).
 */
function toolOf(
  _path: string,
  parent: string,
  range: { start: number; end: number },
  entries: readonly Entry[],
  key?: string,
): FoundTool | null {
  const description = stringUnder(entries, 'description') ?? stringUnder(entries, 'docstring');
  const hasArguments = entries.some((entry) => argumentKeys.includes(lastKey(entry)));
  const below = /^(tools|commands|functions)$/i.test(parent) && key !== undefined && !isPosition(key) ? key : undefined;
  const name = stringUnder(entries, 'name') ?? below;
  if (name === undefined || description === undefined || !hasArguments || !/^[\w.:/-]{1,80}$/.test(name)) return null;
  return { name, description, start: range.start, end: range.end };
}

function addTool(facts: ArtifactFacts, path: string, tool: FoundTool, entries: readonly Entry[]): void {
  const id = `tool:${tool.name}`;
  const node: GraphNode = {
    id,
    kind: 'tool',
    name: tool.name,
    qualname: tool.name,
    file: path,
    start: tool.start,
    end: tool.end,
    detail: tool.description.slice(0, 2000),
    signature: argumentNames(entries).join(', '),
  };
  facts.nodes.push(node);
  facts.edges.push({ from: path, to: id, kind: 'declares-tool', file: path, line: tool.start });
  const parts = templateParts(tool.description, 'prompt');
  const described = entries.find((entry) => ['description', 'docstring'].includes(lastKey(entry)));
  if (parts.length > 0 && described) {
    facts.literals.push({ file: path, start: described.start, end: described.end, owner: id, parts });
  }
}

/** Names of the arguments of a descriptor: JSON Schema properties, or a list of `{name}`. */
function argumentNames(entries: readonly Entry[]): string[] {
  for (const entry of entries) {
    if (!argumentKeys.includes(lastKey(entry)) || entry.value.kind === 'scalar') continue;
    const properties = entry.value.entries.find((child) => lastKey(child) === 'properties')?.value;
    if (properties?.kind === 'map') return properties.entries.map(lastKey);
    if (entry.value.kind === 'map') return entry.value.entries.map(lastKey);
    return entry.value.entries.flatMap((item) =>
      item.value.kind === 'map' ? (stringUnder(item.value.entries, 'name') ?? []) : [],
    );
  }
  return [];
}

function hasMaps(entries: readonly Entry[]): boolean {
  return entries.some((entry) => entry.value.kind === 'map');
}

function isPosition(part: string): boolean {
  return part.startsWith('[');
}

function lastKey(entry: Entry): string {
  return entry.path.at(-1) ?? '';
}
