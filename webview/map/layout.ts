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
  /** Arrows from each stage of a run to the next. */
  flow: string[];
}

export const nodeWidth = 244;
export const nodeHeight = 44;
const gapX = 14;
const gapY = 12;
const padding = 14;
const header = 54;
const stageGap = 56;
/** Height up to which stages before or after the loop stand below each other, also where there is no loop. */
const columnHeight = 900;
/** Room left of the steps of a loop for the way back to the first. */
const returnRoom = 28;
/** Most boxes above each other before another column begins. */
const rows = 12;

/**
 * Lays out the life cycle: what happens before the loop on the left, one stage below the other; the loop with its steps in
 * one column and the way back beside it; what follows on the right; below them, as bands, side flows, cross-cuts and
 * subsystems. Same view, same layout.
 */
export function layoutOf(view: MapView): Layout {
  const nodes: Box[] = view.nodes.map(() => ({ x: 0, y: 0, width: nodeWidth, height: nodeHeight }));
  const stages: Layout['stages'] = [];
  const run = view.stages.filter(isRunStage);
  const tall = Math.max(
    columnHeight,
    ...run.filter((stage) => stage.kind === 'loop').map((stage) => heightOf(stage, view)),
  );
  let x = 0;
  let y = 0;
  let width = 0;
  for (const stage of run) {
    const before = stages.at(-1)?.stage.kind;
    // A stage goes below the one before it while the column is no taller than the loop; the loop stands alone.
    const below = before && before !== 'loop' && stage.kind !== 'loop' && y + heightOf(stage, view) <= tall;
    if (!below) {
      x += width ? width + stageGap : 0;
      y = 0;
      width = 0;
    }
    const box = placeColumn(stage, view.nodes, nodes, { x, y });
    stages.push({ ...box, stage });
    y += box.height + stageGap / 2;
    width = Math.max(width, box.width);
  }
  const flow = stages.slice(1).map((box, at) => flowPath(stages[at]!, box));
  const right = Math.max(...stages.map((box) => box.x + box.width), 4 * (nodeWidth + gapX) + 2 * padding);
  y = Math.max(0, ...stages.map((box) => box.y + box.height)) + (stages.length ? stageGap / 2 : 0);
  for (const stage of view.stages.filter((one) => !isRunStage(one))) {
    const box = placeBand(stage, view.nodes, nodes, y, right);
    stages.push({ ...box, stage });
    y += box.height + stageGap / 2;
  }
  const edges = view.edges.map((edge) => pathOf(edge, nodes));
  const total = Math.max(0, ...stages.map((box) => box.x + box.width));
  const height = Math.max(0, ...stages.map((box) => box.y + box.height));
  return { width: total, height, stages, nodes, edges, flow };
}

/** Whether a stage is gone through from left to right; the others stand below. */
export function isRunStage(stage: Pick<MapStage, 'kind'>): boolean {
  return ['configure', 'setup', 'onset', 'loop', 'finish'].includes(stage.kind);
}

/** Height of a stage that `placeColumn` would place. */
function heightOf(stage: MapStage, view: MapView): number {
  return placeColumn(
    stage,
    view.nodes,
    view.nodes.map(() => ({ x: 0, y: 0, width: nodeWidth, height: nodeHeight })),
    { x: 0, y: 0 },
  ).height;
}

function placeColumn(stage: MapStage, all: readonly MapNode[], boxes: Box[], corner: { x: number; y: number }): Box {
  const members = positionsOf(stage, all);
  const steps = members.filter((at) => all[at]!.step !== null);
  const others = members.filter((at) => all[at]!.step === null);
  const inOrder = stage.kind === 'loop' && steps.length > 1;
  const left = corner.x + padding + (inOrder ? returnRoom : 0);
  const top = corner.y + header;
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
  return around(members, boxes, corner);
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

/** The arrow from a stage to the next: down where it lies below, else to the right. */
function flowPath(from: Box, to: Box): string {
  if (to.y > from.y) return `M${from.x + 30} ${from.y + from.height}V${to.y - 3}`;
  const start = from.x + from.width;
  const level = from.y + header / 2;
  const turn = (start + to.x) / 2;
  return `M${start} ${level}H${turn}V${to.y + header / 2}H${to.x - 3}`;
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
