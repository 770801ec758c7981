import type { GraphNode, ProgramGraph } from '../../graph';
import type { Register, RegisterSite } from '../model';
import type { FoundLoop } from './loops';
import type { Sources } from './sources';

/** Fields of one object, and how many of them at most. */
const field = /(?:this|self)\.([A-Za-z_$][\w$]*)\.([A-Za-z_$][\w$]*)/g;
const mostRegisters = 16;
const changes = 'append|extend|push|add|set|insert|update|unshift|splice|pop|shift|clear|delete';
const initial = /^(?:__init__|__post_init__|constructor|new)$/;

/**
 * State of the class of the loop that lies in an object it holds: `this.state.messages`, `self.state.iteration`. A field counts
 * when methods of the class both write and read it after it was made.
 */
export function objectRegisters(loop: FoundLoop, graph: ProgramGraph, sources: Sources): Register[] {
  const { node } = loop;
  const at = node.qualname.lastIndexOf('.');
  const owner = at === -1 ? undefined : graph.node(`${node.file}#${node.qualname.slice(0, at)}`);
  if (owner?.kind !== 'class') return [];
  const methods = graph
    .out(owner.id, 'contains')
    .map((edge) => graph.node(edge.to))
    .filter((member) => member?.kind === 'method') as GraphNode[];
  const found = new Map<string, RegisterSite[]>();
  for (const method of methods) {
    for (let line = method.start; line <= method.end; line++) {
      const text = (sources.lines(node.file)[line - 1] ?? '').replace(/(?:^|\s)(?:#|\/\/).*$/, '');
      for (const [whole, object, name] of text.matchAll(field)) {
        const key = `${object}.${name}`;
        const access = accessOf(text, whole, method);
        if (access === undefined) continue;
        const sites = found.get(key) ?? [];
        found.set(key, sites);
        const site = sources.site(node.file, method.qualname, line, line);
        if (!sites.some((other) => other.access === access && other.site.start === line)) sites.push({ access, site });
      }
    }
  }
  return [...found]
    .filter(([, sites]) => ['write', 'read'].every((access) => sites.some((site) => site.access === access)))
    .sort(([a, x], [b, y]) => y.length - x.length || (a < b ? -1 : 1))
    .slice(0, mostRegisters)
    .map(([name, sites]) => ({
      id: `register:${owner.id}.${name}`,
      name,
      owner: owner.qualname,
      scope: 'attribute' as const,
      sites,
    }));
}

/** What a line does with a field; undefined for a call of a method, which is no state. */
function accessOf(text: string, whole: string, method: GraphNode): RegisterSite['access'] | undefined {
  const after = text.slice(text.indexOf(whole) + whole.length);
  if (/^\s*(?:\(|<)/.test(after)) return undefined;
  const assigns = /^(?:\[[^\]]*\])?\s*(?:[-+*/|&]|\|\||\?\?)?=(?![=>])|^\s*(?:\+\+|--)/.test(after);
  if (assigns || new RegExp(`^\\??\\.(?:${changes})\\s*\\(`).test(after))
    return initial.test(method.name) ? 'init' : 'write';
  return 'read';
}
