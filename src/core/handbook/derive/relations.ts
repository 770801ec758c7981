import type { GraphEdge, ProgramGraph } from '../../graph';
import type { Register } from '../model';
import type { Draft, Drafts } from './drafts';

/** What a unit depends on and what depends on it; lists without repeats, in source order. */
export interface Relations {
  calls: string[];
  callers: string[];
  /** Through an interface or by name alone: one of several candidates. */
  mayCall: string[];
  mayBeCalledBy: string[];
  prompts: string[];
  tools: string[];
  config: string[];
  registers: string[];
  /** Names of attributes and variables it reads and writes. */
  reads: string[];
  writes: string[];
  /** `model litellm.completion`: what it crosses to outside. */
  boundaries: string[];
}

type Link = { list: keyof Relations; value: string; file: string; line: number };

/** Relations of every unit, from the edges of the graph alone. An edge belongs to the home of its function and to the region around its line. */
export function relate(drafts: Drafts, graph: ProgramGraph, registers: readonly Register[]): Map<string, Relations> {
  const regions = regionsByFile(drafts.all());
  const links = new Map<string, Link[]>();
  const add = (unit: string, link: Link): void => {
    const known = links.get(unit);
    if (known) known.push(link);
    else links.set(unit, [link]);
  };
  for (const edge of graph.data.edges) {
    const units = unitsOf(edge, drafts, regions, graph);
    const target = graph.node(edge.to);
    if (!target || units.length === 0) continue;
    const list = listOf(edge, target.kind);
    if (!list) continue;
    const home = drafts.homeOf(edge.to);
    for (const unit of units) {
      if (list === 'calls') {
        if (!home || home === unit) continue;
        const certain = edge.certain !== false;
        add(unit, { list: certain ? 'calls' : 'mayCall', value: home, file: edge.file, line: edge.line });
        add(home, { list: certain ? 'callers' : 'mayBeCalledBy', value: unit, file: edge.file, line: edge.line });
        continue;
      }
      const value =
        list === 'boundaries'
          ? `${target.boundary ?? 'outside'} ${target.name}`
          : list === 'reads' || list === 'writes'
            ? target.qualname || target.name
            : target.id;
      add(unit, { list, value, file: edge.file, line: edge.line });
    }
  }
  for (const register of registers) {
    for (const { site } of register.sites) {
      for (const unit of unitsAt(site.file, site.symbol, site.start, drafts, regions)) {
        add(unit, { list: 'registers', value: register.id, file: site.file, line: site.start });
      }
    }
  }
  const relations = new Map<string, Relations>();
  for (const draft of drafts.all()) relations.set(draft.id, collect(links.get(draft.id) ?? [], draft));
  return relations;
}

function listOf(edge: GraphEdge, targetKind: string): keyof Relations | undefined {
  if (targetKind === 'boundary') return edge.kind === 'calls' || edge.kind === 'constructs' ? 'boundaries' : undefined;
  if (targetKind === 'config') return edge.kind === 'reads' ? 'config' : undefined;
  switch (edge.kind) {
    case 'calls':
    case 'constructs':
      return 'calls';
    case 'uses-prompt':
      return 'prompts';
    case 'declares-tool':
      return 'tools';
    case 'reads':
    case 'writes':
      return edge.kind;
    default:
      return undefined;
  }
}

function unitsOf(
  edge: GraphEdge,
  drafts: Drafts,
  regions: ReadonlyMap<string, Draft[]>,
  graph: ProgramGraph,
): string[] {
  const home = drafts.homeOf(edge.from);
  const symbol = graph.node(edge.from)?.qualname ?? '';
  const around = (regions.get(edge.file) ?? [])
    .filter((draft) => covers(draft, edge.file, symbol, edge.line))
    .map((draft) => draft.id);
  return [...new Set(home ? [home, ...around] : around)];
}

function unitsAt(
  file: string,
  symbol: string,
  line: number,
  drafts: Drafts,
  regions: ReadonlyMap<string, Draft[]>,
): string[] {
  const home = drafts.homeOf(`${file}#${symbol}`);
  const around = (regions.get(file) ?? [])
    .filter((draft) => covers(draft, file, symbol, line))
    .map((draft) => draft.id);
  return [...new Set(home ? [home, ...around] : around)];
}

function covers(draft: Draft, file: string, symbol: string, line: number): boolean {
  return draft.sites.some(
    (site) => site.file === file && site.symbol === symbol && site.start <= line && line <= site.end,
  );
}

function regionsByFile(drafts: readonly Draft[]): Map<string, Draft[]> {
  const regions = new Map<string, Draft[]>();
  for (const draft of drafts) {
    if (!draft.region && !draft.absorbed) continue;
    for (const file of new Set(draft.sites.map((site) => site.file)))
      regions.set(file, [...(regions.get(file) ?? []), draft]);
  }
  return regions;
}

function collect(links: readonly Link[], draft: Draft): Relations {
  const rank = new Map(draft.sites.map((site, index) => [site.file, index]));
  const sorted = [...links].sort(
    (a, b) =>
      (rank.get(a.file) ?? 99) - (rank.get(b.file) ?? 99) ||
      compare(a.file, b.file) ||
      a.line - b.line ||
      compare(a.value, b.value),
  );
  const pick = (list: keyof Relations): string[] => [
    ...new Set(sorted.filter((link) => link.list === list).map((link) => link.value)),
  ];
  const calls = pick('calls');
  const callers = pick('callers').sort();
  return {
    calls,
    callers,
    mayCall: pick('mayCall').filter((id) => !calls.includes(id)),
    mayBeCalledBy: pick('mayBeCalledBy')
      .filter((id) => !callers.includes(id))
      .sort(),
    prompts: pick('prompts'),
    tools: pick('tools'),
    config: pick('config'),
    registers: pick('registers'),
    reads: pick('reads'),
    writes: pick('writes'),
    boundaries: pick('boundaries'),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
