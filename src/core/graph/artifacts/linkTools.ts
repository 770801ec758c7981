import { append } from '../lists';
import type { GraphEdge, GraphNode } from '../model';
import type { GraphLists } from './facts';
import { remembered, rememberedByName } from './remembered';

/** A class of this name is a tool; one that is only called like it is an error, a result or a setting. */
const runs = /(Tool|Command|Action|Handler)$/;

/**
 * What runs the tools that a file describes: the script of their name in the folder of the file, else the function of their
 * name. `known` are edges that are not in the graph yet.
 */
export function linkTools(lists: GraphLists, known: readonly GraphEdge[]): GraphEdge[] {
  const implemented = new Set<string>();
  const declaring: GraphEdge[] = [];
  for (const list of [edgesOfTools(lists.edges), known]) {
    for (const edge of list) {
      if (edge.kind === 'implements-tool') implemented.add(edge.from);
      else if (edge.kind === 'declares-tool') declaring.push(edge);
    }
  }
  const edges = scriptsOf(lists, declaring);
  for (const { from } of edges) implemented.add(from);
  const nodes = [...lists.nodes, lists.shared, lists.artifacts.nodes];
  const described = tools(nodes).filter(({ file }) => /\.(ya?ml|json|toml)$/.test(file));
  const byName = new Map<string, GraphNode[]>();
  const names = new Set(described.map(({ name }) => toolKey(name)));
  for (const { node, name } of names.size > 0 ? runners(nodes, names) : []) append(byName, name, node);
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

/** Edges that say what a tool is and what runs it. */
export const edgesOfTools = remembered((edges: readonly GraphEdge[]) =>
  edges.filter((edge) => edge.kind === 'implements-tool' || edge.kind === 'declares-tool'),
);

const tools = remembered((nodes: readonly GraphNode[]) => nodes.filter(({ kind }) => kind === 'tool'));

/** What may run a tool, with its name in the form of {@link toolKey}. */
const runners = rememberedByName((nodes: readonly GraphNode[]) =>
  nodes.flatMap((node) => {
    const { kind, name } = node;
    const mayRun = kind === 'function' || kind === 'method' || (kind === 'class' && runs.test(name));
    return mayRun ? { node, name: toolKey(name) } : [];
  }),
);

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

/** `tools/search/config.yaml` describes what `tools/search/bin/find_file` does. */
function scriptsOf({ files, ids }: GraphLists, declaring: readonly GraphEdge[]): GraphEdge[] {
  const described = declaring.filter(({ from }) => /\.(ya?ml|json|toml)$/.test(from));
  if (described.length === 0) return [];
  const byName = new Map<string, string[]>();
  for (const { path } of files) {
    const name = path.slice(path.lastIndexOf('/') + 1).replace(/\.(py|sh|js|mjs|ts)$/, '');
    append(byName, name, path);
  }
  const edges: GraphEdge[] = [];
  for (const { from: file, to: tool } of described) {
    const folder = file.slice(0, file.lastIndexOf('/') + 1);
    const name = tool.slice('tool:'.length);
    const beside = (byName.get(name) ?? []).filter((path) => path !== file && folder !== '' && path.startsWith(folder));
    for (const path of beside.slice(0, 4)) {
      const main = [`${path}#main`, `${path}#${name}`].find((id) => ids.has(id)) ?? path;
      if (!ids.has(main)) continue;
      edges.push({ from: tool, to: main, kind: 'implements-tool', file: path, line: 1, text: name });
    }
  }
  return edges;
}
