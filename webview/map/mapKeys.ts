import type { MapView } from '../shared/mapProtocol';
import type { Layout } from './layout';

/** What a key does on the map. */
export type MapAction =
  | { move: 'up' | 'down' | 'called' | 'nextCalled' | 'caller' | 'nextCaller' | 'first' | 'last' }
  | { do: 'openCode' | 'openPage' | 'showSteps' | 'search' | 'larger' | 'smaller' | 'fit' | 'escape' };

export interface MapKey {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

const keys: Record<string, MapAction> = {
  ArrowUp: { move: 'up' },
  k: { move: 'up' },
  ArrowDown: { move: 'down' },
  j: { move: 'down' },
  ArrowRight: { move: 'called' },
  l: { move: 'called' },
  ArrowLeft: { move: 'caller' },
  h: { move: 'caller' },
  Home: { move: 'first' },
  End: { move: 'last' },
  Enter: { do: 'openCode' },
  ' ': { do: 'openPage' },
  s: { do: 'showSteps' },
  '/': { do: 'search' },
  '+': { do: 'larger' },
  '=': { do: 'larger' },
  '-': { do: 'smaller' },
  0: { do: 'fit' },
  Escape: { do: 'escape' },
};

/** The action of a key press on the map, null for keys that belong to the editor. */
export function mapActionOf(press: MapKey): MapAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (press.shiftKey && press.key === 'ArrowRight') return { move: 'nextCalled' };
  if (press.shiftKey && press.key === 'ArrowLeft') return { move: 'nextCaller' };
  return (Object.hasOwn(keys, press.key) ? keys[press.key] : null) ?? null;
}

/** Nodes in reading order: stage by stage, each downwards and then to the right. */
export function readingOrder(view: MapView, layout: Layout): number[] {
  const stages = new Map(layout.stages.map((box, at) => [box.stage.id, at]));
  return view.nodes
    .map((_, at) => at)
    .sort((a, b) => {
      const [boxA, boxB] = [layout.nodes[a]!, layout.nodes[b]!];
      const byStage = stages.get(view.nodes[a]!.stage)! - stages.get(view.nodes[b]!.stage)!;
      return byStage || boxA.x - boxB.x || boxA.y - boxB.y;
    });
}

/** What moves along edges remember: where the last one came from, so that its siblings can be gone through. */
export interface Trail {
  /** The node whose edges were followed. */
  from: number;
  direction: 'called' | 'caller';
}

/**
 * Where a move leads from a node; the node itself where there is no way. Right follows a call, left goes to a caller,
 * with Shift to the next one of the same; up and down go through the stage and on to the next.
 */
export function moved(
  move: Extract<MapAction, { move: string }>['move'],
  at: number,
  trail: Trail | null,
  view: MapView,
  order: readonly number[],
): { at: number; trail: Trail | null } {
  const place = order.indexOf(at);
  switch (move) {
    case 'first':
      return { at: order[0] ?? at, trail: null };
    case 'last':
      return { at: order.at(-1) ?? at, trail: null };
    case 'up':
      return { at: order[Math.max(0, place - 1)] ?? at, trail: null };
    case 'down':
      return { at: order[Math.min(order.length - 1, place + 1)] ?? at, trail: null };
    case 'called':
    case 'caller': {
      // Back along the way one came, where there is one.
      const back = trail && trail.direction !== move && neighbours(at, move, view).includes(trail.from);
      const to = back ? trail.from : neighbours(at, move, view)[0];
      return to === undefined ? { at, trail } : { at: to, trail: { from: at, direction: move } };
    }
    case 'nextCalled':
    case 'nextCaller': {
      const direction = move === 'nextCalled' ? 'called' : 'caller';
      if (!trail || trail.direction !== direction) return moved(direction, at, trail, view, order);
      const siblings = neighbours(trail.from, direction, view);
      return { at: siblings[(siblings.indexOf(at) + 1) % siblings.length] ?? at, trail };
    }
  }
}

/** Nodes that a node calls, or that call it, each once; steps that only follow each other come last. */
export function neighbours(at: number, direction: 'called' | 'caller', view: MapView): number[] {
  const found = new Set<number>();
  for (const order of [false, true]) {
    for (const edge of view.edges) {
      if ((edge.kind === 'order' || edge.kind === 'again') !== order) continue;
      if (direction === 'called' && edge.from === at) found.add(edge.to);
      if (direction === 'caller' && edge.to === at) found.add(edge.from);
    }
  }
  return [...found];
}
