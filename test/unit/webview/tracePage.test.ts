import { h } from 'preact';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keyHelp } from '../../../webview/trace/keys';
import { noFilter } from '../../../webview/trace/pageState';
import { TracePage } from '../../../webview/trace/TracePage';
import { drawn, installFakeDom } from './fakeDom';
import { scrolled } from './fakeVirtua';
import { FakeBridge, sampleHead, sampleRow } from './samples';
import { body, found, opened, saved, type TestBridge } from './tracePageOpened';

vi.mock('virtua', () => import('./fakeVirtua'));

beforeEach(() => {
  installFakeDom();
  scrolled.length = 0;
});

describe('opening', () => {
  it('asks for the run that was open before the page was hidden', async () => {
    const fresh = await opened();
    expect(fresh.bridge.sent[0]).toEqual({ type: 'ready', run: null });
    expect((await opened(saved())).bridge.sent[0]).toEqual({ type: 'ready', run: 'r-1' });
  });

  it('goes to the step the host names, opens it, and scrolls there', async () => {
    const { list, sentOf } = await opened();
    expect(list().attribute('aria-activedescendant')).toBe('step-17');
    expect(sentOf('body')).toEqual([{ type: 'body', n: 17 }]);
    // Index 16 is step 17, since the list starts with step 1.
    expect(scrolled.at(-1)).toBe(16);
  });

  it('goes back to the saved place instead when the run is the saved one', async () => {
    const same = await opened(saved({ open: [40, 41] }));
    expect(same.list().attribute('aria-activedescendant')).toBe('step-40');
    expect(same.sentOf('body').map((message) => message.n)).toEqual([40, 41]);
  });

  it('asks for each page of rows once', async () => {
    const { bridge, sentOf } = await opened();
    expect(sentOf('rows')).toEqual([
      { type: 'rows', from: 1, to: 40 },
      { type: 'rows', from: 41, to: 80 },
      { type: 'rows', from: 81, to: 100 },
    ]);
    await bridge.post({ type: 'rows', from: 1, rows: [sampleRow(1)] });
    expect(sentOf('rows')).toHaveLength(3);
    await bridge.post({ type: 'stale' });
    expect(sentOf('rows')).toHaveLength(6);
  });

  it('shows why nothing could be read', async () => {
    const bridge: TestBridge = new FakeBridge();
    const root = await drawn(h(TracePage, { bridge }));
    expect(root.textContent).toContain('Reading the trace.');
    await bridge.post({ type: 'failed', message: 'It is binary.', nextStep: 'Open it as text.' });
    expect(root.textContent).toBe('It is binary. Open it as text.');
  });
});

describe('keys', () => {
  it('move the highlight and tell the host, so that the code beside follows', async () => {
    const { list, sentOf, bridge } = await opened();
    for (const key of ['j', 'ArrowDown', 'k', 'End', 'Home', 'ArrowUp']) await list().key(key);
    expect(sentOf('select').map((message) => message.n)).toEqual([18, 19, 18, 100, 1, 1]);
    expect(bridge.saved.at(-1)).toMatchObject({ run: 'r-1', selected: 1 });
  });

  it('open the code behind the step, with or without taking the focus', async () => {
    const { list, sentOf } = await opened();
    await list().key('Enter');
    await list().key('Enter', { altKey: true });
    expect(sentOf('openCode')).toEqual([
      { type: 'openCode', n: 17, link: 0, focus: false, other: false },
      { type: 'openCode', n: 17, link: 0, focus: true, other: false },
    ]);
  });

  it('fold and unfold, and ask for a text only when it is not there', async () => {
    const { list, sentOf, bridge, root } = await opened();
    await bridge.post({ type: 'rows', from: 17, rows: [sampleRow(17)] });
    await bridge.post(body(17, 'the whole text', 1200));
    expect(root.textContent).toContain('the whole text');
    expect(root.textContent).toContain('1,200 more characters');
    await list().key(' ');
    expect(root.textContent).not.toContain('the whole text');
    await list().key(' ');
    expect(root.textContent).toContain('the whole text');
    expect(sentOf('body')).toHaveLength(1);
  });

  it('ask the host for the next and the previous error', async () => {
    const { list, sentOf } = await opened();
    await list().key('e');
    await list().key('E');
    expect(sentOf('nextError').map((message) => message.direction)).toEqual([1, -1]);
  });

  it('leave chords of the editor alone', async () => {
    const { list, bridge } = await opened();
    const before = bridge.sent.length;
    await list().key('j', { ctrlKey: true });
    await list().key('Enter', { metaKey: true });
    expect(bridge.sent).toHaveLength(before);
  });
});

describe('the filter', () => {
  it('searches in the host, lists what it found, and is cleared by Escape', async () => {
    const { root, list, sentOf, bridge } = await opened();
    await root.saying('errors only').fire('click');
    const [search] = sentOf('search');
    expect(search!.filter).toEqual({ ...noFilter, errorsOnly: true });
    await bridge.post(found(search!.request, [3, 17, 99], { to: 99, done: false }));
    expect(root.withClass('step')).toHaveLength(3);
    expect(root.textContent).toContain('3 of 100 steps, looking');
    await list().key('j');
    expect(sentOf('select').at(-1)!.n).toBe(99);
    await list().key('Escape');
    expect(root.withClass('step')).toHaveLength(100);
  });

  it('says so when nothing fits', async () => {
    const { root, sentOf, bridge } = await opened();
    await root.saying('events').fire('click');
    await bridge.post(found(sentOf('search')[0]!.request, []));
    expect(root.textContent).toContain('No step matches.');
    expect(root.saying('events').attribute('aria-pressed')).toBe('true');
  });

  it('that was saved is searched again after a reload', async () => {
    const filter = { ...noFilter, text: 'timeout' };
    const { sentOf } = await opened(saved({ selected: 5, filter, open: [] }));
    expect(sentOf('search')).toEqual([{ type: 'search', request: 1, filter }]);
  });

  it('stays when links arrive and the run is announced again', async () => {
    const { root, sentOf, bridge } = await opened();
    await root.saying('errors only').fire('click');
    await bridge.post(found(sentOf('search')[0]!.request, [3, 17]));
    await bridge.post({ type: 'head', head: sampleHead({ linksMissing: null }) });
    expect(root.withClass('step')).toHaveLength(2);
    expect(root.textContent).toContain('2 of 100 steps');
  });

  it('Home and End go to the ends of what was found, wherever the highlight is', async () => {
    const { root, list, sentOf, bridge } = await opened();
    await root.saying('errors only').fire('click');
    // The highlight stays on step 17, which is not among them.
    await bridge.post(found(sentOf('search')[0]!.request, [3, 9, 50, 80]));
    await list().key('Home');
    expect(sentOf('select').at(-1)!.n).toBe(3);
    await bridge.post({ type: 'goTo', n: 17 });
    await list().key('End');
    expect(sentOf('select').at(-1)!.n).toBe(80);
  });
});

it('keeps the whole text of an open step when the run is announced again', async () => {
  const { root, bridge } = await opened();
  await bridge.post(body(17, 'the whole text'));
  await bridge.post({ type: 'head', head: sampleHead() });
  await bridge.post({ type: 'rows', from: 17, rows: [sampleRow(17)] });
  expect(root.textContent).toContain('the whole text');
  expect(root.textContent).not.toContain('Reading the step.');
});

describe('head and rows', () => {
  it('lead from a finding to its steps, and to other runs of the file', async () => {
    const runs = [
      { run: 'r-1', label: 'run 1' },
      { run: 'r-2', label: 'run 2' },
    ];
    const { root, sentOf } = await opened(null, sampleHead({ runs, warnings: ['line 3 is torn'] }));
    await root.saying('step 19').fire('click');
    expect(sentOf('select').at(-1)!.n).toBe(19);
    const select = root.all((element) => element.localName === 'select')[0]!;
    select.value = 'r-2';
    await select.fire('change');
    expect(sentOf('chooseRun')).toEqual([{ type: 'chooseRun', run: 'r-2' }]);
    expect(root.textContent).toContain('1 part of the file could not be read');
    expect((await opened()).root.all((element) => element.localName === 'select')).toEqual([]);
  });

  it('say error and suspicion in words, and open the link that is clicked', async () => {
    const { root, sentOf, bridge } = await opened();
    const link = { label: 'output.ts:33 truncate', unit: null, reason: 'literal text', kind: 'literal', confidence: 1 };
    const row = sampleRow(3, {
      isError: true,
      findings: ['wrong format'],
      links: [
        { ...link, index: 0 },
        { ...link, index: 1, label: 'agent.ts:9 run' },
      ],
    });
    await bridge.post({ type: 'rows', from: 3, rows: [row] });
    const shown = root.withClass('step')[2]!;
    expect(shown.textContent).toContain('error');
    expect(shown.textContent).toContain('suspected: wrong format');
    const button = shown.saying('-> agent.ts:9 run');
    expect(button.attribute('aria-label')).toContain('literal text');
    await button.fire('click', { altKey: true });
    expect(sentOf('openCode').at(-1)).toEqual({ type: 'openCode', n: 3, link: 1, focus: true, other: false });
  });

  it('say what the step has to do with others, and lead there', async () => {
    const { root, sentOf, bridge } = await opened();
    const relations = [
      { words: 'retry of 1', title: 'It failed.', step: 1, run: null },
      { words: 'starts a sub-agent', title: 'Opens it.', step: null, run: 'agent-7' },
      { words: 'x.py is new', title: 'Seen nowhere.', step: null, run: null },
    ];
    await bridge.post({ type: 'rows', from: 3, rows: [sampleRow(3, { relations })] });
    await root.saying('retry of 1').fire('click', { stopPropagation: () => {} });
    await root.saying('starts a sub-agent').fire('click', { stopPropagation: () => {} });
    expect(sentOf('select').at(-1)!.n).toBe(1);
    expect(sentOf('openRun')).toEqual([{ type: 'openRun', run: 'agent-7' }]);
    expect(root.saying('x.py is new').localName).toBe('span');
  });

  it('never put text of a trace into the page as markup or control characters', async () => {
    const { root, bridge } = await opened();
    const preview = '<img src=x onerror=alert(1)> \u202e \u001b[2J';
    await bridge.post({ type: 'rows', from: 1, rows: [sampleRow(1, { preview, textLength: preview.length })] });
    expect(root.all((element) => element.localName === 'img')).toEqual([]);
    const shown = root.withClass('step')[0]!;
    expect(shown.textContent).toContain('<img src=x onerror=alert(1)>');
    expect(shown.textContent).not.toMatch(/[\p{Cc}\u202e]/u);
    expect(shown.withClass('control').map((element) => element.attribute('title'))).toEqual([
      'U+202E right-to-left override',
      'U+001B escape',
    ]);
  });
});

describe('the help', () => {
  it('names every key of the list and is closed by any', async () => {
    const { root, list } = await opened();
    await list().key('?');
    const text = root.withClass('help')[0]!.textContent;
    for (const [keys] of keyHelp) expect(text).toContain(keys);
    await root.withClass('help')[0]!.key('x');
    expect(root.withClass('help')).toEqual([]);
  });
});
