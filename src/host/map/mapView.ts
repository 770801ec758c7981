import type { MapEdge, MapNode, MapStage, MapView } from '../../../webview/shared/mapProtocol';
import type { BehaviourMap, Stage, Unit } from '../../core/handbook/model';
import type { SiteTouches } from '../../core/links/model';
import { type SiteStates, stateOfUnit } from '../handbook/siteStates';
import { failingStepsOf, touchesOfUnit } from '../handbook/touches';
import { iconOf } from '../handbook/unitNodes';
import { placeOf } from '../handbook/unitWords';
import { count } from '../traces/words';
import type { UnitCost } from '../work/methods';
import { type Folding, foldingOf } from './mapFolding';

export interface MapViewInput {
  map: BehaviourMap;
  touches: readonly SiteTouches[];
  states: SiteStates;
  /** Null before anybody asked for costs. */
  costs: ReadonlyMap<string, UnitCost> | null;
  costsLoading: boolean;
  traced: boolean;
  opened: ReadonlySet<string>;
  wanted: ReadonlySet<string>;
}

/** Most boxes on the map; more cannot be told apart, and take long to draw. */
export const nodeLimit = 300;
/** Most folders drawn as one box each; the others are one box together. */
const foldersShown = 14;
const edgeLimit = 1500;
/** Stage that gathers the folders of code without a box of their own. */
export const foldersStage = 'folders';

/** What the map page shows: at most `nodeLimit` boxes, with all calls between what they stand for. */
export function mapView(input: MapViewInput): MapView {
  const { map, touches, opened } = input;
  const failing = (unit: Unit) => touchesOfUnit(unit, touches).failingSteps.length;
  const allFolders = opened.has(foldersStage);
  const limit = nodeLimit - (allFolders ? map.stages.length : foldersShown + 1);
  const folding = foldingOf({ map, opened, wanted: input.wanted, failing, limit });
  const stages: MapStage[] = [];
  const nodes: MapNode[] = [];
  /** Position of the box that stands for a unit. */
  const homes = new Map<string, number>();
  const add = (node: MapNode, units: readonly Unit[]) => {
    for (const unit of units) homes.set(unit.id, nodes.length);
    nodes.push(node);
  };
  for (const { stage, shown, hidden, open } of folding.stages) {
    stages.push(stageOf(stage, shown.length, hidden.length, failingStepsOf([...shown, ...hidden], touches), open));
    for (const unit of shown) add(unitNode(unit, stage, input), [unit]);
    if (hidden.length) {
      const words = open ? 'too many to draw; search finds them' : 'Enter unfolds the stage';
      add({ ...foldNode(stage.id, stage.id, count(hidden.length, 'more unit'), hidden, input), detail: words }, hidden);
    }
  }
  addFolders(folding.folders, allFolders, stages, add, input);
  return {
    harness: map.harness,
    stages,
    nodes,
    edges: [...orderEdges(folding, homes), ...callEdges(map, homes)].slice(0, edgeLimit),
    units: map.units.length,
    traced: input.traced,
    costs: input.costs ? 'ready' : input.costsLoading ? 'loading' : 'none',
    notes: map.notFound.map((text) => text.replaceAll('`', '')),
  };
}

function stageOf(stage: Stage, shown: number, hidden: number, failing: number, open: boolean): MapStage {
  const { id, kind, title } = stage;
  return { id, kind, title, units: shown + hidden, shown, failing, open };
}

/** Folders as boxes in a band of their own: a click unfolds one into a band with its units. */
function addFolders(
  folders: Folding['folders'],
  all: boolean,
  stages: MapStage[],
  add: (node: MapNode, units: readonly Unit[]) => void,
  input: MapViewInput,
): void {
  if (folders.length === 0) return;
  const hidden = folders.flatMap((folder) => folder.hidden);
  stages.push({
    id: foldersStage,
    kind: 'subsystem',
    title: 'Subsystems by folder',
    units: hidden.length,
    shown: 0,
    failing: failingStepsOf(hidden, input.touches),
    open: all,
  });
  const shown = all ? folders : folders.slice(0, foldersShown);
  for (const { stage, hidden: units } of shown) {
    const title = stage.title.replace(/^Subsystem /, '');
    add(foldNode(stage.id, foldersStage, title, units, input), units);
  }
  const rest = folders.slice(shown.length).flatMap((folder) => folder.hidden);
  const words = count(folders.length - shown.length, 'more folder');
  if (rest.length) add(foldNode(foldersStage, foldersStage, words, rest, input), rest);
}

function unitNode(unit: Unit, stage: Stage, input: MapViewInput): MapNode {
  const cost = input.costs?.get(unit.id);
  return {
    id: unit.id,
    kind: 'unit',
    stage: stage.id,
    title: unit.title,
    icon: iconOf(unit),
    detail: placeOf(unit.sites[0]!),
    summary: unit.summary.slice(0, 300),
    step: unit.order ?? null,
    failing: touchesOfUnit(unit, input.touches).failingSteps.length,
    tokens: cost?.tokens ?? null,
    costUsd: cost?.costUsd ?? null,
    changed: stateOfUnit(unit, input.states),
  };
}

function foldNode(id: string, stage: string, title: string, units: readonly Unit[], input: MapViewInput): MapNode {
  const states = units.map((unit) => stateOfUnit(unit, input.states));
  return {
    id: `fold:${id}`,
    kind: 'fold',
    stage,
    title,
    icon: 'unfold',
    detail: count(units.length, 'unit'),
    summary: `Stands for ${count(units.length, 'unit')}; open it to see them.`,
    step: null,
    failing: failingStepsOf(units, input.touches),
    // A turn leads to several units, so that a sum over units would count it more than once.
    tokens: null,
    costUsd: null,
    changed: states.includes('stale') ? 'stale' : states.includes('moved') ? 'moved' : null,
  };
}

/** The way through the loop: each step to the next, and from the last one back to the first. */
function orderEdges(folding: Folding, homes: ReadonlyMap<string, number>): MapEdge[] {
  const edges: MapEdge[] = [];
  for (const { stage, shown } of folding.stages) {
    const steps = shown
      .filter((unit) => unit.order !== undefined)
      .sort((a, b) => a.order! - b.order!)
      .map((unit) => homes.get(unit.id)!);
    for (let at = 1; at < steps.length; at++) {
      edges.push({ from: steps[at - 1]!, to: steps[at]!, kind: 'order', count: 1 });
    }
    if (stage.kind === 'loop' && steps.length > 1) {
      edges.push({ from: steps.at(-1)!, to: steps[0]!, kind: 'again', count: 1 });
    }
  }
  return edges;
}

/** Calls between boxes. Several calls between the same two are one arrow; calls inside one box are none. */
function callEdges(map: BehaviourMap, homes: ReadonlyMap<string, number>): MapEdge[] {
  const edges = new Map<string, MapEdge>();
  const draw = (from: number, to: number | undefined, kind: 'calls' | 'may') => {
    if (to === undefined || from === to) return;
    const known = edges.get(`${from} ${to}`);
    if (!known) edges.set(`${from} ${to}`, { from, to, kind, count: 1 });
    else {
      known.count++;
      if (kind === 'calls') known.kind = 'calls';
    }
  };
  for (const unit of map.units) {
    const from = homes.get(unit.id);
    if (from === undefined) continue;
    for (const id of unit.calls) draw(from, homes.get(id), 'calls');
    for (const id of unit.mayCall ?? []) draw(from, homes.get(id), 'may');
  }
  // The edges that say most are kept when there are too many: certain ones, then those that stand for many calls.
  return [...edges.values()].sort((a, b) => Number(a.kind === 'may') - Number(b.kind === 'may') || b.count - a.count);
}
