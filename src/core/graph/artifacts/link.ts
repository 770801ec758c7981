import { append } from '../lists';
import type { GraphEdge, GraphNode } from '../model';
import { afterStar, CodeLiterals, maximumUsers } from './codeLiterals';
import { type GraphLists, promptsAndKeys } from './facts';
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
 * have `certain: false`. Takes out of the lists what turns out to be no part of the graph, such as the candidate text files
 * that no code names (documentation).
 *
 * @returns the new edges
 */
export function linkArtifacts(lists: GraphLists): GraphEdge[] {
  const modules = modulesOf(lists);
  const references = linkReferences(lists, modules);
  const code = new CodeLiterals(lists);
  const known = lists.edges;
  const edges = [
    ...references,
    ...linkFiles(lists, code),
    ...linkRendered(lists),
    ...linkConfiguration(lists, code),
    ...linkImportPaths(lists, code, modules),
    ...linkTools(lists, references),
    ...mergeKeys(lists),
  ];
  edges.push(...linkReaders(lists, edges));
  dropUnusedCandidates(lists, edges);
  dropUnusedScripts(lists, edges, code);
  return once(known, edges);
}

function linkFiles(lists: GraphLists, code: CodeLiterals): GraphEdge[] {
  const byName = new Map<string, GraphNode[]>();
  const files = new Set<string>();
  for (const node of promptsAndKeys(lists)) {
    if (node.kind !== 'prompt') continue;
    files.add(node.file);
    const name = node.file.slice(node.file.lastIndexOf('/') + 1);
    append(byName, name, node);
  }
  const edges: GraphEdge[] = [];
  for (const { fact, text, path, name } of code.paths(files)) {
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
  const ending = afterStar(path);
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

function dropUnusedCandidates({ artifacts }: GraphLists, edges: readonly GraphEdge[]): void {
  const used = new Set(edges.filter((edge) => edge.kind === 'uses-prompt').map((edge) => edge.to));
  const dropped = new Set<string>();
  for (const node of artifacts.nodes) {
    if (node.kind === 'prompt' && node.decorators?.includes(candidateMark) && !used.has(node.id)) dropped.add(node.id);
  }
  if (dropped.size === 0) return;
  artifacts.nodes = artifacts.nodes.filter(({ id }) => !dropped.has(id));
  artifacts.literals = artifacts.literals.map((list) => list.filter(({ owner }) => !dropped.has(owner)));
}

/** Shell scripts that run no tool and that nothing names build and deploy: they are no part of the harness. */
function dropUnusedScripts(lists: GraphLists, edges: readonly GraphEdge[], code: CodeLiterals): void {
  const scripts = new Set(lists.files.filter(({ language }) => language === 'shell').map(({ path }) => path));
  if (scripts.size === 0) return;
  const fileOf = (id: string) => id.split('#')[0]!;
  for (const { to } of edges) scripts.delete(fileOf(to));
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const withEnding = [...scripts].filter((path) => /\.\w+$/.test(path));
  const named = new Set(code.named(new Set(withEnding.map(nameOf))).map(({ text }) => nameOf(text)));
  for (const path of withEnding) if (named.has(nameOf(path))) scripts.delete(path);
  if (scripts.size === 0) return;
  const { artifacts } = lists;
  lists.files = lists.files.filter(({ path }) => !scripts.has(path));
  artifacts.nodes = artifacts.nodes.filter(({ file }) => !scripts.has(file));
  artifacts.literals = artifacts.literals.map((list) => list.filter(({ file }) => !scripts.has(file)));
}

/** New edges, each once: what was found in two ways keeps the surer one. */
function once(lists: GraphLists['edges'], edges: readonly GraphEdge[]): GraphEdge[] {
  const key = ({ from, to, kind, line }: GraphEdge) => `${from}\0${to}\0${kind}\0${line}`;
  const ends = new Set(edges.map(({ to }) => to));
  const files = new Set(edges.map(({ file }) => file));
  const known = new Set<string>();
  for (const list of lists)
    if (list[0] && files.has(list[0].file)) for (const edge of list) if (ends.has(edge.to)) known.add(key(edge));
  const found = new Map<string, GraphEdge>();
  for (const edge of edges) {
    const place = key(edge);
    if (known.has(place) || (found.has(place) && edge.certain === false)) continue;
    found.set(place, edge);
  }
  return [...found.values()];
}
