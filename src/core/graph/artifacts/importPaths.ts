import { moduleIn } from '../languages/python/modules';
import { append } from '../lists';
import type { GraphData, GraphEdge, GraphNode } from '../model';
import type { CodeLiteral } from './codeLiterals';
import type { NodesById } from './facts';

export interface ModuleIndex {
  /** Id of the class, function or variable that `package.module:name` or `package.module.name` means to a file. */
  find(text: string, fromFile: string): string | undefined;
}

/** Python modules of a graph by the ends of their paths. */
export function modulesOf(data: GraphData, ids: NodesById): ModuleIndex {
  const byLast = new Map<string, { path: string; module: string }[]>();
  for (const { path, language } of data.files) {
    if (language !== 'python') continue;
    const module = moduleIn(path);
    const last = module.slice(module.lastIndexOf('/') + 1);
    append(byLast, last, { path, module });
  }
  return {
    find(text, fromFile) {
      const cut = text.includes(':') ? text.indexOf(':') : text.lastIndexOf('.');
      const wanted = text.slice(0, cut).replaceAll('.', '/');
      const name = text.slice(cut + 1);
      const last = wanted.slice(wanted.lastIndexOf('/') + 1);
      const fitting = (byLast.get(last) ?? []).flatMap(({ path, module }) =>
        (module === wanted || module.endsWith(`/${wanted}`)) && ids.has(`${path}#${name}`) ? path : [],
      );
      const near = (path: string) => {
        let same = 0;
        while (same < path.length && path[same] === fromFile[same]) same += 1;
        return same;
      };
      const best = fitting.sort((a, b) => near(b) - near(a) || a.length - b.length)[0];
      return best ? `${best}#${name}` : undefined;
    },
  };
}

/**
 * A registry of import paths, such as `{'docker': 'pkg.environments.docker.DockerEnvironment'}`: whoever reads the variable
 * that holds it may make what it names.
 */
export function linkImportPaths(
  data: GraphData,
  byId: NodesById,
  code: readonly CodeLiteral[],
  modules: ModuleIndex,
): GraphEdge[] {
  const named = code.flatMap(({ fact, text, isImportPath }) => {
    const to = isImportPath ? modules.find(text, fact.file) : undefined;
    return to === undefined || byId.get(to)?.kind === 'variable' ? [] : { fact, text, to };
  });
  if (named.length === 0) return [];
  const variables = new Map<string, GraphNode[]>();
  const files = new Set(named.map(({ fact }) => fact.file));
  for (const node of data.nodes)
    if (node.kind === 'variable' && files.has(node.file)) append(variables, node.file, node);
  const holderOf = ({ file, start, end }: CodeLiteral['fact']) =>
    variables.get(file)?.find((variable) => variable.start <= start && end <= variable.end);
  const readers = new Map<string, GraphEdge[]>();
  for (const { fact } of named) {
    const holder = holderOf(fact);
    if (holder) readers.set(holder.id, []);
  }
  for (const edge of data.edges) if (edge.kind === 'reads') readers.get(edge.to)?.push(edge);
  const edges: GraphEdge[] = [];
  for (const { fact, text, to } of named) {
    const kind = byId.get(to)?.kind === 'class' ? 'constructs' : 'calls';
    const holder = holderOf(fact);
    const users = (holder && readers.get(holder.id)) ?? [];
    const own = { from: fact.owner, file: fact.file, line: fact.start };
    for (const { from, file, line } of users.length > 0 ? users : [own])
      edges.push({ from, to, kind, file, line, text, certain: false });
  }
  return edges;
}
