import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { layoutOf } from '../../../webview/map/layout';
import { mapActionOf, moved, neighbours, readingOrder, type Trail } from '../../../webview/map/mapKeys';
import { SavedState, startState } from '../../../webview/map/savedState';
import { fitted, largest, showing, smallest, zoomed } from '../../../webview/map/viewport';
import { FromMapPage, MapView, ToMapPage } from '../../../webview/shared/mapProtocol';
import { FromResultsPage, FromTracePage, ToTracePage } from '../../../webview/shared/protocol';
import { visibleParts } from '../../../webview/shared/visibleText';
import { actionOf } from '../../../webview/trace/keys';
import { sampleMap, sampleNode } from './samples';

const view = sampleMap({ configure: 1, loop: 3, cross_cut: 1 }, [
  [0, 1],
  [1, 2],
  [2, 1],
  [1, 1],
  [1, 4],
]);

/** What goes through postMessage arrives as a copy, so JSON is a fair stand-in for the channel. */
const throughChannel = (message: unknown): unknown => JSON.parse(JSON.stringify(message));

describe('messages of the map', () => {
  const good: FromMapPage[] = [
    { type: 'ready', opened: ['loop'], selected: null },
    { type: 'openCode', unit: 'u' },
    { type: 'openPage', unit: 'u' },
    { type: 'showSteps', unit: 'u' },
    { type: 'fold', stage: 's', open: true },
    { type: 'costs' },
    { type: 'search', request: 1, text: 'a' },
    { type: 'show', unit: 'u' },
  ];

  it('arrive as they were sent, and not with a field missing or of another type', () => {
    for (const message of good) {
      expect(FromMapPage.parse(throughChannel(message))).toEqual(message);
      for (const key of Object.keys(message)) {
        for (const value of [undefined, {}, [], 0.5, Number.NaN]) {
          const wrong = { ...message, [key]: value };
          const fits = key === 'opened' && Array.isArray(value);
          expect([message.type, key, value, FromMapPage.safeParse(wrong).success]).toEqual([
            message.type,
            key,
            value,
            fits,
          ]);
        }
      }
    }
  });

  it('to the page: a view is whole or refused, and positions are whole numbers', () => {
    expect(ToMapPage.parse(throughChannel({ type: 'view', view }))).toEqual({ type: 'view', view });
    const [node] = view.nodes;
    const [stage] = view.stages;
    for (const wrong of [
      { ...view, nodes: [{ ...node, kind: 'script' }] },
      { ...view, nodes: [{ ...node, failing: '9' }] },
      { ...view, nodes: [{ ...node, changed: 'yes' }] },
      { ...view, stages: [{ ...stage, kind: 'elsewhere' }] },
      { ...view, edges: [{ from: 0.5, to: 1, kind: 'calls', count: 1 }] },
      { ...view, edges: [{ from: 0, to: 1, kind: 'jumps', count: 1 }] },
      { ...view, costs: 'soon' },
      { ...view, nodes: { length: 1, 0: node } },
    ])
      expect(MapView.safeParse(wrong).success).toBe(false);
  });

  it('anything at all is taken as it is allowed or refused, and never throws', () => {
    const schemas = [FromMapPage, ToMapPage, FromTracePage, ToTracePage, FromResultsPage];
    const types = fc.constantFrom(
      'ready',
      'rows',
      'body',
      'view',
      'search',
      'fold',
      'openTrace',
      '__proto__',
      'toString',
    );
    const hostile = fc.oneof(
      fc.anything(),
      fc.record({ type: fc.oneof(types, fc.anything()), from: fc.anything(), to: fc.anything(), unit: fc.anything() }),
    );
    fc.assert(
      fc.property(hostile, (message) => {
        for (const schema of schemas) {
          const read = schema.safeParse(message);
          if (!read.success) continue;
          // What was let through has a known type and no field that the protocol does not name.
          expect(typeof read.data.type).toBe('string');
          expect(schema.parse(throughChannel(read.data))).toEqual(throughChannel(read.data));
        }
      }),
      { numRuns: 400 },
    );
  });

  it('fields that nobody asked for are dropped, and prototypes stay what they are', () => {
    const text = '{"type":"openCode","unit":"u","__proto__":{"polluted":true},"command":"rm"}';
    expect(FromMapPage.parse(JSON.parse(text))).toEqual({ type: 'openCode', unit: 'u' });
    expect(Object.getOwnPropertyDescriptor(Object.prototype, 'polluted')).toBeUndefined();
  });

  it('a saved state of another version or with an impossible place is not restored', () => {
    const place = { x: 1, y: 2, scale: 1 };
    expect(SavedState.parse({ ...startState, viewport: place }).viewport).toEqual(place);
    for (const viewport of [
      { ...place, scale: 0 },
      { ...place, scale: 11 },
      { ...place, x: Number.NaN },
      { x: 1 },
      'all',
    ])
      expect(SavedState.safeParse({ ...startState, viewport }).success).toBe(false);
    for (const change of [{ heat: 'hot' }, { calls: 'some' }, { opened: [1] }, { selected: 3 }, { list: 'yes' }])
      expect(SavedState.safeParse({ ...startState, ...change }).success).toBe(false);
  });
});

describe('going along edges', () => {
  const order = readingOrder(view, layoutOf(view));

  it('a unit that calls itself, and two that call each other, end every walk', () => {
    expect(neighbours(1, 'called', view)).toEqual(expect.arrayContaining([1, 2, 4]));
    let now: { at: number; trail: Trail | null } = { at: 1, trail: null };
    const seen = new Set<number>();
    for (let press = 0; press < 12; press += 1) {
      now = moved(press === 0 ? 'called' : 'nextCalled', now.at, now.trail, view, order);
      seen.add(now.at);
    }
    // All that the first unit calls was gone through, round and round.
    expect([...seen].sort()).toEqual(neighbours(1, 'called', view).sort());
  });

  it('on a map without units no key leads anywhere', () => {
    const empty = sampleMap({});
    const none = readingOrder(empty, layoutOf(empty));
    expect(none).toEqual([]);
    for (const move of ['up', 'down', 'first', 'last', 'called', 'nextCaller'] as const)
      expect(moved(move, 0, null, empty, none).at).toBe(0);
    expect(layoutOf(empty)).toMatchObject({ width: 0, height: 0, nodes: [], edges: [] });
  });

  it('units in a stage that is not drawn are last in no order and overlap nothing they belong to', () => {
    const lost = { ...view, nodes: [...view.nodes, sampleNode('lost', { stage: 'nowhere' })] };
    const layout = layoutOf(lost);
    expect(layout.nodes).toHaveLength(lost.nodes.length);
    expect(layout.stages).toHaveLength(view.stages.length);
    expect([...readingOrder(lost, layout)].sort()).toEqual(lost.nodes.map((_, at) => at));
  });

  it('up and down go through every unit once, in both directions', () => {
    const down: number[] = [];
    for (let at = order[0] ?? 0; !down.includes(at); at = moved('down', at, null, view, order).at) down.push(at);
    expect(down).toEqual(order);
    const up: number[] = [];
    for (let at = order.at(-1) ?? 0; !up.includes(at); at = moved('up', at, null, view, order).at) up.push(at);
    expect(up).toEqual([...order].reverse());
  });

  it('every key does one thing, and none of them with Alt, Ctrl or Cmd', () => {
    const plain = { ctrlKey: false, metaKey: false, altKey: false, shiftKey: false };
    const keys = [
      'ArrowUp',
      'ArrowDown',
      'ArrowLeft',
      'ArrowRight',
      'Home',
      'End',
      'Enter',
      ' ',
      's',
      '/',
      '+',
      '-',
      '0',
    ];
    const actions = keys.map((key) => mapActionOf({ ...plain, key }));
    expect(new Set(actions.map((action) => JSON.stringify(action))).size).toBe(keys.length);
    expect(actions).not.toContain(null);
    for (const modifier of ['ctrlKey', 'metaKey', 'altKey'])
      for (const key of keys) expect(mapActionOf({ ...plain, key, [modifier]: true })).toBeNull();
    for (const key of ['constructor', 'toString', '__proto__', 'hasOwnProperty'])
      for (const actionOfKey of [mapActionOf, actionOf])
        expect([key, actionOfKey({ ...plain, key })]).toEqual([key, null]);
  });
});

describe('the part on the screen', () => {
  const finite = (value: object) => Object.values(value).every(Number.isFinite);

  it('of any box on any screen, also one without a size, is a place with a scale in its bounds', () => {
    const size = fc.integer({ min: 0, max: 5000 });
    const boxes = fc.record({ x: size, y: size, width: size, height: size });
    fc.assert(
      fc.property(boxes, size, size, fc.double({ min: 0, max: 1e6, noNaN: true }), (box, width, height, factor) => {
        const first = fitted(box, width, height);
        const next = showing(zoomed(first, factor, { x: width / 2, y: height / 2 }), box, width, height);
        for (const one of [first, next]) {
          expect(finite(one)).toBe(true);
          expect(one.scale).toBeGreaterThanOrEqual(smallest);
          expect(one.scale).toBeLessThanOrEqual(largest);
        }
      }),
    );
  });

  it('text with hidden characters says all that was there, in parts that can be seen', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = visibleParts(text);
        const plain = parts.filter(({ control }) => control === undefined).map((part) => part.text);
        expect(plain.join('')).not.toMatch(/[\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/);
        const hidden = parts.filter(({ control }) => control !== undefined);
        for (const { text: shown, control } of hidden)
          expect([shown.length > 0, control]).toEqual([true, expect.stringMatching(/^U\+/)]);
        expect(plain.join('').length + hidden.length).toBe(text.replaceAll('\r\n', '\n').length);
      }),
    );
  });
});
