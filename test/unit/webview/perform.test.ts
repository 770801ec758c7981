import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { FromTracePage } from '../../../webview/shared/traceProtocol';
import { hitWords, nextHit, nothingFound, withFound } from '../../../webview/trace/found';
import { actionOf, type KeyAction, keyHelp } from '../../../webview/trace/keys';
import { type PageAction, startState } from '../../../webview/trace/pageState';
import { perform } from '../../../webview/trace/perform';
import { sampleHead } from './samples';

function performed(action: KeyAction, over: Partial<typeof startState> = {}) {
  const sent: FromTracePage[] = [];
  const dispatched: PageAction[] = [];
  const selected: number[] = [];
  let followed = 0;
  const state = { ...startState, head: sampleHead(), selected: 5, ...over };
  perform(action, 5, {
    state,
    steps: [1, 5, 9, 12],
    select: (n) => selected.push(n),
    dispatch: (one) => dispatched.push(one),
    bridge: { send: (message) => sent.push(message), onMessage: () => () => {}, restored: null, save: () => {} },
    search: { current: null },
    outline: { current: null },
    follow: () => followed++,
  });
  return { sent, dispatched, selected, followed };
}

describe('an action of the page', () => {
  it('moves among the rows that are listed', () => {
    const to = (action: KeyAction) => performed(action).selected;
    expect((['down', 'up', 'first', 'last', 'pageDown'] as const).map(to)).toEqual([[9], [1], [1], [12], [12]]);
  });

  it('waits for a hit that is not known yet, and goes to one that is', () => {
    expect(performed('nextHit').dispatched).toEqual([{ type: 'seek', direction: 1 }]);
    expect(performed('previousHit', { found: { ...nothingFound, hits: [1, 9] } }).selected).toEqual([1]);
  });

  it('asks the host for what only it can do', () => {
    const asked = (action: KeyAction) => performed(action).sent[0];
    expect(asked('copyLink')).toEqual({ type: 'copy', n: 5, as: 'link' });
    expect(asked('compare')).toEqual({ type: 'compare', run: null });
    expect(asked('difference')).toEqual({ type: 'difference', base: null, n: 5, other: false });
    expect(asked('link3')).toEqual({ type: 'openCode', n: 5, link: 2, focus: false, other: false });
  });

  it('shows the outline before it goes there', () => {
    const hidden = { ...startState.shows, outline: false };
    expect(performed('outline', { shows: hidden }).dispatched).toEqual([{ type: 'show', part: 'outline' }]);
    expect(performed('outline').dispatched).toEqual([]);
    expect(performed('follow').followed).toBe(1);
  });

  it('is named in the help for every key that does something', () => {
    const help = keyHelp.map(([keys]) => keys).join(' ');
    const press = { altKey: false, ctrlKey: false, metaKey: false, shiftKey: false };
    for (const key of 'abcdefghijklmnopqrstuvwxyz') {
      if (actionOf({ ...press, key }) === null) continue;
      expect(help, key).toMatch(new RegExp(`\\b${key.toUpperCase()}\\b`));
    }
  });
});

describe('what a search found', () => {
  const part = (from: number, to: number, hits: number[], done = false) =>
    ({ type: 'found', request: 1, from, to, steps: hits, hits, done }) as const;

  it('is put together from its parts, and begins anew with the first', () => {
    const first = withFound(nothingFound, part(1, 500, [3]));
    const second = withFound(first, part(501, 900, [600], true));
    expect(second).toEqual({ steps: [3, 600], hits: [3, 600], upTo: 900, done: true });
    expect(withFound(second, part(1, 500, [7])).hits).toEqual([7]);
  });

  it('is gone through in a circle', () => {
    const hits = fc.uniqueArray(fc.integer({ min: 1, max: 500 }), { minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(hits, fc.integer({ min: 1, max: 500 }), (list, start) => {
        const sorted = [...list].sort((a, b) => a - b);
        const seen = new Set<number>();
        let at = start;
        for (let times = 0; times < sorted.length; times++) {
          at = nextHit(sorted, at, 1)!;
          seen.add(at);
        }
        expect([...seen].sort((a, b) => a - b)).toEqual(sorted);
        const next = nextHit(sorted, sorted[0]!, 1)!;
        expect(nextHit(sorted, next, -1)).toBe(sorted[0]);
      }),
    );
    expect(nextHit([], 3, 1)).toBeNull();
  });

  it('is said with its numbers', () => {
    const found = { ...nothingFound, hits: [3], upTo: 40 };
    expect(hitWords(found, 3, 100)).toBe('1 of 1 step');
    expect(hitWords({ ...found, hits: [] }, 3, 100)).toBe('no hit');
    expect(hitWords({ ...found, done: false }, 9, 1200)).toBe('1 step, looked through 40 of 1,200');
  });
});
