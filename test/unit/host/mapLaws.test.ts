/** Laws of the behaviour map for whatever handbook, folding and search: what is drawn, and what the page may say. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BehaviourMap, Unit } from '../../../src/core/handbook';
import { foldingOf } from '../../../src/host/map/mapFolding';
import { MapSession } from '../../../src/host/map/mapSession';
import { foldersStage, mapView, nodeLimit } from '../../../src/host/map/mapView';
import { type Box, layoutOf } from '../../../webview/map/layout';
import { FromMapPage, type MapView, ToMapPage } from '../../../webview/shared/mapProtocol';
import { inputOf, mapWith } from './mapSamples';

const names = ['configure', 'setup', 'onset', 'loop', 'finish', 'side_flow', 'cross_cut', 'src', 'lib', 'a/b', 'c'];
const counts = fc
  .tuple(
    ...names.map(() => fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 12 }), fc.integer({ min: 0, max: 180 }))),
  )
  .map((sizes) => Object.fromEntries(names.map((name, at) => [name, sizes[at] ?? 0])));
const links = fc.array(fc.tuple(fc.nat(), fc.nat(), fc.boolean()), { maxLength: 60 });

/** A map with calls between any two units, also to itself and to units that are not there. */
const anyMap = fc.tuple(counts, links).map(([sizes, calls]) => {
  const map = mapWith(sizes);
  const { units } = map;
  for (const [from, to, certain] of calls) {
    const unit = units[from % Math.max(1, units.length)];
    if (!unit) continue;
    const called = to % 17 === 0 ? 'gone' : (units[to % units.length]?.id ?? 'gone');
    if (certain) unit.calls.push(called);
    else unit.mayCall = [...(unit.mayCall ?? []), called];
  }
  return map;
});
const open = fc.subarray([...names, foldersStage, 'nowhere']);

/** A view of a map with some units wanted, as a search or a click leaves them. */
const anyView = fc.tuple(anyMap, open, fc.array(fc.nat(), { maxLength: 30 })).map(([map, opened, picks]) => {
  const wanted = new Set(picks.flatMap((n) => map.units[n % Math.max(1, map.units.length)]?.id ?? []));
  return { map, wanted, opened: new Set(opened), view: mapView(inputOf(map, { opened: new Set(opened), wanted })) };
});

/** Pairs of boxes that share a point, found by a sweep from left to right. */
function overlaps(boxes: readonly Box[]): Box[] {
  const sorted = [...boxes].sort((a, b) => a.x - b.x);
  return sorted.filter((box, at) => {
    for (const other of sorted.slice(at + 1)) {
      if (other.x >= box.x + box.width) return false;
      if (box.y < other.y + other.height && other.y < box.y + box.height) return true;
    }
    return false;
  });
}

const homeOf = (view: MapView, map: BehaviourMap, id: string): number => {
  const own = view.nodes.findIndex((node) => node.id === id);
  if (own >= 0) return own;
  const stage = map.units.find((unit) => unit.id === id)?.stage;
  const fold = view.nodes.findIndex((node) => node.id === `fold:${stage}`);
  return fold >= 0 ? fold : view.nodes.findIndex((node) => node.id === `fold:${foldersStage}`);
};

describe('a view of any map', () => {
  it('has at most the limit of boxes, each unit in exactly one of them, and what is wanted by itself', () => {
    fc.assert(
      fc.property(anyView, ({ map, view, wanted }) => {
        expect(view.nodes.length).toBeLessThanOrEqual(nodeLimit);
        const ids = view.nodes.map((node) => node.id);
        expect(new Set(ids).size).toBe(ids.length);
        for (const unit of map.units) expect([unit.id, homeOf(view, map, unit.id) >= 0]).toEqual([unit.id, true]);
        for (const id of wanted) expect(ids).toContain(id);
        const stages = new Set(view.stages.map((stage) => stage.id));
        for (const node of view.nodes) expect(stages).toContain(node.stage);
      }),
      { numRuns: 40 },
    );
  });

  it('has arrows only between boxes that are there, one a pair and kind, and none from a box to itself', () => {
    fc.assert(
      fc.property(anyView, ({ view }) => {
        const seen = new Set<string>();
        for (const { from, to, kind, count } of view.edges) {
          expect([view.nodes[from] !== undefined, view.nodes[to] !== undefined, from === to]).toEqual([
            true,
            true,
            false,
          ]);
          const key = `${from} ${to} ${kind === 'order' || kind === 'again' ? kind : 'call'}`;
          expect([key, seen.has(key)]).toEqual([key, false]);
          seen.add(key);
          expect(count).toBeGreaterThan(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('loses no call: each is an arrow between the boxes of its ends, or lies inside one box', () => {
    fc.assert(
      fc.property(anyView, ({ map, view }) => {
        const drawn = new Set(view.edges.map(({ from, to }) => `${from} ${to}`));
        if (view.edges.length >= 1_500) return;
        for (const unit of map.units) {
          for (const id of unit.calls) {
            const [from, to] = [
              homeOf(view, map, unit.id),
              map.units.some((one) => one.id === id) ? homeOf(view, map, id) : -1,
            ];
            if (to >= 0 && from !== to) expect(drawn).toContain(`${from} ${to}`);
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  it('is laid out without overlaps, inside its size, and the same every time', () => {
    fc.assert(
      fc.property(anyView, ({ map, view, opened, wanted }) => {
        const layout = layoutOf(view);
        expect(overlaps(layout.nodes)).toEqual([]);
        expect(overlaps(layout.stages)).toEqual([]);
        for (const box of [...layout.nodes, ...layout.stages]) {
          expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0);
          expect(box.x + box.width).toBeLessThanOrEqual(layout.width);
          expect(box.y + box.height).toBeLessThanOrEqual(layout.height);
        }
        expect(layout.edges).toHaveLength(view.edges.length);
        for (const path of [...layout.edges, ...layout.flow]) expect(path).toMatch(/^M[-\d. MLHVCQ]+$/);
        const again = mapView(inputOf(structuredClone(map), { opened, wanted }));
        expect(layoutOf(again)).toEqual(layout);
      }),
      { numRuns: 30 },
    );
  });

  it('counts every unit once over its stages, and says of a fold how many it stands for', () => {
    fc.assert(
      fc.property(anyView, ({ map, view }) => {
        expect(view.units).toBe(map.units.length);
        expect(view.stages.reduce((sum, stage) => sum + stage.units, 0)).toBe(map.units.length);
        const drawn = view.nodes.filter((node) => node.kind === 'unit').length;
        const folded = view.nodes.filter((node) => node.kind === 'fold');
        const told = folded.map((node) => Number(/(\d[\d,. ]*) units?/.exec(node.summary)?.[1]?.replace(/\D/g, '')));
        expect(drawn + told.reduce((sum, count) => sum + count, 0)).toBe(map.units.length);
      }),
      { numRuns: 30 },
    );
  });
});

describe('folding with any limit', () => {
  it('keeps to it whenever the limit has room for the stages, and hides no unit of the two lists twice', () => {
    fc.assert(
      fc.property(anyMap, open, fc.integer({ min: 12, max: 320 }), (map, opened, limit) => {
        const failing = (unit: Unit) => unit.id.length % 3;
        const { stages, folders } = foldingOf({ map, opened: new Set(opened), wanted: new Set(), failing, limit });
        const boxes = stages.reduce((sum, { shown, hidden }) => sum + shown.length + (hidden.length > 0 ? 1 : 0), 0);
        expect(boxes + folders.length).toBeLessThanOrEqual(limit);
        const ids = [
          ...stages.flatMap(({ shown, hidden }) => [...shown, ...hidden]),
          ...folders.flatMap(({ hidden }) => hidden),
        ];
        expect(ids.map((unit) => unit.id).sort()).toEqual(map.units.map((unit) => unit.id).sort());
      }),
      { numRuns: 40 },
    );
  });
});

describe('what the page sends', () => {
  it.each<unknown>([
    null,
    'ready',
    [],
    {},
    { type: 'ready' },
    { type: 'ready', opened: 'all', selected: null },
    { type: 'ready', opened: [1], selected: null },
    { type: 'ready', opened: [], selected: { toString: 'x' } },
    { type: 'openCode' },
    { type: 'openCode', unit: ['unit'] },
    { type: 'openCode', file: '/etc/passwd' },
    { type: 'openPage', unit: 7 },
    { type: 'fold', stage: 'loop', open: 'yes' },
    { type: 'search', request: 1.5, text: 'x' },
    { type: 'search', request: Number.NaN, text: 'x' },
    { type: 'search', request: 1, text: null },
    { type: 'command', command: 'workbench.action.terminal.new' },
    { type: '__proto__' },
    { type: 'constructor' },
  ])('and is no message is refused: %j', (message) => {
    expect(FromMapPage.safeParse(message).success).toBe(false);
  });

  it('never is more than its fields: what is added to a message does not come through', () => {
    const message: unknown = JSON.parse('{"type":"openCode","unit":"u","file":"/etc/passwd","__proto__":{"x":1}}');
    expect(FromMapPage.parse(message)).toEqual({ type: 'openCode', unit: 'u' });
  });

  it('in any order and with any names breaks no session, opens nothing by itself, and answers in its protocol', () => {
    const text = fc.oneof(
      fc.constantFrom('loop', 'src', foldersStage, 'loop-0', '__proto__', 'constructor', '../x', ''),
      fc.string(),
    );
    const message = fc.oneof(
      fc.record({
        type: fc.constant('ready' as const),
        opened: fc.array(text, { maxLength: 4 }),
        selected: fc.option(text),
      }),
      fc.record({
        type: fc.constantFrom('openCode' as const, 'openPage' as const, 'showSteps' as const, 'show' as const),
        unit: text,
      }),
      fc.record({ type: fc.constant('fold' as const), stage: text, open: fc.boolean() }),
      fc.record({ type: fc.constant('search' as const), request: fc.integer(), text }),
    );
    const map = mapWith({ configure: 3, loop: 60, src: 30 });
    fc.assert(
      fc.property(fc.array(message, { maxLength: 12 }), (messages) => {
        const posted: ToMapPage[] = [];
        const opened: string[] = [];
        const session = new MapSession({
          map: () => map,
          touches: () => [],
          states: () => new Map(),
          traced: () => false,
          costs: async () => [],
          post: (answer) => posted.push(answer),
          openCode: (unit) => opened.push(unit),
          openPage: (unit) => opened.push(unit),
          showSteps: (unit) => opened.push(unit),
          failed: (error) => {
            throw error;
          },
        });
        for (const one of messages) session.receive(FromMapPage.parse(one));
        for (const answer of posted) expect(ToMapPage.safeParse(answer).success).toBe(true);
        expect(opened).toEqual(messages.flatMap((one) => ('unit' in one && one.type !== 'show' ? [one.unit] : [])));
        const searches = messages.filter((one) => one.type === 'search').map((one) => one.request);
        expect(posted.flatMap((answer) => (answer.type === 'found' ? [answer.request] : []))).toEqual(searches);
        for (const answer of posted)
          if (answer.type === 'view') expect(answer.view.nodes.length).toBeLessThanOrEqual(nodeLimit);
      }),
      { numRuns: 40 },
    );
  });
});
