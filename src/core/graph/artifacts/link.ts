import type { GraphData, GraphEdge, GraphNode } from '../model';
import { type CodeLiteral, codeLiterals, maximumUsers } from './codeLiterals';
import { linkConfiguration } from './linkKeys';
import { linkReaders } from './linkReaders';
import { linkRendered } from './linkRendered';
import { candidateMark } from './promptFile';

/**
 * Joins artifacts to code: `uses-prompt` where code names a prompt file or reads a prompt key, `reads` where code reads a
 * configuration key, `implements-tool` from a described tool to the function of its name. Edges that rest on a shared name
 * have `certain: false`. Removes from `data` the candidate text files that no code names (documentation).
 */
export function linkArtifacts(data: GraphData): GraphEdge[] {
  const code = codeLiterals(data);
  const edges = [...linkFiles(data, code), ...linkRendered(data), ...linkConfiguration(data, code), ...linkTools(data)];
  edges.push(...linkReaders(data, edges));
  dropUnusedCandidates(data, edges);
  return edges;
}

function linkFiles(data: GraphData, code: readonly CodeLiteral[]): GraphEdge[] {
  const byName = new Map<string, GraphNode[]>();
  for (const node of data.nodes) {
    if (node.kind !== 'prompt') continue;
    const name = node.file.slice(node.file.lastIndexOf('/') + 1);
    byName.set(name, [...(byName.get(name) ?? []), node]);
  }
  const edges: GraphEdge[] = [];
  for (const { fact, text } of code) {
    const path = text.replace(/^\.?\.?\//, '').replace(/^(\.\.\/)+/, '');
    const name = path.slice(path.lastIndexOf('/') + 1);
    if (!/\.[a-z0-9]{1,8}$/i.test(name)) continue;
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
  return [...byName.values()].flat().filter((node) => pattern.test(node.file));
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

function linkTools(data: GraphData): GraphEdge[] {
  const implemented = new Set(data.edges.filter((edge) => edge.kind === 'implements-tool').map((edge) => edge.from));
  const byName = new Map<string, GraphNode[]>();
  for (const node of data.nodes) {
    if (node.kind !== 'function' && node.kind !== 'method' && node.kind !== 'class') continue;
    const key = toolKey(node.name);
    byName.set(key, [...(byName.get(key) ?? []), node]);
  }
  const edges: GraphEdge[] = [];
  const described = data.nodes.filter((node) => node.kind === 'tool' && /\.(ya?ml|json|toml)$/.test(node.file));
  for (const tool of described) {
    if (implemented.has(tool.id)) continue;
    const found = byName.get(toolKey(tool.name)) ?? [];
    if (found.length === 0 || found.length > 4) continue;
    for (const node of found) {
      edges.push({
        from: tool.id,
        to: node.id,
        kind: 'implements-tool',
        file: node.file,
        line: node.start,
        text: node.name,
        certain: found.length === 1,
      });
    }
  }
  return edges;
}

/** `ReadFileTool`, `run_read_file`, `readFile` and `read_file` are one key. */
function toolKey(name: string): string {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);
  if (words.length > 1 && /^(execute|run|handle|do|call|create|make|tool|cmd)$/.test(words[0] as string)) words.shift();
  if (words.length > 1 && /^(tool|command|action|handler|impl)$/.test(words.at(-1) as string)) words.pop();
  return words.join('_');
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
