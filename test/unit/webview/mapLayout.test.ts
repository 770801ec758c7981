import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { heatLevel, heatShare, heatWords, hottest } from '../../../webview/map/heat';
import { type Box, isRunStage, layoutOf } from '../../../webview/map/layout';
import { mapActionOf, moved, neighbours, readingOrder } from '../../../webview/map/mapKeys';
import { spoken } from '../../../webview/map/NodeBox';
import { fitted, largest, showing, smallest, zoomed } from '../../../webview/map/viewport';
import { sampleMap, sampleNode } from './samples';

const overlap = (a: Box, b: Box) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
const overlaps = (boxes: readonly Box[]) =>
  boxes.flatMap((box, at) => boxes.slice(at + 1).filter((other) => overlap(box, other)));
const inside = (inner: Box, outer: Box) =>
  inner.x >= outer.x &&
  inner.y >= outer.y &&
  inner.x + inner.width <= outer.x + outer.width &&
  inner.y + inner.height <= outer.y + outer.height;

describe('the layout', () => {
  const sizes = fc.record({
    configure: fc.integer({ min: 0, max: 40 }),
    setup: fc.integer({ min: 0, max: 20 }),
    onset: fc.integer({ min: 0, max: 20 }),
    loop: fc.integer({ min: 0, max: 60 }),
    finish: fc.integer({ min: 0, max: 9 }),
    side_flow: fc.integer({ min: 0, max: 30 }),
    cross_cut: fc.integer({ min: 0, max: 30 }),
    subsystem: fc.integer({ min: 0, max: 60 }),
  });

  it('lets no boxes overlap, and keeps every box in that of its stage', () => {
    fc.assert(
      fc.property(sizes, (counts) => {
        const view = sampleMap(counts);
        const { nodes, stages, edges } = layoutOf(view);
        expect(overlaps(nodes)).toEqual([]);
        expect(overlaps(stages)).toEqual([]);
        const outside = view.nodes.filter(
          (node, at) => !inside(nodes[at]!, stages.find(({ stage }) => stage.id === node.stage)!),
        );
        expect(outside).toEqual([]);
        expect(edges).toHaveLength(view.edges.length);
        for (const path of edges) expect(path).not.toMatch(/NaN|undefined|Infinity/);
      }),
      { numRuns: 60 },
    );
  });

  it('puts steps below each other in run order, and the stages of a run before the bands', () => {
    const view = sampleMap({ configure: 3, loop: 8, cross_cut: 4 });
    const layout = layoutOf(view);
    const steps = view.nodes.flatMap((node, at) => (node.step === null ? [] : [layout.nodes[at]!]));
    expect(new Set(steps.map((box) => box.x)).size).toBe(1);
    expect(steps.map((box) => box.y)).toEqual(steps.map((box) => box.y).sort((a, b) => a - b));
    const bottom = Math.max(...layout.stages.filter(({ stage }) => isRunStage(stage)).map((box) => box.y + box.height));
    const band = layout.stages.find(({ stage }) => stage.kind === 'cross_cut')!;
    expect(band.y).toBeGreaterThan(bottom);
    expect(layout.flow).toHaveLength(1);
  });

  it('is the same for the same view', () => {
    const view = sampleMap({ configure: 12, loop: 30, subsystem: 20 });
    expect(layoutOf(view)).toEqual(layoutOf(structuredClone(view)));
  });
});

describe('moving by keys', () => {
  // configure-0 calls loop-0; loop-0 calls loop-1 and cross_cut-0; loop-1 calls cross_cut-0.
  const view = sampleMap({ configure: 1, loop: 2, cross_cut: 1 }, [
    [0, 1],
    [1, 2],
    [1, 3],
    [2, 3],
  ]);
  const order = readingOrder(view, layoutOf(view));

  it('reads stage by stage, downwards', () => {
    expect(order.map((at) => view.nodes[at]!.id)).toEqual(['configure-0', 'loop-0', 'loop-1', 'cross_cut-0']);
    expect(moved('down', 3, null, view, order).at).toBe(3);
    expect(moved('up', 1, null, view, order).at).toBe(0);
    expect([moved('first', 2, null, view, order).at, moved('last', 0, null, view, order).at]).toEqual([0, 3]);
  });

  it('follows a call, goes through its siblings, and back the way it came', () => {
    const first = moved('called', 1, null, view, order);
    expect(first.at).toBe(2);
    const sibling = moved('nextCalled', first.at, first.trail, view, order);
    expect(sibling.at).toBe(3);
    expect(moved('nextCalled', sibling.at, sibling.trail, view, order).at).toBe(2);
    // Of the two callers of cross_cut-0 it is the one the person came from.
    const viaLoop = moved('nextCalled', 2, { from: 1, direction: 'called' }, view, order);
    expect(moved('caller', viaLoop.at, viaLoop.trail, view, order).at).toBe(1);
  });

  it('stays where no edge leads on', () => {
    expect(moved('called', 3, null, view, order).at).toBe(3);
    expect(neighbours(3, 'caller', view)).toEqual([1, 2]);
  });

  it('always ends on a node of the map', () => {
    const moves = fc.constantFrom('up', 'down', 'called', 'nextCalled', 'caller', 'nextCaller', 'first', 'last');
    fc.assert(
      fc.property(fc.array(moves, { maxLength: 30 }), (steps) => {
        let now = { at: 0, trail: null as ReturnType<typeof moved>['trail'] };
        for (const step of steps) {
          now = moved(step as Parameters<typeof moved>[0], now.at, now.trail, view, order);
          expect(view.nodes[now.at]).toBeDefined();
        }
      }),
    );
  });

  it('leaves chords of the editor alone', () => {
    const press = { key: 'ArrowRight', ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    expect(mapActionOf(press)).toEqual({ move: 'called' });
    expect(mapActionOf({ ...press, shiftKey: true })).toEqual({ move: 'nextCalled' });
    expect(mapActionOf({ ...press, ctrlKey: true })).toBeNull();
    expect(mapActionOf({ ...press, key: 'x' })).toBeNull();
    expect(mapActionOf({ ...press, key: ' ' })).toEqual({ do: 'openPage' });
  });
});

describe('the part of the map on the screen', () => {
  const number = (min: number, max: number) => fc.double({ min, max, noNaN: true });
  const view = fc.record({ x: number(-900, 900), y: number(-900, 900), scale: number(smallest, largest) });

  it('keeps the point under the pointer where it is while it is scaled', () => {
    fc.assert(
      fc.property(view, number(0.2, 4), number(0, 1000), number(0, 800), (before, factor, x, y) => {
        const after = zoomed(before, factor, { x, y });
        expect((x - after.x) / after.scale).toBeCloseTo((x - before.x) / before.scale, 4);
        expect((y - after.y) / after.scale).toBeCloseTo((y - before.y) / before.scale, 4);
        expect(after.scale).toBeGreaterThanOrEqual(smallest);
        expect(after.scale).toBeLessThanOrEqual(largest);
      }),
    );
  });

  it('shows a box that fits, moving only when it must', () => {
    fc.assert(
      fc.property(view, number(-2000, 2000), number(-2000, 2000), (before, x, y) => {
        const box = { x, y, width: 200, height: 44 };
        const after = showing(before, box, 1000, 800);
        const left = box.x * after.scale + after.x;
        const top = box.y * after.scale + after.y;
        expect(left).toBeGreaterThanOrEqual(-1);
        expect(left + box.width * after.scale).toBeLessThanOrEqual(1001);
        expect(top).toBeGreaterThanOrEqual(-1);
        expect(top + box.height * after.scale).toBeLessThanOrEqual(801);
        const again = showing(after, box, 1000, 800);
        expect(again.x).toBeCloseTo(after.x, 6);
        expect(again.y).toBeCloseTo(after.y, 6);
      }),
    );
  });

  it('fits a box, in the middle where there is room and from its corner where there is none', () => {
    expect(fitted({ x: 0, y: 0, width: 500, height: 100 }, 1000, 800)).toEqual({ scale: 1, x: 250, y: 24 });
    expect(fitted({ x: 0, y: 0, width: 1e5, height: 100 }, 1000, 800)).toMatchObject({ scale: smallest, x: 24 });
  });
});

describe('heat', () => {
  const nodes = [
    sampleNode('a', { failing: 8, tokens: 12_345, costUsd: 0.004 }),
    sampleNode('b', { failing: 2, tokens: 950, costUsd: 1.5 }),
    sampleNode('c', { tokens: 2_500_000 }),
    sampleNode('f', { kind: 'fold', failing: 90 }),
  ];
  const view = { ...sampleMap({}), nodes };

  it('is said in words with units, and not at all where there is none', () => {
    expect(nodes.map((node) => heatWords(node, 'failing'))).toEqual(['8 failing', '2 failing', '', '90 failing']);
    expect(nodes.map((node) => heatWords(node, 'tokens'))).toEqual(['12.3k tokens', '950 tokens', '2.5M tokens', '']);
    expect(nodes.map((node) => heatWords(node, 'cost'))).toEqual(['under $0.01', '$1.50', '', '']);
    expect(heatWords(nodes[0]!, 'none')).toBe('');
  });

  it('is measured by the hottest unit; folds, which stand for many, are cut at it', () => {
    const top = hottest(view, 'failing')!;
    expect([top.value, top.node.id]).toEqual([8, 'a']);
    expect(nodes.map((node) => heatLevel(heatShare(node, 'failing', top.value)))).toEqual([4, 1, 0, 4]);
    expect(hottest({ ...view, nodes: [] }, 'cost')).toBeNull();
  });

  it('is read out with name, place and state', () => {
    const node = sampleNode('a', { title: 'Response parsing', step: 4, detail: 'src/parser.ts:24', changed: 'stale' });
    expect(spoken(node, '9 failing')).toBe(
      'Response parsing, step 4, src/parser.ts:24, 9 failing, changed since it was indexed',
    );
  });
});
