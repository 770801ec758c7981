import { append } from '../lists';
import type { GraphData, GraphEdge, GraphNode } from '../model';
import { type CodeLiteral, codeLiterals, maximumUsers } from './codeLiterals';
import { type GraphLists, retain } from './facts';
import { linkImportPaths, modulesOf } from './importPaths';
import { linkConfiguration } from './linkKeys';
import { linkReaders } from './linkReaders';
import { linkRendered } from './linkRendered';
import { linkTools } from './linkTools';
import { mergeKeys } from './mergeKeys';
import { candidateMark } from './promptFile';
import { linkReferences } from './references';

/**
 * Joins artifacts to code: `uses-prompt` where code names a prompt file or reads a prompt key, `reads` where code reads a
 * configuration key, `implements-tool` from a described tool to the function of its name. Edges that rest on a shared name
 * have `certain: false`. Removes from `data` the candidate text files that no code names (documentation).
 *
 * @param lists what `data` was joined of: lists that were seen before cost little
 */
export function linkArtifacts(data: GraphData, lists: GraphLists = copied(data)): GraphEdge[] {
  const byId = new Map<string, GraphNode>();
  for (const node of data.nodes) byId.set(node.id, node);
  const modules = modulesOf(data, byId);
  const references = linkReferences(data, lists, byId, modules);
  const code = codeLiterals(data, lists);
  const edges = [
    ...references,
    ...linkFiles(data, code),
    ...linkRendered(data, lists),
    ...linkConfiguration(data, lists, code),
    ...linkImportPaths(data, byId, code, modules),
    ...linkTools(data, lists, byId, references),
    ...mergeKeys(data),
  ];
  edges.push(...linkReaders(data, byId, edges));
  dropUnusedCandidates(data, edges);
  dropUnusedScripts(data, edges, code);
  return once(lists, edges);
}

/** The lists of a graph that nobody joined. */
function copied({ nodes, edges, literals }: GraphData): GraphLists {
  return { nodes: [[...nodes]], edges: [[...edges]], literals: [[...literals]] };
}

function linkFiles(data: GraphData, code: readonly CodeLiteral[]): GraphEdge[] {
  const byName = new Map<string, GraphNode[]>();
  for (const node of data.nodes) {
    if (node.kind !== 'prompt') continue;
    const name = node.file.slice(node.file.lastIndexOf('/') + 1);
    append(byName, name, node);
  }
  const edges: GraphEdge[] = [];
  for (const { fact, text, path } of code) {
    if (path === undefined) continue;
    const name = path.slice(path.lastIndexOf('/') + 1);
    // A literal such as `prompts/*.md` names every file of the pattern.
    const candidates = name.includes('*')
      ? matching(byName, path)
      : (byName.get(name) ?? []).filter((n) => endsWith(n.file, path));
    const nearest = name.includes('*') ? candidates : preferNear(candidates, fact.file);
    if (nearest.length === 0 || nearest.length > maximumUsers) continue;
    const certain = new Set(nearest.map((node) => node.file)).size === 1;
    for (const node of nearest) {
      edges.push({
        from: fact.owner,
        to: node.id,
        kind: 'uses-prompt',
        file: fact.file,
        line: fact.start,
        text,
        certain,
      });
    }
  }
  return edges;
}

function endsWith(file: string, path: string): boolean {
  return file === path || file.endsWith(`/${path}`);
}

function matching(byName: ReadonlyMap<string, GraphNode[]>, path: string): GraphNode[] {
  if (!/[^*./]/.test(path.slice(0, path.lastIndexOf('.')))) return [];
  const pattern = new RegExp(`(^|/)${path.split('*').map(escaped).join('[^/]*')}$`);
  const ending = path.slice(path.lastIndexOf('*') + 1);
  return [...byName].flatMap(([name, nodes]) =>
    name.endsWith(ending) ? nodes.filter((node) => pattern.test(node.file)) : [],
  );
}

function escaped(text: string): string {
  return text.replace(/[.+?^${}()|[\]\\]/g, '\\$&');
}

/** Of files with the same name, those with the longest folder in common with the code win. */
function preferNear(nodes: readonly GraphNode[], file: string): GraphNode[] {
  if (nodes.length < 2) return [...nodes];
  const shared = (node: GraphNode): number => {
    const a = node.file.split('/');
    const b = file.split('/');
    let count = 0;
    while (count < a.length && a[count] === b[count]) count++;
    return count;
  };
  const best = Math.max(...nodes.map(shared));
  return nodes.filter((node) => shared(node) === best);
}

function dropUnusedCandidates(data: GraphData, edges: readonly GraphEdge[]): void {
  const used = new Set(edges.filter((edge) => edge.kind === 'uses-prompt').map((edge) => edge.to));
  const dropped = new Set<string>();
  for (const node of data.nodes) {
    if (node.kind === 'prompt' && node.decorators?.includes(candidateMark) && !used.has(node.id)) dropped.add(node.id);
  }
  if (dropped.size === 0) return;
  data.nodes = data.nodes.filter((node) => !dropped.has(node.id));
  data.literals = data.literals.filter((literal) => !dropped.has(literal.owner));
}

/** Shell scripts that run no tool and that nothing names build and deploy: they are no part of the harness. */
function dropUnusedScripts(data: GraphData, edges: readonly GraphEdge[], code: readonly CodeLiteral[]): void {
  const scripts = new Set(data.files.filter(({ language }) => language === 'shell').map(({ path }) => path));
  if (scripts.size === 0) return;
  const fileOf = (id: string) => id.split('#')[0]!;
  for (const { to } of edges) scripts.delete(fileOf(to));
  const names = new Set([...scripts].map((path) => path.slice(path.lastIndexOf('/') + 1)));
  const named = new Set<string>();
  for (const { text } of scripts.size > 0 ? code : []) {
    const name = text.slice(text.lastIndexOf('/') + 1);
    if (names.has(name)) named.add(name);
  }
  for (const path of scripts)
    if (/\.\w+$/.test(path) && named.has(path.slice(path.lastIndexOf('/') + 1))) scripts.delete(path);
  if (scripts.size === 0) return;
  retain(data.nodes, ({ file }) => !scripts.has(file));
  retain(data.files, ({ path }) => !scripts.has(path));
  retain(data.literals, ({ file }) => !scripts.has(file));
}

/** New edges, each once: what was found in two ways keeps the surer one. */
function once(lists: GraphLists, edges: readonly GraphEdge[]): GraphEdge[] {
  const key = ({ from, to, kind, line }: GraphEdge) => `${from}\0${to}\0${kind}\0${line}`;
  const ends = new Set(edges.map(({ to }) => to));
  const files = new Set(edges.map(({ file }) => file));
  const known = new Set<string>();
  // The edges of a list stand in one file, unless nobody joined the graph.
  for (const list of lists.edges)
    if (lists.edges.length === 1 || (list[0] && files.has(list[0].file)))
      for (const edge of list) if (ends.has(edge.to)) known.add(key(edge));
  const found = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const place = key(edge);
    if (known.has(place) || (found.has(place) && edge.certain === false)) continue;
    found.set(place, edge);
  }
  return [...found.values()];
}
