import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeNonce, pageHtml } from '../../../src/host/webview/pageHtml';
import { intervalScale, signedPoints } from '../../../webview/results/intervalScale';
import type { ToTracePage, TraceHead, TraceRow } from '../../../webview/shared/protocol';
import { visibleParts } from '../../../webview/shared/visibleText';
import { nothingFound } from '../../../webview/trace/found';
import { actionOf } from '../../../webview/trace/keys';
import {
  isEmpty,
  listed,
  neighbour,
  noFilter,
  pageSize,
  pagesToAsk,
  reduce,
  startState,
} from '../../../webview/trace/pageState';

const head: TraceHead = {
  run: 'r',
  title: 't',
  outcome: { icon: 'error', words: 'failed', tone: 'bad' },
  facts: [],
  stepCount: 100,
  startAt: 17,
  startReason: 'the first finding leads there',
  warnings: [],
  linksMissing: null,
  runs: [],
  findings: [],
};
const row = (n: number): TraceRow => ({
  n,
  kind: 'agent',
  who: 'agent',
  preview: '',
  textLength: 0,
  calls: [],
  isError: false,
  tokensOut: null,
  time: null,
  copied: false,
  links: [],
  findings: [],
  same: null,
  relations: [],
});

describe('the HTML of a page', () => {
  const html = pageHtml({
    title: '<b>"x"',
    script: 'https://w/trace.js',
    styles: ['https://w/a.css'],
    cspSource: 'https://w',
    nonce: 'abc',
  });

  it('gives a page only the rights it asks for, and none to other hosts', () => {
    const parts = { title: 't', script: 'https://w/a.js', styles: [], cspSource: 'https://w', nonce: 'abc' };
    const images = pageHtml({ ...parts, rights: { images: true } });
    expect(images).toContain('img-src https://w data:');
    expect(images).not.toMatch(/unsafe|blob:/);
    const texts = pageHtml({ ...parts, rights: { inlineStyles: true, blobWorkers: true } });
    expect(texts).toContain("style-src https://w 'unsafe-inline'");
    expect(texts).toContain('worker-src blob:');
    expect(texts).toContain("script-src 'nonce-abc';");
    expect(texts).not.toMatch(/unsafe-eval|data:|connect-src/);
    expect(pageHtml(parts)).not.toMatch(/unsafe|blob:|data:/);
  });

  it('allows only our own script and no other host', () => {
    expect(html).toContain("default-src 'none'; script-src 'nonce-abc'; style-src https://w; font-src https://w");
    expect(html).not.toMatch(/unsafe|\*;|connect-src/);
    expect(html.match(/<script/g)).toHaveLength(1);
  });

  it('escapes what it is given', () => {
    expect(html).toContain('&lt;b&gt;&quot;x&quot;');
  });

  it('has a new nonce each time', () => {
    expect(makeNonce()).not.toBe(makeNonce());
    expect(makeNonce().length).toBeGreaterThanOrEqual(20);
  });
});

describe('visible text', () => {
  it('shows control and direction characters with their names', () => {
    expect(visibleParts('a\u001b[31mb')).toEqual([
      { text: 'a' },
      { text: '\u241b', control: 'U+001B escape' },
      { text: '[31mb' },
    ]);
    expect(visibleParts('x\u202ey')[1]).toEqual({ text: '<U+202E>', control: 'U+202E right-to-left override' });
  });

  it('leaves tabs and lines alone and makes line ends one kind', () => {
    expect(visibleParts('a\tb\r\nc')).toEqual([{ text: 'a\tb\nc' }]);
    expect(visibleParts('')).toEqual([{ text: '' }]);
  });

  it('never shows a hidden character raw and loses nothing else', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const parts = visibleParts(text);
        const shown = parts.map((part) => part.text).join('');
        expect(shown).not.toMatch(/(?![\t\n\r])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u200e\u200f]/u);
        const plain = parts
          .filter((part) => !part.control)
          .map((part) => part.text)
          .join('');
        const kept = text
          .replaceAll('\r\n', '\n')
          .replace(
            /(?![\t\n\r])[\p{Cc}\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/gu,
            '',
          );
        expect(plain).toBe(kept);
      }),
    );
  });
});

describe('keys of the step list', () => {
  const press = (key: string, over = {}) =>
    actionOf({ key, altKey: false, ctrlKey: false, metaKey: false, shiftKey: false, ...over });

  it('do what the walkthrough says', () => {
    expect(['j', 'ArrowUp', 'Enter', 'e', '/', ' ', 'Escape'].map((key) => press(key))).toEqual([
      'down',
      'up',
      'openCode',
      'nextError',
      'search',
      'toggle',
      'escape',
    ]);
    expect(press('Enter', { altKey: true })).toBe('goToCode');
  });

  it('reach every link that a row shows', () => {
    expect(['1', '2', '3', '4'].map((key) => press(key))).toEqual(['link1', 'link2', 'link3', null]);
  });

  it('leave chords to the editor', () => {
    expect(press('j', { ctrlKey: true })).toBeNull();
    expect(press('Enter', { metaKey: true })).toBeNull();
    expect(press('j', { altKey: true })).toBeNull();
    expect(press('q')).toBeNull();
  });
});

describe('the state of the trace page', () => {
  const opened = reduce(startState, { type: 'message', message: { type: 'head', head } });

  it('opens at the step the host says and shows it whole', () => {
    expect(opened).toMatchObject({ selected: 17, open: new Set([17]) });
    const calm = reduce(startState, {
      type: 'message',
      message: { type: 'head', head: { ...head, startAt: 1, startReason: null } },
    });
    expect(calm.open.size).toBe(0);
  });

  it('keeps its place when the same run is announced again', () => {
    const moved = reduce(opened, { type: 'select', n: 40 });
    expect(reduce(moved, { type: 'message', message: { type: 'head', head } }).selected).toBe(40);
    const other = reduce(moved, { type: 'message', message: { type: 'head', head: { ...head, run: 'other' } } });
    expect(other.selected).toBe(17);
  });

  it('drops answers to an earlier filter', () => {
    const first = reduce(opened, { type: 'filter', filter: { ...noFilter, text: 'a' } });
    const second = reduce(first, { type: 'filter', filter: { ...noFilter, text: 'ab' } });
    const late = reduce(second, {
      type: 'message',
      message: { type: 'found', request: first.request, from: 1, to: 9, steps: [1], hits: [], done: true },
    });
    expect(late.found.steps).toBeNull();
    const now = reduce(second, {
      type: 'message',
      message: { type: 'found', request: second.request, from: 1, to: 50, steps: [3, 9], hits: [9], done: false },
    });
    // A search alone hides nothing; the same answer counts when only hits are wanted.
    expect(listed(now)).toHaveLength(100);
    expect(listed({ ...now, filter: { ...now.filter, onlyHits: true } })).toEqual([3, 9]);
    const next = { type: 'found', request: second.request, from: 51, to: 100, steps: [60], hits: [60], done: true };
    expect(reduce(now, { type: 'message', message: next as ToTracePage }).found).toEqual({
      steps: [3, 9, 60],
      hits: [9, 60],
      upTo: 100,
      done: true,
    });
    expect(reduce(now, { type: 'filter', filter: noFilter }).found).toBe(nothingFound);
    expect(isEmpty({ ...noFilter, errorsOnly: true })).toBe(false);
  });

  it('keeps a bounded number of whole texts', () => {
    let state = opened;
    for (let n = 1; n <= 60; n++)
      state = reduce(state, { type: 'message', message: { type: 'body', n, parts: [], images: 0 } });
    expect(state.bodies.size).toBe(40);
    expect(state.bodies.has(60)).toBe(true);
  });

  it('keeps old rows until new ones come when links changed, and folds and unfolds', () => {
    const withRows = reduce(opened, { type: 'message', message: { type: 'rows', from: 1, rows: [row(1)] } });
    const stale = reduce(withRows, { type: 'message', message: { type: 'stale' } });
    expect([stale.rows.size, stale.generation]).toEqual([1, withRows.generation + 1]);
    expect(reduce(opened, { type: 'toggle', n: 17 }).open.has(17)).toBe(false);
    expect(reduce(opened, { type: 'select', n: 9999 }).selected).toBe(100);
  });

  it('moves among the listed steps and stops at both ends', () => {
    const steps = [2, 5, 9];
    expect([neighbour(steps, 5, 1), neighbour(steps, 9, 1), neighbour(steps, 5, Number.NEGATIVE_INFINITY)]).toEqual([
      9, 9, 2,
    ]);
    expect([neighbour(steps, 6, 1), neighbour(steps, 6, -1), neighbour([], 6, 1)]).toEqual([9, 5, 6]);
  });

  it('asks for each page once', () => {
    expect(pagesToAsk([1, 2, pageSize + 1], new Set())).toEqual([1, pageSize + 1]);
    expect(pagesToAsk([2], new Set([1]))).toEqual([]);
  });

  it('moves to what is found out later, unless the person went somewhere', () => {
    const quick = reduce(startState, {
      type: 'message',
      message: { type: 'head', head: { ...head, startAt: 1, startReason: null } },
    });
    const later = { type: 'message', message: { type: 'head', head } } as const;
    expect(reduce(quick, later)).toMatchObject({ selected: 17, open: new Set([17]) });
    expect(reduce(reduce(quick, { type: 'select', n: 3 }), later).selected).toBe(3);
    const restored = { ...startState, selected: 8, moved: true };
    expect(reduce(restored, later).selected).toBe(8);
  });
});

describe('the interval', () => {
  it('lies on a symmetric axis that holds it', () => {
    expect(intervalScale(0.062, [-0.031, 0.154])).toMatchObject({ zero: 0.5, reach: 20 });
    const { low, at, high } = intervalScale(0.062, [-0.031, 0.154]);
    expect(low).toBeLessThan(0.5);
    expect(at).toBeGreaterThan(low);
    expect(high).toBeGreaterThan(at);
  });

  it('stays on the axis for any numbers', () => {
    const share = fc.double({ min: -1, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, (a, b, c) => {
        const [low, at, high] = [a, b, c].sort((x, y) => x - y) as [number, number, number];
        const scale = intervalScale(at, [low, high]);
        expect(0 <= scale.low && scale.low <= scale.at && scale.at <= scale.high && scale.high <= 1).toBe(true);
      }),
    );
  });

  it('is said with its sign', () => {
    expect([signedPoints(0.062), signedPoints(-0.031), signedPoints(0)]).toEqual(['+6.2 pp', '-3.1 pp', '0.0 pp']);
  });
});
