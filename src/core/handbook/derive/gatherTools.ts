import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import { isTestFile, kindWords } from '../vocabulary';
import { plainness, toolKind } from './classify';
import type { Draft, Drafts } from './drafts';
import { isFunction } from './reach';
import type { Relevance } from './relevance';
import type { Scope } from './scope';
import type { Sources } from './sources';

export interface ToolInput {
  graph: ProgramGraph;
  sources: Sources;
  scope: Scope;
  relevance: Relevance;
  /** Files of other programs of the repository. */
  isApart: (file: string) => boolean;
}

interface FoundTool {
  node: GraphNode;
  kind: UnitKind;
  implementations: { node: GraphNode; reason: string }[];
  score: number;
  /** Something a person types, not the model: declared by commands only. */
  isCommand: boolean;
}

/** Places of commands: a folder of them, or a class named for one. */
const commandPlace = /(^|\/)(?:slash[-_]?)?commands?\/|Commands?(?:\.\w+)?$/;
const trades = ['tool_shell', 'tool_read', 'tool_edit', 'tool_write', 'tool_search', 'tool_submit', 'other'];

/** Tools of a trade with a unit of their own; the others share one. */
const maximumTools = 2;
/** Lines of a descriptor that are shown where it does not say where it ends. */
const descriptorLines = 12;

/**
 * Units of tools: the implementation first, then the descriptor the model sees. Returns the ids of the tools that the model
 * of the loop is offered, by trade and nearness to the loop; what only tests, examples, other programs or commands for
 * people declare is none of them.
 */
export function gatherTools(drafts: Drafts, input: ToolInput): string[] {
  const found = input.graph.data.nodes
    .filter((node) => node.kind === 'tool')
    .map((node) => toolOf(node, input))
    .filter((tool) => tool.implementations.length > 0 || input.scope.isInside(tool.node.file));
  const ofHarness = (tool: FoundTool): boolean =>
    [tool.node, ...tool.implementations.map((item) => item.node)].some(
      (node) => input.scope.role(node.file) === 'harness',
    );
  found.sort((a, b) => b.score - a.score || (a.node.id < b.node.id ? -1 : 1));
  const counts = new Map<UnitKind, number>();
  const best = new Map<UnitKind, number>();
  for (const tool of found) {
    const count = (counts.get(tool.kind) ?? 0) + 1;
    counts.set(tool.kind, count);
    best.set(tool.kind, best.get(tool.kind) ?? tool.score);
    // What an example shows is no tool of the harness.
    const own =
      ofHarness(tool) &&
      !tool.isCommand &&
      isOffered(tool, input) &&
      tool.kind !== 'other' &&
      count <= maximumTools &&
      tool.score >= (best.get(tool.kind) ?? 0) - 4;
    const draft = own
      ? drafts.open(tool.kind, tool.node.id, tool.node.name)
      : tool.isCommand
        ? drafts.open('other', 'commands', '', { title: 'Commands that a person types', stage: 'configure' })
        : drafts.open('other', `tools:${tool.kind}`, '', { title: moreTitle(tool.kind), stage: 'loop' });
    fill(drafts, draft, tool, input);
  }
  const offered = found.filter((tool) => !tool.isCommand && isOffered(tool, input));
  return offered.sort((a, b) => trades.indexOf(a.kind) - trades.indexOf(b.kind)).map((tool) => tool.node.id);
}

/** Whether the harness itself declares or implements it. */
function isOffered(tool: FoundTool, { graph, scope, isApart }: ToolInput): boolean {
  const files = [
    tool.node.file,
    ...tool.implementations.map((item) => item.node.file),
    ...graph.in(tool.node.id, 'declares-tool').map((edge) => edge.file),
  ];
  return files.some((file) => scope.role(file) === 'harness' && !isApart(file));
}

function moreTitle(kind: UnitKind): string {
  return kind === 'other' ? 'Other tools' : `More tools like ${kindWords[kind].title.toLowerCase()}`;
}

function toolOf(node: GraphNode, { graph, relevance, scope }: ToolInput): FoundTool {
  const implementations: FoundTool['implementations'] = [];
  for (const edge of graph.out(node.id, 'implements-tool')) {
    const target = graph.node(edge.to);
    if (!target || target.kind === 'boundary' || !scope.isInside(target.file)) continue;
    const reason = `\`${target.qualname}\` implements the tool \`${node.name}\` (${edge.file}:${edge.line})`;
    implementations.push({ node: target, reason });
  }
  for (const edge of graph.in(node.id, 'declares-tool')) {
    const maker = graph.node(edge.from);
    // A function that makes only this tool is part of it; one that makes several is a registry.
    if (!isFunction(maker) || !scope.isInside(maker.file)) continue;
    if (graph.out(maker.id, 'declares-tool').length > 1) continue;
    const reason = `\`${maker.qualname}\` makes the tool \`${node.name}\` (${maker.file}:${maker.start})`;
    implementations.push({ node: maker, reason });
  }
  const places = implementations.length > 0 ? implementations.map((item) => item.node) : [node];
  const worth = (place: GraphNode): number => (isFunction(place) ? relevance.of(place) : relevance.ofFile(place.file));
  // The same name in several places is several tools to the reader; the one nearest to the loop is the tool.
  implementations.sort((a, b) => worth(b.node) - worth(a.node) || (a.node.id < b.node.id ? -1 : 1));
  const score =
    0.7 * Math.max(...places.map(worth)) + 1.8 * plainness(node.name) + (implementations.length > 0 ? 1.5 : 0);
  const declared = graph.in(node.id, 'declares-tool').map((edge) => edge.from);
  const makers = [...declared, ...implementations.map((item) => item.node.id)].filter((id) => !isTestFile(fileOf(id)));
  const isCommand = makers.length > 0 && makers.every((id) => commandPlace.test(id.replace('#', '/')));
  return { node, kind: toolKind(node.name) ?? 'other', implementations, score, isCommand };
}

function fileOf(id: string): string {
  return id.split('#')[0] as string;
}

function fill(drafts: Drafts, draft: Draft, tool: FoundTool, { graph, sources, scope }: ToolInput): void {
  for (const { node, reason } of tool.implementations) {
    if (!drafts.adopt(draft, node, reason)) drafts.addSite(draft, sources.nodeSite(node));
  }
  if (!scope.isInside(tool.node.file)) drafts.adoptQuietly(draft, tool.node.id);
  else drafts.adopt(draft, tool.node, `declared as \`${tool.node.name}\` (${tool.node.file}:${tool.node.start})`);
  for (const edge of graph.in(tool.node.id, 'declares-tool')) {
    if (edge.file === tool.node.file || !scope.isInside(edge.file) || isFunction(graph.node(edge.from))) continue;
    const last = Math.min(sources.lines(edge.file).length, edge.line + descriptorLines);
    if (draft.sites.length < 8)
      drafts.addSite(draft, sources.site(edge.file, '', edge.line, Math.max(edge.line, last)));
  }
  if (draft.sites.length === 0) drafts.addSite(draft, sources.nodeSite(tool.node));
}
