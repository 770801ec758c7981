import type { MapEdge, MapNode, MapStage, MapView } from '../shared/mapProtocol';

export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where everything goes, in pixels at full size. */
export interface Layout {
  width: number;
  height: number;
  stages: (Box & { stage: MapStage })[];
  /** By position in `view.nodes`. */
  nodes: Box[];
  /** By position in `view.edges`: the path of the arrow. */
  edges: string[];
}

export const nodeWidth = 208;
export const nodeHeight = 44;
const gapX = 14;
const gapY = 12;
const padding = 14;
const header = 34;
const stageGap = 56;
/** Room left of the steps of a loop for the way back to the first. */
const returnRoom = 28;
/** Most boxes above each other before another column begins. */
const rows = 9;

/**
 * Lays out the life cycle: stages of a run from left to right with their units below each other, the loop with its
 * steps in one column and the way back beside it; below them, as bands, side flows, cross-cuts and subsystems.
 * Same view, same layout.
 */
export function layoutOf(view: MapView): Layout {
  const nodes: Box[] = view.nodes.map(() => ({ x: 0, y: 0, width: nodeWidth, height: nodeHeight }));
  const stages: Layout['stages'] = [];
  const run = view.stages.filter(isRunStage);
  let x = 0;
  for (const stage of run) {
    const box = placeColumn(stage, view.nodes, nodes, x);
    stages.push({ ...box, stage });
    x += box.width + stageGap;
  }
  const right = Math.max(...stages.map((box) => box.x + box.width), 5 * (nodeWidth + gapX) + 2 * padding);
  let y = Math.max(0, ...stages.map((box) => box.y + box.height)) + (stages.length ? stageGap : 0);
  for (const stage of view.stages.filter((one) => !isRunStage(one))) {
    const box = placeBand(stage, view.nodes, nodes, y, right);
    stages.push({ ...box, stage });
    y += box.height + stageGap / 2;
  }
  const edges = view.edges.map((edge) => pathOf(edge, nodes));
  const width = Math.max(0, ...stages.map((box) => box.x + box.width));
  const height = Math.max(0, ...stages.map((box) => box.y + box.height));
  return { width, height, stages, nodes, edges };
}

/** Whether a stage is gone through from left to right; the others stand below. */
export function isRunStage(stage: Pick<MapStage, 'kind'>): boolean {
  return ['configure', 'setup', 'onset', 'loop', 'finish'].includes(stage.kind);
}

function placeColumn(stage: MapStage, all: readonly MapNode[], boxes: Box[], x: number): Box {
  const members = positionsOf(stage, all);
  const steps = members.filter((at) => all[at]!.step !== null);
  const others = members.filter((at) => all[at]!.step === null);
  const inOrder = stage.kind === 'loop' && steps.length > 1;
  const left = x + padding + (inOrder ? returnRoom : 0);
  const top = header;
  steps.sort((a, b) => all[a]!.step! - all[b]!.step!);
  const alone = inOrder ? steps : [];
  const grid = inOrder ? others : [...steps, ...others];
  alone.forEach((at, row) => {
    boxes[at] = { ...boxes[at]!, x: left, y: top + row * (nodeHeight + gapY) };
  });
  // A column beside the steps may be as long as they are.
  const perColumn = Math.max(rows, alone.length);
  const gridLeft = left + (alone.length ? nodeWidth + 3 * gapX : 0);
  const columns = Math.ceil(grid.length / perColumn);
  const even = Math.ceil(grid.length / Math.max(1, columns));
  grid.forEach((at, index) => {
    const column = Math.floor(index / even);
    boxes[at] = {
      ...boxes[at]!,
      x: gridLeft + column * (nodeWidth + gapX),
      y: top + (index % even) * (nodeHeight + gapY),
    };
  });
  return around(members, boxes, { x, y: 0 });
}

function placeBand(stage: MapStage, all: readonly MapNode[], boxes: Box[], y: number, width: number): Box {
  const members = positionsOf(stage, all);
  const perRow = Math.max(1, Math.floor((width - 2 * padding + gapX) / (nodeWidth + gapX)));
  members.forEach((at, index) => {
    boxes[at] = {
      ...boxes[at]!,
      x: padding + (index % perRow) * (nodeWidth + gapX),
      y: y + header + Math.floor(index / perRow) * (nodeHeight + gapY),
    };
  });
  return { ...around(members, boxes, { x: 0, y }), width };
}

function positionsOf(stage: MapStage, all: readonly MapNode[]): number[] {
  return all.flatMap((node, at) => (node.stage === stage.id ? [at] : []));
}

function around(members: readonly number[], boxes: readonly Box[], corner: { x: number; y: number }): Box {
  const right = Math.max(corner.x + nodeWidth + padding, ...members.map((at) => boxes[at]!.x + boxes[at]!.width));
  const bottom = Math.max(corner.y + header, ...members.map((at) => boxes[at]!.y + boxes[at]!.height));
  return { ...corner, width: right + padding - corner.x, height: bottom + padding - corner.y };
}

/** The arrow between two boxes, from the sides that face each other. */
function pathOf(edge: MapEdge, boxes: readonly Box[]): string {
  const from = boxes[edge.from]!;
  const to = boxes[edge.to]!;
  const middle = (box: Box) => box.x + box.width / 2;
  const center = (box: Box) => box.y + box.height / 2;
  if (edge.kind === 'order' && from.x === to.x && to.y > from.y) {
    return `M${middle(from)} ${from.y + from.height}L${middle(to)} ${to.y - 2}`;
  }
  if (edge.kind === 'again') {
    const side = from.x - returnRoom + 6;
    const bottom = center(from);
    const top = center(to);
    const turn = Math.min(12, Math.abs(bottom - top) / 2);
    return `M${from.x} ${bottom}H${side + turn}Q${side} ${bottom} ${side} ${bottom - turn}V${top + turn}Q${side} ${top} ${side + turn} ${top}H${to.x - 2}`;
  }
  if (Math.abs(middle(from) - middle(to)) < nodeWidth / 2) {
    // Above each other: around the right side, farther out the farther they are apart.
    const out = Math.min(60, 18 + Math.abs(center(from) - center(to)) / 12);
    const start = from.x + from.width;
    const end = to.x + to.width;
    return `M${start} ${center(from)}C${start + out} ${center(from)} ${end + out} ${center(to)} ${end + 2} ${center(to)}`;
  }
  const forward = middle(to) > middle(from);
  const start = forward ? from.x + from.width : from.x;
  const end = forward ? to.x - 2 : to.x + to.width + 2;
  const bend = Math.max(24, Math.abs(end - start) / 2) * (forward ? 1 : -1);
  return `M${start} ${center(from)}C${start + bend} ${center(from)} ${end - bend} ${center(to)} ${end} ${center(to)}`;
}
