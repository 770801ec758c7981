import type { GraphNode, ProgramGraph } from '../../graph';
import type { Draft, Drafts } from '../derive/drafts';
import type { Sources } from '../derive/sources';
import { type OverlayPlacement, StageKind } from '../model';
import { UnitFinder } from './find';
import type { HandbookOverlay, OverlayEntry } from './model';

export interface Placed {
  placement: OverlayPlacement;
  /** The entry of each unit, by the id of the unit. */
  entries: Map<string, OverlayEntry>;
  /** Units that are parts of others now, or that gave their last definition away. */
  absorbed: Draft[];
}

/**
 * Gives units and definitions the place and the title that people and models chose, before relations are computed. What
 * cannot be placed is listed and changes nothing; every definition keeps exactly one home.
 */
export function placeOverlay(drafts: Drafts, overlay: HandbookOverlay, graph: ProgramGraph, sources: Sources): Placed {
  const finder = new UnitFinder(drafts, graph);
  const placement: OverlayPlacement = { placed: {}, merged: {}, moved: {}, orphans: [] };
  const entries = new Map<string, OverlayEntry>();
  const placed: Placed = { placement, entries, absorbed: [] };
  const keys = Object.keys(overlay.units).sort();
  const units = new Map<string, Draft>();
  const taken = new Set(keys.filter((key) => drafts.get(key)));
  for (const key of keys) {
    const entry = overlay.units[key] as OverlayEntry;
    const unit = finder.unit(key, entry, taken);
    if (!unit) {
      const title = entry.title ?? entry.model?.title;
      placement.orphans.push({ key, ...(title ? { title } : {}), why: 'the source has no such unit any more' });
      continue;
    }
    taken.add(unit.id);
    units.set(key, unit);
    entries.set(unit.id, entry);
    placement.placed[key] = unit.id;
    const title = entry.title ?? entry.model?.title;
    if (title) unit.title = title;
  }
  const target = (key: string): Draft | undefined => units.get(key) ?? drafts.get(key);
  moveMembers(drafts, overlay, finder, target, placed, graph, sources);
  moveToStages(drafts, units, entries, placement);
  merge(drafts, units, entries, target, placed);
  return placed;
}

function moveMembers(
  drafts: Drafts,
  overlay: HandbookOverlay,
  finder: UnitFinder,
  target: (key: string) => Draft | undefined,
  { placement, absorbed }: Placed,
  graph: ProgramGraph,
  sources: Sources,
): void {
  for (const [id, { unit: key }] of Object.entries(overlay.members ?? {}).sort(([a], [b]) => (a < b ? -1 : 1))) {
    const node = finder.node(id);
    const unit = target(key);
    const home = node ? drafts.get(drafts.homeOf(node.id) ?? '') : undefined;
    if (!node || !unit || !home) {
      const why = !node || !home ? 'the source has no such definition any more' : `its unit ${key} is gone`;
      placement.orphans.push({ key: id, why });
      continue;
    }
    placement.moved[id] = unit.id;
    if (home === unit) continue;
    const before = { ...home };
    moveNode(drafts, node, home, unit, graph, sources);
    if (home.sites.length === 0) absorbed.push(before);
  }
}

/** Moves a definition with what is defined inside it and lives in the same unit. */
function moveNode(
  drafts: Drafts,
  node: GraphNode,
  from: Draft,
  to: Draft,
  graph: ProgramGraph,
  sources: Sources,
): void {
  const inside = graph
    .inFile(node.file)
    .filter((other) => other.id === node.id || other.qualname.startsWith(`${node.qualname}.`));
  for (const other of inside) if (drafts.homeOf(other.id) === from.id) drafts.rehome(other.id, from, to);
  const site = sources.nodeSite(node);
  from.sites = from.sites.filter(
    (other) => other.file !== site.file || other.start !== site.start || other.end !== site.end,
  );
  drafts.addSite(to, site);
  // What stays must be seen somewhere: a unit has a site for each definition it still owns.
  for (const member of from.members) {
    const kept = graph.node(member);
    if (kept && kept.file !== '' && (from.sites.length === 0 || isFunction(kept)))
      drafts.addSite(from, sources.nodeSite(kept));
  }
  if (from.members.length === 0 && !from.region) from.sites = [];
}

function isFunction(node: GraphNode): boolean {
  return node.kind === 'function' || node.kind === 'method';
}

function moveToStages(
  drafts: Drafts,
  units: ReadonlyMap<string, Draft>,
  entries: ReadonlyMap<string, OverlayEntry>,
  placement: OverlayPlacement,
): void {
  const folders = new Set(drafts.all().map((draft) => (draft.stage === 'subsystem' ? (draft.folder ?? '.') : '')));
  for (const [key, unit] of units) {
    const entry = entries.get(unit.id);
    const stage = entry?.stage ?? entry?.model?.stage;
    if (stage === undefined) continue;
    const folder = stage.startsWith('subsystem:') ? stage.slice('subsystem:'.length) : undefined;
    const kind = StageKind.safeParse(folder === undefined ? stage : 'subsystem');
    if (!kind.success || (kind.data === 'subsystem' && (folder === undefined || !folders.has(folder)))) {
      placement.orphans.push({ key, title: unit.title, why: `there is no stage ${stage}` });
      continue;
    }
    if (unit.stage === kind.data && (folder === undefined || unit.folder === folder)) continue;
    unit.stage = kind.data;
    if (folder !== undefined) unit.folder = folder;
    // A place in the run order of another stage means nothing here.
    unit.order = undefined;
  }
}

function merge(
  drafts: Drafts,
  units: ReadonlyMap<string, Draft>,
  entries: Map<string, OverlayEntry>,
  target: (key: string) => Draft | undefined,
  placed: { placement: OverlayPlacement; absorbed: Draft[] },
): void {
  const into = new Map<Draft, Draft>();
  const { placement } = placed;
  for (const [key, unit] of units) {
    const entry = entries.get(unit.id);
    const other = entry?.mergedInto ?? entry?.model?.mergedInto;
    if (other === undefined) continue;
    const found = target(other);
    const refused = !found
      ? `${other}, which it was merged into, is gone`
      : unit.kind === 'main_loop'
        ? 'an agent loop keeps a unit of its own'
        : leadsBack(unit, found, into)
          ? `it and ${other} are each merged into the other`
          : undefined;
    if (refused) placement.orphans.push({ key, title: unit.title, why: refused });
    else into.set(unit, found as Draft);
  }
  for (const [unit, next] of into) {
    let last = next;
    for (let further = into.get(last); further; further = into.get(last)) last = further;
    drafts.absorb(unit, last);
    placed.absorbed.push(unit);
  }
  for (const [key, unit] of units) {
    let last: Draft | undefined = into.get(unit);
    if (!last) continue;
    for (let further = into.get(last); further; further = into.get(last)) last = further;
    placement.merged[key] = last.id;
    placement.placed[key] = last.id;
    entries.delete(unit.id);
  }
}

function leadsBack(unit: Draft, from: Draft, into: ReadonlyMap<Draft, Draft>): boolean {
  for (let at: Draft | undefined = from; at; at = into.get(at)) if (at === unit) return true;
  return false;
}
