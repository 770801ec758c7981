import { append } from '../lists';
import type { GraphEdge } from '../model';
import { type Entry, type GraphLists, isOpen, type NodesById, stringUnder } from './facts';
import type { ModuleIndex } from './importPaths';
import { edgesOfTools } from './linkTools';
import { remembered } from './remembered';

const pathEnding = /\.(md|mdx|txt|xml|ya?ml|jsonc?|toml|j2|jinja2?|prompt|hbs|py|sh|js|mjs|ts)$/i;
const pathShape = /^(?:\.{1,2}\/)*[\w@.-]+(?:\/[\w@.-]+)*\/?$/;
const importShape = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?::[A-Za-z_]\w*|(?:\.[A-Za-z_]\w*){2}|\.[A-Z]\w*)$/;

/**
 * What a value of a configuration file names, as the end of an edge that can only be known when all files are:
 * `path:FILE` from the folder of the file, `import:MODULE:NAME` for `package.module:name` and `package.module.Name`.
 */
export function referenceOf(file: string, value: string): string | undefined {
  if (value.length > 200) return undefined;
  if (pathShape.test(value) && (pathEnding.test(value) || /^\.{1,2}\//.test(value))) {
    const folder = file.split('/').slice(0, -1);
    for (const part of value.split('/')) {
      if (part === '..') folder.pop();
      else if (part !== '.' && part !== '') folder.push(part);
    }
    return `path:${folder.join('/')}`;
  }
  return importShape.test(value) ? `import:${value}` : undefined;
}

/** `{name, yaml_path, binding}`: the described tool, or the one of this name, is run by what is bound. */
export function bindingsIn(file: string, entries: readonly Entry[]): GraphEdge[] {
  const named = entries.flatMap(({ value, start }) => {
    const to = value.kind === 'scalar' && typeof value.value === 'string' ? referenceOf(file, value.value) : undefined;
    return to ? [{ to, line: start }] : [];
  });
  const bound = named.filter(({ to }) => to.startsWith('import:'));
  const tool = stringUnder(entries, 'name');
  const from = [
    ...named.flatMap(({ to }) => (to.startsWith('path:') ? [to] : [])),
    ...(tool !== undefined ? [`tool:${tool}`] : []),
  ];
  return bound.flatMap(({ to, line }) => from.map((end) => ({ from: end, to, kind: 'implements-tool', file, line })));
}

/** Takes the edges with open ends out of the graph; gives those whose ends could be found. */
export function linkReferences(lists: GraphLists, modules: ModuleIndex): GraphEdge[] {
  const { ids } = lists;
  const open = openEdges(lists.edges);
  if (open.length === 0) return [];
  lists.edges = lists.edges.map(withoutOpen);
  const toolsOf = new Map<string, string[]>();
  for (const { from, to, kind } of edgesOfTools(lists.edges)) if (kind === 'declares-tool') append(toolsOf, from, to);
  const found: GraphEdge[] = [];
  for (const edge of open) {
    if (edge.kind === 'implements-tool') {
      const tools = edge.from.startsWith('path:') ? (toolsOf.get(edge.from.slice(5)) ?? []) : [edge.from];
      const to = modules.find(edge.to.slice(7), edge.file);
      if (to) for (const from of tools) if (ids.has(from)) found.push({ ...edge, from, to });
      continue;
    }
    // More keys than a configuration has are no nodes: then the file itself names it.
    const from = ids.has(edge.from) ? edge.from : edge.file;
    for (const end of endsOf(edge, ids, toolsOf, modules)) found.push({ ...edge, ...end, from });
  }
  return found;
}

const closed = new WeakMap<readonly GraphEdge[], readonly GraphEdge[]>();

/** The same shorter list for the same list, so that what is read out of it is kept too. */
function withoutOpen(list: readonly GraphEdge[]): readonly GraphEdge[] {
  if (openEdges([list]).length === 0) return list;
  const known = closed.get(list) ?? list.filter((edge) => !isOpen(edge));
  closed.set(list, known);
  return known;
}

const openEdges = remembered((edges: readonly GraphEdge[]) => edges.filter(isOpen));

function endsOf(
  { to, file }: GraphEdge,
  ids: NodesById,
  toolsOf: ReadonlyMap<string, string[]>,
  modules: ModuleIndex,
): Pick<GraphEdge, 'to' | 'kind'>[] {
  if (to.startsWith('import:')) {
    const symbol = modules.find(to.slice(7), file);
    return symbol ? [{ to: symbol, kind: 'binds' }] : [];
  }
  const path = to.slice(5);
  for (const prompt of [`prompt:${path}`, `prompt:${path}/SKILL.md`])
    if (ids.has(prompt)) return [{ to: prompt, kind: 'uses-prompt' }];
  const tools = toolsOf.get(path);
  if (tools) return tools.map((tool) => ({ to: tool, kind: 'declares-tool' }));
  return ids.has(path) && path !== file ? [{ to: path, kind: 'binds' }] : [];
}
