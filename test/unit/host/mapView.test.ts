import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Unit } from '../../../src/core/handbook';
import { foldingOf } from '../../../src/host/map/mapFolding';
import { foldersStage, mapView, nodeLimit } from '../../../src/host/map/mapView';
import { messageLimit, ToMapPage } from '../../../webview/shared/protocol';
import { inputOf, mapWith } from './mapSamples';

describe('the view of the map', () => {
  const small = mapWith({ configure: 2, loop: 6, side_flow: 1, 'src/tools': 4, src: 2 });
  const view = mapView(inputOf(small));
  const named = (at: number) => view.nodes[at]!.title;

  it('draws every unit of the life cycle, and folders of other code as one box each', () => {
    expect(view.stages.map((stage) => `${stage.title}: ${stage.shown} of ${stage.units}`)).toEqual([
      'configure: 2 of 2',
      'loop: 6 of 6',
      'side_flow: 1 of 1',
      'Subsystems by folder: 0 of 6',
    ]);
    const folds = view.nodes.filter((node) => node.kind === 'fold');
    expect(folds.map((node) => `${node.title}, ${node.detail}`)).toEqual(['src/tools, 4 units', 'src, 2 units']);
  });

  it('draws the loop as a loop', () => {
    const order = view.edges.filter((edge) => edge.kind === 'order');
    expect(order).toHaveLength(4);
    const [again] = view.edges.filter((edge) => edge.kind === 'again');
    expect([named(again!.from), named(again!.to)]).toEqual(['Unit 4 of loop', 'Unit 0 of loop']);
  });

  it('keeps calls of units inside a fold as calls of the fold, and calls inside it to itself', () => {
    const calls = view.edges.filter((edge) => edge.kind === 'calls');
    const words = calls.map((edge) => `${named(edge.from)} -> ${named(edge.to)}`);
    expect(words).toContain('Unit 0 of side_flow -> src/tools');
    expect(words).toContain('src/tools -> src');
    expect(calls.some((edge) => edge.from === edge.to)).toBe(false);
  });

  it('tells certain calls from possible ones', () => {
    const map = mapWith({ configure: 3 });
    map.units[0]!.calls = [];
    map.units[0]!.mayCall = ['configure-1', 'configure-2', 'gone'];
    map.units[1]!.calls = ['configure-0'];
    expect(mapView(inputOf(map)).edges.map(({ from, to, kind }) => [from, to, kind])).toEqual([
      [1, 0, 'calls'],
      [0, 1, 'may'],
      [0, 2, 'may'],
    ]);
  });

  it('shows failing steps, costs and changes of units, and sums only what can be summed', () => {
    const touches = [
      {
        file: 'src/loop.ts',
        symbol: '',
        start: 1,
        end: 5,
        steps: [{ run: 'r', task: 't', step: 1, failing: true, kind: 'literal' as const }],
        failingRuns: 1,
        passingRuns: 0,
      },
    ];
    const costs = new Map([['loop-0', { unit: 'loop-0', steps: 1, tokens: 50, costUsd: 0.1 }]]);
    const states = new Map([['src/loop.ts:1-5', 'stale' as const]]);
    const shown = mapView(inputOf(small, { touches, costs, states, traced: true }));
    const node = shown.nodes.find((one) => one.id === 'loop-0')!;
    expect(node).toMatchObject({ failing: 1, tokens: 50, costUsd: 0.1, changed: 'stale', step: 1 });
    expect(shown.stages.find((stage) => stage.id === 'loop')!.failing).toBe(1);
    expect(shown.costs).toBe('ready');
    expect(shown.nodes.filter((one) => one.kind === 'fold').every((one) => one.tokens === null)).toBe(true);
    expect(mapView(inputOf(small, { costsLoading: true })).costs).toBe('loading');
  });

  it('unfolds a stage, a folder, and the rest of the folders', () => {
    const big = mapWith({
      configure: 30,
      loop: 10,
      ...Object.fromEntries(Array.from({ length: 20 }, (_, n) => [`f${n}`, 2])),
    });
    const folded = mapView(inputOf(big));
    expect(folded.stages[0]).toMatchObject({ shown: 10, units: 30, open: false });
    expect(folded.nodes.filter((node) => node.stage === foldersStage)).toHaveLength(15);
    const opened = mapView(inputOf(big, { opened: new Set(['configure', 'f3', foldersStage]) }));
    expect(opened.stages[0]).toMatchObject({ shown: 30, open: true });
    expect(opened.stages.find((stage) => stage.id === 'f3')).toMatchObject({ shown: 2, open: true });
    expect(opened.nodes.filter((node) => node.stage === foldersStage)).toHaveLength(19);
  });

  it('shows a unit that is wanted, also of a folder', () => {
    const big = mapWith({ configure: 60, src: 30 });
    const shown = mapView(inputOf(big, { wanted: new Set(['configure-59', 'src-7']) }));
    const ids = shown.nodes.map((node) => node.id);
    expect(ids).toContain('configure-59');
    expect(ids).toContain('src-7');
    expect(ids).not.toContain('src-8');
  });
});

describe('folding', () => {
  const sizes = fc.record({
    configure: fc.integer({ min: 0, max: 200 }),
    loop: fc.integer({ min: 0, max: 200 }),
    cross_cut: fc.integer({ min: 0, max: 60 }),
    src: fc.integer({ min: 0, max: 300 }),
    lib: fc.integer({ min: 0, max: 10 }),
  });
  const opened = fc.subarray(['configure', 'loop', 'cross_cut', 'src', 'lib', foldersStage]);

  it('keeps within the limits, gives every unit one box, and edges that join boxes', () => {
    fc.assert(
      fc.property(sizes, opened, (counts, open) => {
        const map = mapWith(counts);
        const view = mapView(inputOf(map, { opened: new Set(open) }));
        expect(view.nodes.length).toBeLessThanOrEqual(nodeLimit);
        const unitBoxes = view.nodes.filter((node) => node.kind === 'unit').map((node) => node.id);
        expect(new Set(unitBoxes).size).toBe(unitBoxes.length);
        const units = view.stages.reduce((sum, stage) => sum + stage.units, 0);
        expect(units).toBe(map.units.length);
        for (const { from, to } of view.edges) expect(Math.max(from, to)).toBeLessThan(view.nodes.length);
        const message = { type: 'view', view };
        expect(ToMapPage.safeParse(message).success).toBe(true);
        expect(JSON.stringify(message).length).toBeLessThan(messageLimit);
      }),
      { numRuns: 40 },
    );
  });

  it('draws steps and failing units before helpers, and keeps the order of the stage', () => {
    const map = mapWith({ cross_cut: 40 });
    const failing = (unit: Unit) => (unit.id === 'cross_cut-33' ? 4 : 0);
    map.units[20]!.order = 1;
    const { stages } = foldingOf({ map, opened: new Set(), wanted: new Set(), failing, limit: 300 });
    const shown = stages[0]!.shown.map((unit) => unit.id);
    expect(shown).toContain('cross_cut-33');
    expect(shown).toContain('cross_cut-20');
    expect(shown).toEqual([...shown].sort((a, b) => Number(a.slice(10)) - Number(b.slice(10))));
    expect(stages[0]!.hidden).toHaveLength(30);
  });
});
