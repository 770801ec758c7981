import type { GraphNode, ProgramGraph } from '../../graph';
import type { Register, RegisterSite } from '../model';
import { isFunction } from './reach';
import type { Sources } from './sources';

const stateFile = /(?:^|[\\/])([\w-]{3,}\.(?:json|jsonl|ya?ml|toml|md|txt|db))$/;
const writing = /\b(?:write_text|write|dump|dumps|writeFile\w*|appendFile\w*|save|WriteFile|safe_dump)\b/;
const reading = /\b(?:read_text|read|load|loads|open|readFile\w*|ReadFile|safe_load)\b/;
const openedToWrite = /\bopen\s*\([^()]*,\s*(?:mode\s*=\s*)?["'][wax][bt+]*["']/g;
const mostFiles = 12;

interface Use {
  node: GraphNode;
  line: number;
}

/** State kept on disk: files that functions near the loop write and read back, by the name in their text. */
export function fileRegisters(graph: ProgramGraph, sources: Sources, near: (id: string) => boolean): Register[] {
  const uses = new Map<string, Use[]>();
  for (const literal of graph.data.literals) {
    const name = stateFile.exec((literal.parts.at(-1) ?? '').trim())?.[1];
    const owner = name ? graph.node(literal.owner) : undefined;
    if (!name || !isFunction(owner) || !near(owner.id)) continue;
    const known = uses.get(name) ?? [];
    if (!known.some((use) => use.node === owner && use.line === literal.start))
      known.push({ node: owner, line: literal.start });
    uses.set(name, known);
  }
  const registers: Register[] = [];
  for (const [name, places] of [...uses].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const sites = places.flatMap((use) => accesses(use, sources));
    for (const node of new Set(places.map((use) => use.node)))
      sites.push(...throughHelpers(node, graph, sources, near));
    const kinds = new Set(sites.map((site) => site.access));
    if (!kinds.has('write') || !kinds.has('read')) continue;
    const owner = places[0]?.node.file ?? '';
    registers.push({ id: `register:file:${owner}#${name}`, name, owner, scope: 'file', sites });
  }
  return registers.slice(0, mostFiles);
}

function accesses({ node, line }: Use, sources: Sources): RegisterSite[] {
  const own = sources.lines(node.file)[line - 1] ?? '';
  // A path is often kept in a variable first; where its own line says what is done, other files of the function do not count.
  const says = reading.test(own) || writing.test(own);
  const text = says ? own : sources.text(node.file, node.start, node.end);
  const site = sources.site(node.file, node.qualname, line, line);
  const found: RegisterSite[] = [];
  if (reading.test(text.replace(openedToWrite, ''))) found.push({ access: 'read', site });
  if (writing.test(text)) found.push({ access: 'write', site });
  return found;
}

/** Calls of a function that reads or writes the file are accesses as well. */
function throughHelpers(
  helper: GraphNode,
  graph: ProgramGraph,
  sources: Sources,
  near: (id: string) => boolean,
): RegisterSite[] {
  const access = /^_?(?:save|write|update|store|record|append)/.test(helper.name)
    ? 'write'
    : /^_?(?:load|read|get)/.test(helper.name)
      ? 'read'
      : undefined;
  if (!access) return [];
  return graph.in(helper.id, 'calls').flatMap((edge): RegisterSite[] => {
    const from = graph.node(edge.from);
    if (!from || !near(edge.from)) return [];
    return [{ access, site: sources.site(edge.file, from.qualname, edge.line, edge.line) }];
  });
}
