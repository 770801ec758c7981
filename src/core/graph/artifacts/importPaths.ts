import { moduleIn } from '../languages/python/modules';
import { append } from '../lists';
import type { GraphEdge, GraphNode } from '../model';
import type { CodeLiteral, CodeLiterals } from './codeLiterals';
import type { GraphLists } from './facts';
import { remembered, rememberedFor } from './remembered';

export interface ModuleIndex {
  /** Id of the class, function or variable that `package.module:name` or `package.module.name` means to a file. */
  find(text: string, fromFile: string): string | undefined;
}

/** Python modules of a graph by the ends of their paths. */
export function modulesOf({ files, ids }: GraphLists): ModuleIndex {
  let known: Map<string, Module[]> | undefined;
  return {
    find(text, fromFile) {
      known ??= pythonModules(files);
      const byLast = known;
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

interface Module {
  path: string;
  module: string;
}

function pythonModules(files: GraphLists['files']): Map<string, Module[]> {
  const byLast = new Map<string, Module[]>();
  for (const { path, language } of files) {
    if (language !== 'python') continue;
    const module = moduleIn(path);
    const last = module.slice(module.lastIndexOf('/') + 1);
    append(byLast, last, { path, module });
  }
  return byLast;
}

/**
 * A registry of import paths, such as `{'docker': 'pkg.environments.docker.DockerEnvironment'}`: whoever reads the variable
 * that holds it may make what it names.
 */
export function linkImportPaths(
  { ids, nodes, edges: lists }: GraphLists,
  code: CodeLiterals,
  modules: ModuleIndex,
): GraphEdge[] {
  const named = code.importPaths().flatMap(({ fact, text }) => {
    const to = modules.find(text, fact.file);
    return to === undefined || ids.get(to)?.kind === 'variable' ? [] : { fact, text, to };
  });
  if (named.length === 0) return [];
  const variables = new Map<string, GraphNode[]>();
  const files = new Set(named.map(({ fact }) => fact.file));
  for (const node of variablesIn(nodes)) if (files.has(node.file)) append(variables, node.file, node);
  const holderOf = ({ file, start, end }: CodeLiteral['fact']) =>
    variables.get(file)?.find((variable) => variable.start <= start && end <= variable.end);
  const readers = new Map<string, GraphEdge[]>();
  for (const { fact } of named) {
    const holder = holderOf(fact);
    if (holder) readers.set(holder.id, []);
  }
  for (const edge of readsOf(lists, new Set(readers.keys()))) readers.get(edge.to)!.push(edge);
  const edges: GraphEdge[] = [];
  for (const { fact, text, to } of named) {
    const kind = ids.get(to)?.kind === 'class' ? 'constructs' : 'calls';
    const holder = holderOf(fact);
    const users = (holder && readers.get(holder.id)) ?? [];
    const own = { from: fact.owner, file: fact.file, line: fact.start };
    for (const { from, file, line } of users.length > 0 ? users : [own])
      edges.push({ from, to, kind, file, line, text, certain: false });
  }
  return edges;
}

const variablesIn = remembered((nodes: readonly GraphNode[]) => nodes.filter(({ kind }) => kind === 'variable'));

const readsOf = rememberedFor(
  (edges: readonly GraphEdge[]) => edges.filter(({ kind }) => kind === 'reads'),
  (variables) =>
    ({ to }) =>
      variables.has(to),
);
