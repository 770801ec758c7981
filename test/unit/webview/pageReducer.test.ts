import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ComparePair } from '../../../webview/shared/compareProtocol';
import type { OutlineEntry, ToTracePage } from '../../../webview/shared/traceProtocol';
import {
  neighbour,
  noFilter,
  type PageAction,
  type PageState,
  reduce,
  startState,
} from '../../../webview/trace/pageState';
import { sampleComparison, sampleHead, sampleRow } from './samples';

const told = (state: PageState, ...messages: ToTracePage[]) =>
  messages.reduce((now, message) => reduce(now, { type: 'message', message }), state);
const done = (state: PageState, ...actions: PageAction[]) => actions.reduce(reduce, state);
const opened = told(startState, { type: 'head', head: sampleHead() });
const found = (request: number, over: Partial<Extract<ToTracePage, { type: 'found' }>>): ToTracePage => ({
  type: 'found',
  request,
  from: 1,
  to: 100,
  steps: [],
  hits: [],
  done: true,
  ...over,
});

describe('the record of a step', () => {
  it('opens the step with it, and a second time goes back to the texts of the open step', () => {
    const first = done(opened, { type: 'toggleRaw', n: 5 });
    expect([first.open.has(5), first.raw.has(5)]).toEqual([true, true]);
    const second = done(first, { type: 'toggleRaw', n: 5 });
    expect([second.open.has(5), second.raw.has(5)]).toEqual([true, false]);
  });

  it('shows the record again when a step is closed with it and asked for anew', () => {
    const closed = done(opened, { type: 'toggleRaw', n: 5 }, { type: 'toggle', n: 5 });
    expect(closed.open.has(5)).toBe(false);
    const again = done(closed, { type: 'toggleRaw', n: 5 });
    expect([again.open.has(5), again.raw.has(5)]).toEqual([true, true]);
  });
});

describe('what is kept in memory', () => {
  it('drops the oldest texts but none that is open', () => {
    const bodies = Array.from({ length: 60 }, (_, at) => ({ type: 'body', n: at + 1, parts: [], images: 0 }) as const);
    const state = told(done(opened, { type: 'toggle', n: 2 }), ...bodies);
    expect([state.bodies.has(1), state.bodies.has(2), state.bodies.has(17), state.bodies.has(60)]).toEqual([
      false,
      true,
      true,
      true,
    ]);
    expect(state.bodies.size).toBe(40);
  });

  it('keeps the newest images, and one that comes again counts as new', () => {
    const image = (n: number) =>
      ({ type: 'image', n, index: 0, image: { type: 'image/png', bytes: 3, data: 'AAAA' } }) as const;
    const state = told(opened, ...Array.from({ length: 24 }, (_, at) => image(at + 1)), image(1), image(25));
    expect(state.images.size).toBe(24);
    expect([state.images.has('1:0'), state.images.has('2:0'), state.images.has('25:0')]).toEqual([true, false, true]);
  });
});

describe('another run in the same page', () => {
  it('keeps words and kinds of the filter, and not tools and units, which are those of a run', () => {
    const filter = { ...noFilter, text: 'boom', kinds: ['agent' as const], tools: ['bash'], unit: 'u-1' };
    const before = told(done(opened, { type: 'filter', filter }, { type: 'show', part: 'outline' }), {
      type: 'rows',
      from: 1,
      rows: [sampleRow(1)],
    });
    const after = told(before, { type: 'head', head: sampleHead({ run: 'r-9', startAt: 3 }) });
    expect(after.filter).toEqual({ ...filter, tools: [], unit: null });
    expect(after.shows.outline).toBe(false);
    expect([after.rows.size, after.selected, after.moved]).toEqual([0, 3, false]);
    // An answer on its way was found in the run before.
    expect(told(after, found(before.request, { steps: [1], hits: [1] })).found.hits).toEqual([]);
  });

  it('that was restored keeps its place, its filter and its open steps', () => {
    const filter = { ...noFilter, tools: ['bash'] };
    const saved = { ...startState, moved: true, selected: 8, open: new Set([8, 9]), raw: new Set([9]), filter };
    const state = told(saved, { type: 'head', head: sampleHead() });
    expect(state).toMatchObject({ selected: 8, filter, request: 0, moved: true });
    expect([[...state.open], [...state.raw]]).toEqual([[8, 9], [9]]);
  });
});

describe('waiting for a hit', () => {
  const searching = done(opened, { type: 'filter', filter: { ...noFilter, text: 'boom' } });

  it('goes backwards to the hit before, and stays when the search ended without one', () => {
    const back = done(searching, { type: 'seek', direction: -1 });
    expect(told(back, found(1, { hits: [3, 60] })).selected).toBe(3);
    const none = told(back, found(1, { hits: [] }));
    expect([none.selected, none.seek]).toEqual([17, 0]);
  });

  it('goes on waiting while the search goes on, and ends with another filter', () => {
    const waiting = told(done(searching, { type: 'seek', direction: 1 }), found(1, { to: 50, done: false }));
    expect(waiting.seek).toBe(1);
    const other = done(waiting, { type: 'filter', filter: { ...noFilter, text: 'bang' } });
    expect([other.seek, other.request]).toEqual([0, 2]);
    expect(told(other, found(2, { hits: [60] })).selected).toBe(17);
  });

  it('does not begin when all hits are known', () => {
    expect(done(opened, { type: 'seek', direction: 1 })).toBe(opened);
  });
});

describe('a run that is written anew or on', () => {
  it('counts what came until the end of the list is seen', () => {
    const grown = told(opened, { type: 'grew', stepCount: 104 }, { type: 'grew', stepCount: 105 });
    expect(grown.fresh).toBe(5);
    const seen = done(grown, { type: 'atEnd' });
    expect(seen.fresh).toBe(0);
    expect(done(seen, { type: 'atEnd' })).toBe(seen);
  });

  it('with fewer steps than before leaves the selected step inside, and counts nothing as new', () => {
    const state = told(done(opened, { type: 'select', n: 90 }), { type: 'grew', stepCount: 12 });
    expect([state.selected, state.fresh, state.head!.stepCount]).toEqual([12, 0, 12]);
  });

  it('says nothing before there is a run', () => {
    expect(told(startState, { type: 'grew', stepCount: 9 })).toBe(startState);
  });
});

describe('the host leads', () => {
  it('to a step of the run, also when it names one behind the end', () => {
    const state = told(opened, { type: 'goTo', n: 9999 });
    expect([state.selected, state.open.has(100), state.open.has(9999)]).toEqual([100, true, false]);
  });

  it('to an outline in parts, with the tools of the first', () => {
    const entry = (from: number): OutlineEntry => ({ level: 'turn', from, to: from, label: 'x', errors: 0 });
    const tools = [{ id: 'bash', label: 'bash', steps: 1 }];
    const whole = told(
      opened,
      { type: 'outline', at: 0, entries: [entry(1), entry(2)], tools },
      { type: 'outline', at: 2, entries: [entry(3)], tools: [] },
    );
    expect([whole.outline.map((one) => one.from), whole.tools]).toEqual([[1, 2, 3], tools]);
    const anew = told(whole, { type: 'outline', at: 0, entries: [entry(7)], tools: [] });
    expect([anew.outline.map((one) => one.from), anew.tools]).toEqual([[7], []]);
  });
});

describe('a comparison in the page', () => {
  const pairs: ComparePair[] = [
    { left: 1, right: 1, state: 'same' },
    { left: 30, right: 3, state: 'calls' },
    { left: null, right: 4, state: 'onlyRight' },
  ];
  const compared = told(opened, { type: 'comparison', at: 0, head: sampleComparison({ divergence: null }), pairs });

  it('is left at the step that was looked at, or where the page was when only the other run has one', () => {
    const at = (selected: number) =>
      done(compared, { type: 'comparePlace', selected, side: 'right' }, { type: 'leaveCompare' });
    expect([at(1).selected, at(2).selected, at(1).compare]).toEqual([30, 17, null]);
  });

  it('takes no rows and no place of one that was left', () => {
    const left = done(compared, { type: 'leaveCompare' });
    expect(told(left, { type: 'otherRows', rows: [sampleRow(1)] }).compare).toBeNull();
    expect(done(left, { type: 'comparePlace', selected: 1, side: 'left' }).compare).toBeNull();
  });
});

it('any way through the page ends on a step of the run', () => {
  const n = fc.integer({ min: -5, max: 300 });
  const action: fc.Arbitrary<PageAction> = fc.oneof(
    n.map((one): PageAction => ({ type: 'select', n: one })),
    n.map((one): PageAction => ({ type: 'message', message: { type: 'goTo', n: one } })),
    n.map((one): PageAction => ({ type: 'message', message: { type: 'grew', stepCount: Math.max(1, one) } })),
    n.map((one): PageAction => ({ type: 'toggle', n: Math.max(1, one) })),
    fc.constant<PageAction>({ type: 'leaveCompare' }),
  );
  fc.assert(
    fc.property(fc.array(action, { maxLength: 20 }), (actions) => {
      const state = done(opened, ...actions);
      expect(state.selected).toBeGreaterThanOrEqual(1);
      expect(state.selected).toBeLessThanOrEqual(state.head!.stepCount);
    }),
  );
});

it('a step that is filtered out leads to the nearest listed one, and at the ends to the last of them', () => {
  expect([neighbour([2, 5, 9], 40, 1), neighbour([2, 5, 9], 1, -1), neighbour([2, 5, 9], 40, -1)]).toEqual([9, 2, 9]);
});
