import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LiveSearch, type SearchNews } from '../../../src/host/handbook/liveSearch';
import { locateItems, plainLabel } from '../../../src/host/handbook/locateItems';
import type { LocateView } from '../../../src/host/work/methods';
import { mapOf, unitOf } from './fakes';

describe('searching while somebody types', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  function searching(find: (text: string, signal: AbortSignal) => Promise<string>) {
    const news: SearchNews<string>[] = [];
    return { news, search: new LiveSearch(find, (one) => news.push(one)) };
  }

  it('waits for a pause and asks once, for the newest text', async () => {
    const asked: string[] = [];
    const { news, search } = searching(async (text) => {
      asked.push(text);
      return `answer to ${text}`;
    });
    for (const text of ['out', 'outp', '  output cut ']) search.ask(text);
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['output cut']);
    expect(news).toEqual([
      { state: 'searching', text: 'output cut' },
      { state: 'found', text: 'output cut', value: 'answer to output cut' },
    ]);
  });

  it('gives up the search before, and never tells of it', async () => {
    const signals: AbortSignal[] = [];
    const { news, search } = searching(
      (text, signal) =>
        new Promise((resolve, reject) => {
          signals.push(signal);
          signal.addEventListener('abort', () => reject(new Error('aborted')));
          setTimeout(() => resolve(text), 5000);
        }),
    );
    search.ask('first', true);
    await vi.advanceTimersByTimeAsync(100);
    search.ask('second', true);
    await vi.advanceTimersByTimeAsync(6000);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    expect(news.map((one) => `${one.state} ${'text' in one ? one.text : ''}`)).toEqual([
      'searching first',
      'searching second',
      'found second',
    ]);
  });

  it('asks nothing for texts too short to say anything, or after its end', async () => {
    const { news, search } = searching(async () => 'never');
    search.ask('a', true);
    search.ask('abc');
    search.dispose();
    await vi.advanceTimersByTimeAsync(1000);
    expect(news).toEqual([{ state: 'idle' }]);
  });

  it('says why a search failed', async () => {
    const { news, search } = searching(async () => {
      throw new Error('The worker ended.');
    });
    search.ask('anything', true);
    await vi.advanceTimersByTimeAsync(1);
    expect(news.at(-1)).toEqual({ state: 'failed', text: 'anything', message: 'The worker ended.' });
  });
});

describe('the rows of an answer', () => {
  const answer: LocateView = {
    request: 'retry limit is 4',
    units: [
      { unit: 'u-parse', score: 2, reasons: ['matches `parse`'] },
      { unit: 'u-gone', score: 1, reasons: [] },
    ],
    sites: [
      { file: 'src/parser.ts', symbol: 'parseReply', start: 24, end: 37, score: 1, reason: 'called', state: 'fresh' },
      { file: 'src/new.ts', symbol: '', start: 1, end: 2, score: 1, reason: 'word', state: 'stale' },
    ],
    alsoLookAt: [{ file: 'test/parser.test.ts', line: 3, reason: 'a test' }],
    premises: [
      { mention: 'retry limit', found: false, value: '3', file: 'src/limits.ts', line: 9 },
      { mention: 'parser', found: true, value: 'x', file: 'src/parser.ts', line: 1 },
    ],
  };
  const items = locateItems(answer, mapOf());

  it('come in groups, wrong premises first, each with its place', () => {
    expect(items.map((item) => (item.heading ? `== ${item.label}` : item.label))).toEqual([
      '== not as the request says',
      '$(warning) retry limit is 3 today',
      '== behaviour units',
      '$(symbol-event) Response parsing',
      '== places in the code',
      '$(location) parseReply',
      '$(location) src/new.ts',
      '== also look at',
      '$(eye) test/parser.test.ts:3',
    ]);
    for (const item of items) expect(item.heading ? undefined : item.place).toEqual(item.place);
    expect(items[1]!.place).toEqual({ file: 'src/limits.ts', start: 9, end: 9 });
  });

  it('lead to the page of a unit where one owns the place, and say what changed', () => {
    expect(items[5]!.unit).toBe('u-parse');
    expect(items[6]).toMatchObject({ unit: undefined, description: 'src/new.ts:1-2  changed since it was indexed' });
    expect(items[3]!.detail).toBe('matches parse');
  });

  it('show no icons that a repository made up', () => {
    const named = mapOf([unitOf({ title: '$(zap) now\nnext' })]);
    expect(locateItems(answer, named)[3]!.label).toBe('$(symbol-event) $ (zap) now next');
    expect(plainLabel('a\t b')).toBe('a b');
  });
});
