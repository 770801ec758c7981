import { h } from 'preact';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { RowFilter, TraceRow } from '../../../webview/shared/traceProtocol';
import { FilterBar } from '../../../webview/trace/FilterBar';
import { noFilter, startState } from '../../../webview/trace/pageState';
import { StepRow } from '../../../webview/trace/StepRow';
import { drawn, type FakeElement, installFakeDom } from './fakeDom';
import { sampleHead, sampleRow } from './samples';

beforeEach(installFakeDom);

async function bar(filter: RowFilter = noFilter, shown = 100, complete = true) {
  const filters: RowFilter[] = [];
  const left: string[] = [];
  const state = { ...startState, head: sampleHead(), filter, complete };
  const root = await drawn(
    h(FilterBar, {
      state,
      shown,
      inputRef: { current: null },
      onFilter: (next: RowFilter) => filters.push(next),
      onLeave: () => left.push('left'),
    }),
  );
  const field = root.all((element) => element.localName === 'vscode-textfield')[0] as FakeElement;
  return { root, field, filters, left };
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
    expect(filters).toEqual([{ text: 'time', kinds: [], errorsOnly: true }]);
  });

  it('is left by Enter with its text, and by Escape without it', async () => {
    const enter = await bar({ ...noFilter, text: 'time' });
    await enter.field.key('Enter');
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
      (await bar(...args)).root.all((element) => element.attribute('role') === 'status')[0]!.textContent;
    expect(await said()).toBe('100 steps');
    expect(await said({ ...noFilter, text: '  ' })).toBe('100 steps');
    expect(await said({ ...noFilter, text: 'x' }, 7)).toBe('7 of 100 steps');
    expect(await said({ ...noFilter, text: 'x' }, 7, false)).toBe('7 of 100 steps (the search stopped early)');
  });
});

describe('a row', () => {
  const shown = async (row: TraceRow | undefined, over: object = {}) =>
    drawn(
      h(StepRow, {
        n: 3,
        of: 100,
        row,
        body: undefined,
        open: false,
        selected: false,
        onSelect: () => {},
        onToggle: () => {},
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
    expect((await shown(sampleRow(3), { open: true })).textContent).toContain('Reading the step.');
  });

  it('is selected by a click and opened by two', async () => {
    const did: string[] = [];
    const root = await shown(sampleRow(3), {
      onSelect: (n: number) => did.push(`select ${n}`),
      onToggle: () => did.push('toggle'),
    });
    const [option] = root.withClass('step');
    await option!.fire('click');
    await option!.fire('dblclick');
    expect(did).toEqual(['select 3', 'toggle']);
  });
});
