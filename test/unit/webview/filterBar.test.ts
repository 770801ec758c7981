import { h } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RowFilter, TraceRow } from '../../../webview/shared/traceProtocol';
import { FilterBar } from '../../../webview/trace/FilterBar';
import { noFilter, type PageState, startState } from '../../../webview/trace/pageState';
import { StepRow } from '../../../webview/trace/StepRow';
import { drawn, type FakeElement, installFakeDom } from './fakeDom';
import { sampleHead, sampleRow } from './samples';

beforeEach(installFakeDom);

async function bar(filter: RowFilter = noFilter, shown = 100, over: Partial<PageState> = {}) {
  const filters: RowFilter[] = [];
  const left: string[] = [];
  const hits: number[] = [];
  const state = { ...startState, head: sampleHead(), filter, ...over };
  const root = await drawn(
    h(FilterBar, {
      state,
      shown,
      inputRef: { current: null },
      onFilter: (next: RowFilter) => filters.push(next),
      onSeek: () => {},
      onHit: (direction: 1 | -1) => hits.push(direction),
      onLeave: () => left.push('left'),
    }),
  );
  const field = root.all((element) => element.localName === 'vscode-textfield')[0] as FakeElement;
  return { root, field, filters, left, hits };
}

describe('the search field', () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  it('searches once the person pauses, not at every key', async () => {
    const { field, filters } = await bar({ ...noFilter, errorsOnly: true });
    vi.useFakeTimers();
    for (const text of ['t', 'ti', 'time']) {
      field.value = text;
      field.fire('input');
      vi.advanceTimersByTime(100);
    }
    expect(filters).toEqual([]);
    vi.advanceTimersByTime(100);
    // The other parts of the filter stay as they are.
    expect(filters).toEqual([{ ...noFilter, text: 'time', errorsOnly: true }]);
  });

  it('goes to hits by Enter, and is left by Down with its text and by Escape without it', async () => {
    const enter = await bar({ ...noFilter, text: 'time' });
    await enter.field.key('Enter');
    await enter.field.key('Enter', { shiftKey: true });
    expect([enter.filters, enter.left, enter.hits]).toEqual([[], [], [1, -1]]);
    await enter.field.key('ArrowDown');
    expect([enter.filters, enter.left]).toEqual([[], ['left']]);
    const cleared = await bar({ ...noFilter, text: 'time' });
    await cleared.field.key('Escape');
    expect([cleared.filters, cleared.left]).toEqual([[noFilter], ['left']]);
  });
});

describe('the toggles', () => {
  it('add a kind and take it out again', async () => {
    const none = await bar();
    await none.root.saying('results').fire('click');
    expect(none.filters).toEqual([{ ...noFilter, kinds: ['tool'] }]);
    const both = await bar({ ...noFilter, kinds: ['tool', 'agent'] });
    expect(both.root.saying('results').attribute('aria-pressed')).toBe('true');
    expect(both.root.saying('prompts').attribute('aria-pressed')).toBe('false');
    await both.root.saying('results').fire('click');
    expect(both.filters).toEqual([{ ...noFilter, kinds: ['agent'] }]);
  });

  it('say how many steps are left of how many', async () => {
    const said = async (...args: Parameters<typeof bar>) =>
      (await bar(...args)).root
        .all((element) => element.attribute('role') === 'status')
        .map((element) => element.textContent);
    const looking = { steps: [3], hits: [3, 9], upTo: 50, done: false };
    const text = { ...noFilter, text: 'x' };
    expect(await said()).toEqual(['100 steps']);
    expect(await said({ ...noFilter, text: '  ' })).toEqual(['100 steps']);
    expect(await said({ ...noFilter, errorsOnly: true }, 7)).toEqual(['7 of 100 steps']);
    expect(await said(text, 100, { found: { ...looking, done: true }, selected: 9 })).toEqual([
      '2 of 2 steps',
      '100 steps',
    ]);
    expect(await said({ ...text, onlyHits: true }, 7, { found: looking })).toEqual([
      '2 steps, looked through 50 of 100',
      '7 of 100 steps, looking',
    ]);
  });
});

describe('a row', () => {
  const shown = async (row: TraceRow | undefined, over: object = {}) =>
    drawn(
      h(StepRow, {
        n: 3,
        of: 100,
        row,
        open: null,
        selected: false,
        hit: false,
        onSelect: () => {},
        onAct: () => {},
        onGoTo: () => {},
        onOpenRun: () => {},
        onOpenCode: () => {},
        ...over,
      }),
    );

  it('tells its place in the list to those who cannot see it', async () => {
    const [option] = (await shown(sampleRow(3), { selected: true })).withClass('step');
    const told = ['role', 'aria-selected', 'aria-posinset', 'aria-setsize'].map((name) => option!.attribute(name));
    expect(told).toEqual(['option', 'true', '3', '100']);
  });

  it('says that more is there only when it is more than line ends', async () => {
    expect((await shown(sampleRow(3, { preview: 'abc', textLength: 20 }))).textContent).not.toContain(
      'more characters',
    );
    expect((await shown(sampleRow(3, { preview: 'abc', textLength: 5003 }))).textContent).toContain(
      '5,000 more characters (Space shows all)',
    );
  });

  it('says that an agent called nothing, and names what it called', async () => {
    expect((await shown(sampleRow(3))).textContent).toContain('(no tool call)');
    const calls = [{ name: 'shell', preview: 'ls -l' }];
    const text = (await shown(sampleRow(3, { calls }))).textContent;
    expect(text).toContain('shell ls -l');
    expect(text).not.toContain('(no tool call)');
    expect((await shown(sampleRow(3, { kind: 'tool', who: 'result' }))).textContent).not.toContain('no tool call');
  });

  it('waits for what is not there: its row, and its whole text', async () => {
    expect((await shown(undefined)).textContent).toBe('3...');
    expect(
      (await shown(sampleRow(3), { open: { body: undefined, raw: null, images: new Map(), markdown: true } }))
        .textContent,
    ).toContain('Reading the step.');
  });

  it('is selected by a click and opened by two', async () => {
    const did: string[] = [];
    const root = await shown(sampleRow(3), {
      onSelect: (n: number) => did.push(`select ${n}`),
      onAct: (action: string) => did.push(action),
    });
    const [option] = root.withClass('step');
    await option!.fire('click');
    await option!.fire('dblclick', { target: { closest: () => null } });
    expect(did).toEqual(['select 3', 'toggle']);
  });
});
