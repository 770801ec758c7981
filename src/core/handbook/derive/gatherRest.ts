import type { GraphNode, ProgramGraph } from '../../graph';
import type { StageKind } from '../model';
import { isForeignFile, isTestFile } from '../vocabulary';
import { type Area, areaOf, centrality } from './areas';
import { type Draft, type Drafts, slug } from './drafts';
import { type Group, groupByFolder, roundedLimit } from './folders';
import { isFunction } from './reach';
import type { Relevance } from './relevance';
import { type Atom, areaTitle, folderOf, placeOf, reasonOf, titleOf } from './restTitles';
import type { Scope } from './scope';
import type { Sources } from './sources';

export interface RestInput {
  graph: ProgramGraph;
  sources: Sources;
  scope: Scope;
  relevance: Relevance;
  /** Files of other programs of the repository. */
  isApart: (file: string) => boolean;
}

/** A helper is no longer than this, and a unit takes in no more than these. */
const longestHelper = 60;
const mostHelpers = 6;
/** Units that a stage holds. */
const unitsOfStage = 12;
/** An area has this many functions at least, and is cut into about so many units unless it is small. */
const leastOfArea = 3;
const unitsOfArea = 3;
const smallArea = 16;

/** What has no other home: helpers go to their only caller, the rest is grouped by folder, file and class. */
export function gatherRest(drafts: Drafts, input: RestInput): void {
  adoptNested(drafts, input.graph, input.scope);
  adoptHelpers(drafts, input);
  const atoms = atomsOf(drafts, input);
  const weight = atoms.reduce((sum, atom) => sum + atom.weight, 0);
  const files = new Set(atoms.map((atom) => atom.file)).size;
  const limit = roundedLimit(weight / targetOf(files));
  const made: { draft: Draft; group: Group<Atom> }[] = [];
  const plain = gatherAreas(drafts, atoms, limit, input, made);
  for (const group of groupByFolder(plain, limit)) made.push({ draft: draftOf(drafts, group, input), group });
  fileStages(drafts, made, input.graph);
  adoptOutside(drafts, input);
}

/** How many units the rest of a repository of so many files is worth: a person reads a hundred, not a thousand. */
function targetOf(files: number): number {
  return Math.max(6, Math.min(120, 4 + files / 5));
}

/** A nested function, and a member of a class that is one unit, live where the code around them lives. */
function adoptNested(drafts: Drafts, graph: ProgramGraph, scope: Scope): void {
  for (const node of graph.data.nodes) {
    if (drafts.homeOf(node.id) || !scope.isInside(node.file)) continue;
    if (!isFunction(node) && node.kind !== 'attribute') continue;
    for (let at = node.qualname.lastIndexOf('.'); at > 0; at = node.qualname.lastIndexOf('.', at - 1)) {
      const around = graph.node(`${node.file}#${node.qualname.slice(0, at)}`);
      const home = around && (isFunction(around) || node.kind === 'attribute') ? drafts.homeOf(around.id) : undefined;
      const draft = home ? drafts.get(home) : undefined;
      if (draft) {
        drafts.adoptQuietly(draft, node.id);
        break;
      }
    }
  }
}

/** A short function of the same file that only one unit calls is a part of it. */
function adoptHelpers(drafts: Drafts, { graph, scope }: RestInput): void {
  const taken = new Map<string, number>();
  for (const node of graph.functions()) {
    if (drafts.homeOf(node.id) || !scope.isInside(node.file) || node.end - node.start >= longestHelper) continue;
    const callers = graph.in(node.id, 'calls').filter((edge) => edge.from !== node.id);
    const homes = new Set(callers.map((edge) => drafts.homeOf(edge.from) ?? ''));
    const [home] = homes;
    const draft = homes.size === 1 && home ? drafts.get(home) : undefined;
    if (!draft || draft.kind === 'other' || draft.kind === 'entry' || draft.kind === 'main_loop' || draft.region)
      continue;
    if (!draft.sites.some((site) => site.file === node.file)) continue;
    const count = (taken.get(draft.id) ?? 0) + 1;
    if (count > mostHelpers) continue;
    taken.set(draft.id, count);
    drafts.adopt(draft, node);
  }
}

function atomsOf(drafts: Drafts, { graph, scope, relevance }: RestInput): Atom[] {
  const atoms = new Map<string, Atom>();
  for (const file of [...graph.data.files].sort((a, b) => (a.path < b.path ? -1 : 1))) {
    if (!scope.isInside(file.path)) continue;
    const role = scope.role(file.path);
    const worth = role !== 'harness' ? 0.4 : relevance.ofFile(file.path) >= 2 ? 2 : 1;
    for (const node of graph.inFile(file.path)) {
      if (drafts.homeOf(node.id) || !isHomeless(node)) continue;
      const owner = ownerOf(node, graph);
      const key = `${file.path}#${owner}`;
      const atom: Atom = atoms.get(key) ?? {
        path: [...file.path.split('/'), owner],
        weight: 0,
        file: file.path,
        owner,
        nodes: [],
      };
      atom.nodes.push(node);
      if (isFunction(node)) atom.weight += worth;
      else if (node.kind !== 'attribute') atom.weight += 0.2 * worth;
      atoms.set(key, atom);
    }
  }
  return [...atoms.values()];
}

function isHomeless(node: GraphNode): boolean {
  return node.kind === 'class' || node.kind === 'variable' || node.kind === 'attribute' || isFunction(node);
}

/** Outermost class around a node, or the node itself when it is one; empty for the top level. */
function ownerOf(node: GraphNode, graph: ProgramGraph): string {
  const first = node.qualname.split('.')[0] ?? '';
  return graph.node(`${node.file}#${first}`)?.kind === 'class' ? first : '';
}

/** Units of what has the name of a well-known concern, the heart of each first. Returns what is left. */
function gatherAreas(
  drafts: Drafts,
  atoms: readonly Atom[],
  limit: number,
  input: RestInput,
  made: { draft: Draft; group: Group<Atom> }[],
): Atom[] {
  const byArea = new Map<Area, Atom[]>();
  const plain: Atom[] = [];
  for (const atom of atoms) {
    const members = atom.nodes.filter(isFunction).length;
    const area = input.isApart(atom.file) ? undefined : areaOf(atom.file, { name: atom.owner, members }, input.scope);
    if (area) byArea.set(area, [...(byArea.get(area) ?? []), atom]);
    else plain.push(atom);
  }
  for (const [area, own] of byArea) {
    // A name alone, without code behind it, is no part of the harness.
    if (own.reduce((sum, atom) => sum + atom.nodes.filter(isFunction).length, 0) < leastOfArea) {
      plain.push(...own);
      continue;
    }
    const weight = own.reduce((sum, atom) => sum + atom.weight, 0);
    const groups = groupByFolder(own, Math.max(limit, smallArea, roundedLimit(weight / unitsOfArea)));
    const ranked = groups.map((group) => ({ group, worth: worthOf(group, area, input) }));
    ranked.sort((a, b) => b.worth - a.worth);
    for (const { group } of ranked) made.push({ draft: draftOf(drafts, group, input, area), group });
  }
  return plain;
}

function worthOf(group: Group<Atom>, area: Area, { graph, relevance }: RestInput): number {
  const heart = Math.max(...group.items.flatMap((atom) => atom.nodes.map((node) => centralOf(node, area, graph))));
  const size = Math.log2(new Set(group.items.map((atom) => atom.file)).size);
  return heart + 0.6 * size + 0.5 * Math.max(...group.items.map((atom) => relevance.ofFile(atom.file)));
}

function centralOf(node: GraphNode, area: Area, graph: ProgramGraph): number {
  return centrality(node, graph.out(node.id, 'contains').length, area);
}

function draftOf(drafts: Drafts, group: Group<Atom>, { sources, graph }: RestInput, area?: Area): Draft {
  const heart = area && heartOf(group, area, graph);
  const place = area ? `${slug(area.title)}:${placeOf(group)}` : placeOf(group);
  const draft = drafts.open('other', group.rest ? `${place}/rest` : place, '', {
    title: area ? areaTitle(area, group, heart) : titleOf(group, graph),
    folder: folderOf(group),
    ...(area ? { area: area.title } : {}),
  });
  for (const atom of group.items) for (const node of atom.nodes) drafts.adoptQuietly(draft, node.id);
  const files = [...new Set(group.items.map((atom) => atom.file))];
  for (const file of files) addRuns(draft, file, drafts, graph, sources);
  if (draft.sites.length === 0) {
    const node = group.items[0]?.nodes[0] as GraphNode;
    drafts.addSite(draft, sources.site(node.file, node.qualname, node.start, node.start));
  }
  draft.reasons.push(reasonOf(group));
  if (heart) heartFirst(draft, heart);
  return draft;
}

/** What a group is the area by: where a click goes. */
function heartOf(group: Group<Atom>, area: Area, graph: ProgramGraph): GraphNode | undefined {
  const nodes = group.items.flatMap((atom) => atom.nodes).filter((node) => node.kind !== 'attribute');
  return nodes.sort((a, b) => centralOf(b, area, graph) - centralOf(a, area, graph) || (a.id < b.id ? -1 : 1))[0];
}

function heartFirst(draft: Draft, heart: GraphNode | undefined): void {
  const at = draft.sites.findIndex(
    (site) => heart && site.file === heart.file && site.start <= heart.start && heart.start <= site.end,
  );
  if (at > 0) draft.sites.unshift(...draft.sites.splice(at, 1));
}

/** Lines of a file that belong to a unit: runs of its definitions between those of other units. */
function addRuns(draft: Draft, file: string, drafts: Drafts, graph: ProgramGraph, sources: Sources): void {
  const tops = graph.inFile(file).filter((node) => isHomeless(node) && node.kind !== 'attribute');
  const shared = new Set(tops.filter((node) => node.kind === 'class' && isShared(node, tops, drafts)));
  const outermost = tops.filter((node) => !shared.has(node));
  if (tops.length > 0 && tops.every((node) => drafts.homeOf(node.id) === draft.id)) {
    draft.sites.push(sources.site(file, '', 1, sources.lines(file).length));
    return;
  }
  for (const node of shared) {
    const member = outermost.find((other) => other.start > node.start && other.end <= node.end && isFunction(other));
    if (drafts.homeOf(node.id) === draft.id && member && member.start > node.start)
      draft.sites.push(sources.site(file, node.qualname, node.start, member.start - 1));
  }
  let run: { first: GraphNode; end: number; count: number } | undefined;
  const close = (): void => {
    if (!run) return;
    const symbol = run.count === 1 ? run.first.qualname : '';
    draft.sites.push(sources.site(file, symbol, run.first.start, run.end));
    run = undefined;
  };
  for (const node of outermost) {
    if (run && node.end <= run.end) continue;
    if (drafts.homeOf(node.id) === draft.id) {
      if (run) Object.assign(run, { end: Math.max(run.end, node.end), count: run.count + 1 });
      else run = { first: node, end: node.end, count: 1 };
    } else close();
  }
  close();
}

/** A class some of whose members live in other units is shown member by member. */
function isShared(node: GraphNode, nodes: readonly GraphNode[], drafts: Drafts): boolean {
  const home = drafts.homeOf(node.id);
  const prefix = `${node.qualname}.`;
  return nodes.some((other) => other.qualname.startsWith(prefix) && drafts.homeOf(other.id) !== home);
}

/** A group that only one stage calls belongs to that stage; the others are subsystems, few enough to read. */
function fileStages(drafts: Drafts, made: readonly { draft: Draft; group: Group<Atom> }[], graph: ProgramGraph): void {
  const rest = new Set(made.map(({ draft }) => draft.id));
  const room = new Map<StageKind, number>();
  for (const draft of drafts.all()) if (!rest.has(draft.id)) room.set(draft.stage, (room.get(draft.stage) ?? 0) + 1);
  const left: { path: string[]; weight: number; draft: Draft }[] = [];
  for (const { draft, group } of made) {
    const stages = new Map<StageKind, number>();
    let calls = 0;
    for (const node of group.items.flatMap((atom) => atom.nodes)) {
      for (const edge of graph.in(node.id, 'calls')) {
        const home = drafts.get(drafts.homeOf(edge.from) ?? '');
        if (!home || home === draft) continue;
        calls++;
        if (!rest.has(home.id)) stages.set(home.stage, (stages.get(home.stage) ?? 0) + 1);
      }
    }
    const [best] = [...stages].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
    const has = best ? (room.get(best[0]) ?? 0) : 0;
    if (best && best[1] === calls && has < unitsOfStage) {
      draft.stage = best[0];
      room.set(best[0], has + 1);
    } else left.push({ path: (draft.folder ?? '.').split('/'), weight: 1, draft });
  }
  for (const stage of groupByFolder(left, unitsOfStage))
    for (const { draft } of stage.items) draft.folder = stage.path.join('/') || '.';
}

/** Built and generated code has a home too, but nobody reads it. */
function adoptOutside(drafts: Drafts, { graph, scope, sources }: RestInput): void {
  for (const node of graph.data.nodes) {
    if (!isHomeless(node) || drafts.homeOf(node.id) || scope.isInside(node.file)) continue;
    if (isTestFile(node.file)) continue;
    const draft = drafts.open('other', 'generated', '', { title: 'Built, generated and vendored code', folder: '.' });
    drafts.adoptQuietly(draft, node.id);
    if (draft.sites.length === 0) {
      drafts.addSite(draft, sources.site(node.file, node.qualname, node.start, node.start));
      draft.reasons.push(
        `${isForeignFile(node.file) ? 'not written here' : 'written by a tool'} (${node.file}:${node.start})`,
      );
    }
  }
}
