import { type ComponentChild, h } from 'preact';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ComparePair } from '../../../webview/shared/compareProtocol';
import type { BodyPart, FromTracePage, OutlineEntry, ToTracePage } from '../../../webview/shared/traceProtocol';
import { keyHelp } from '../../../webview/trace/keys';
import { entryOf, moved } from '../../../webview/trace/Outline';
import { noFilter } from '../../../webview/trace/pageState';
import type { SavedState } from '../../../webview/trace/savedState';
import { TracePage } from '../../../webview/trace/TracePage';
import { drawn, type FakeElement, installFakeDom } from './fakeDom';
import { FakeBridge, sampleComparison, sampleHead, sampleRow } from './samples';

const scrolled: number[] = [];
const saved = (over: Partial<SavedState> = {}): SavedState => ({
  run: 'r-1',
  selected: 40,
  filter: noFilter,
  open: [40],
  raw: [],
  outline: true,
  markdown: true,
  ...over,
});
const found = (request: number, steps: number[], over: object = {}) =>
  ({ type: 'found', request, from: 1, to: 100, steps, hits: [], done: true, ...over }) as const;
const body = (n: number, text: string, left = 0) =>
  ({ type: 'body', n, parts: [{ kind: 'text', title: 'text', text, left }], images: 0 }) as const;

// There is no layout here: every row is in view, and the list only says where it was scrolled to.
vi.mock('virtua', () => {
  const handle = {
    getItemSize: () => 20,
    scrollSize: 2000,
    scrollOffset: 0,
    viewportSize: 1000,
    findItemIndex: (offset: number) => offset,
    scrollToIndex: (index: number) => scrolled.push(index),
  };
  interface Props {
    data: unknown[];
    ref: { current: typeof handle };
    children: (item: unknown, index: number) => ComponentChild;
  }
  return {
    Virtualizer: ({ data, ref, children }: Props) => {
      ref.current = handle;
      return data.map((item, index) => children(item, index));
    },
  };
});

type TestBridge = FakeBridge<ToTracePage, FromTracePage, SavedState>;

async function opened(restored: SavedState | null = null, head = sampleHead()) {
  const bridge: TestBridge = new FakeBridge(restored);
  const root = await drawn(h(TracePage, { bridge }));
  await bridge.post({ type: 'head', head });
  const list = () => root.all((element) => element.attribute('role') === 'listbox')[0] as FakeElement;
  const sentOf = <T extends FromTracePage['type']>(type: T) =>
    bridge.sent.filter((message): message is Extract<FromTracePage, { type: T }> => message.type === type);
  return { bridge, root, list, sentOf };
}

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

describe('a comparison', () => {
  const pairs: ComparePair[] = [
    { left: 1, right: 1, state: 'same' },
    { left: 2, right: 2, state: 'texts' },
    { left: 3, right: 3, state: 'calls' },
    { left: null, right: 4, state: 'onlyRight' },
  ];
  async function compared() {
    const page = await opened();
    await page.bridge.post({ type: 'comparison', at: 0, head: sampleComparison(), pairs });
    const box = () => page.root.withClass('pairs')[0]!;
    return { ...page, box };
  }

  it('begins where the runs part and says so', async () => {
    const { root, box } = await compared();
    expect(box().attribute('aria-activedescendant')).toBe('pair-2');
    expect(root.withClass('parting')).toHaveLength(1);
    const labels = root.withClass('pair').map((pair) => pair.attribute('aria-label'));
    expect(labels[2]).toBe('step 3 and step 3: other calls, here the runs part');
    expect(labels[3]).toBe('nothing and step 4: only in the run on the right');
  });

  it('asks for the rows of both runs and shows each on its side', async () => {
    const { root, sentOf, bridge } = await compared();
    expect(sentOf('otherRows')).toEqual([{ type: 'otherRows', from: 1, to: 40 }]);
    await bridge.post({ type: 'rows', from: 3, rows: [sampleRow(3, { preview: 'mine' })] });
    await bridge.post({ type: 'otherRows', rows: [sampleRow(3, { preview: 'theirs', isError: true })] });
    const [left, right] = root.withClass('pair')[2]!.withClass('cell');
    expect(left!.textContent).toContain('mine');
    expect(right!.textContent).toContain('theirs');
    expect(right!.textContent).toContain('error');
  });

  it('is walked by keys, with the code of either side, and left by Escape', async () => {
    const { box, sentOf, root } = await compared();
    await box().key('ArrowRight');
    await box().key('Enter');
    await box().key('N');
    await box().key('d');
    await box().key('ArrowLeft');
    await box().key('2');
    await box().key('f');
    expect(sentOf('select').map(({ n, other }) => [n, other])).toEqual([
      [3, true],
      [2, true],
      [2, false],
      [3, false],
    ]);
    expect(sentOf('openCode').map(({ n, link, other }) => [n, link, other])).toEqual([
      [3, 0, true],
      [2, 1, false],
    ]);
    expect(sentOf('difference')).toEqual([{ type: 'difference', base: { n: 2, other: false }, n: 2, other: true }]);
    await box().key('?');
    expect(root.textContent).toContain('leave the comparison');
    await root.withClass('help')[0]!.key('Escape');
    await box().key('Escape');
    expect(sentOf('leaveCompare')).toHaveLength(1);
    expect(root.withClass('pair')).toEqual([]);
    expect(root.withClass('step')).toHaveLength(100);
  });

  it('opens nothing where a run has no step', async () => {
    const { box, sentOf } = await compared();
    await box().key('End');
    await box().key('Enter');
    await box().key('d');
    expect([sentOf('openCode'), sentOf('difference')]).toEqual([[], []]);
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

describe('the outline', () => {
  const entries: OutlineEntry[] = [
    { level: 'phase', from: 1, to: 2, label: 'prompt', errors: 0 },
    { level: 'turn', from: 1, to: 2, label: 'You are', errors: 0 },
    { level: 'phase', from: 3, to: 30, label: 'explore, 2 turns', errors: 2 },
    { level: 'turn', from: 3, to: 20, label: 'bash ls', errors: 2 },
    { level: 'turn', from: 21, to: 30, label: 'bash cat', errors: 0 },
  ];

  it('follows the selected step, and its keys lead to steps', async () => {
    const { root, bridge, sentOf, list } = await opened();
    await bridge.post({ type: 'outline', at: 0, entries, tools: [{ id: 'bash', label: 'bash', steps: 2 }] });
    const tree = root.withClass('outline')[0]!;
    expect(tree.attribute('aria-activedescendant')).toBe('outline-3');
    expect(tree.textContent).toContain('2 errors');
    await tree.key('ArrowDown');
    await tree.key('Enter');
    expect(sentOf('select').at(-1)!.n).toBe(21);
    await tree.key('ArrowLeft');
    await tree.key('ArrowLeft');
    await tree.key(' ');
    expect(sentOf('select').at(-1)!.n).toBe(1);
    await list().key('O');
    expect(root.withClass('outline')).toEqual([]);
    expect(bridge.saved.at(-1)!.outline).toBe(false);
  });

  it('finds the innermost entry of a step and moves by phases', () => {
    expect([1, 3, 20, 21, 99].map((n) => entryOf(entries, n))).toEqual([1, 3, 3, 4, 4]);
    expect(entryOf([], 3)).toBe(-1);
    expect([moved(entries, 1, 'ArrowRight'), moved(entries, 4, 'ArrowRight'), moved(entries, 4, 'x')]).toEqual([
      2,
      4,
      null,
    ]);
  });
});

describe('an open step', () => {
  it('shows its record with its bytes, and its texts again', async () => {
    const { root, list, bridge, sentOf } = await opened();
    await bridge.post({ type: 'rows', from: 17, rows: [sampleRow(17)] });
    await list().key('r');
    expect(sentOf('raw')).toEqual([{ type: 'raw', n: 17 }]);
    const ranges = [{ file: '/t/a.json', part: null, offset: 1024, length: 512 }];
    await bridge.post({ type: 'raw', n: 17, raw: { ranges, text: '{"role":1}', left: 5 } });
    expect(root.textContent).toContain('bytes 1,024 to 1,536 of /t/a.json');
    expect(root.textContent).toContain('5 more characters');
    await list().key('r');
    expect(root.textContent).not.toContain('{"role":1}');
    expect(sentOf('raw')).toHaveLength(1);
  });

  it('is drawn as Markdown or as it was written', async () => {
    const { root, list, bridge } = await opened();
    await bridge.post({ type: 'rows', from: 17, rows: [sampleRow(17)] });
    await bridge.post(body(17, '**strong**'));
    expect(root.all((element) => element.localName === 'strong').map((one) => one.textContent)).toContain('strong');
    await list().key('m');
    expect(root.textContent).toContain('**strong**');
  });

  it('folds a prompt that repeats another, and shows images that are small enough', async () => {
    const { root, bridge, sentOf } = await opened();
    await bridge.post({
      type: 'rows',
      from: 17,
      rows: [sampleRow(17, { kind: 'system', same: { of: 2, changed: 1 } })],
    });
    expect(root.textContent).toContain('same as step 2, 1 line changed');
    const parts: BodyPart[] = [
      { kind: 'changes', title: 'new since step 2', text: '- old\n+ new', left: 0 },
      { kind: 'text', title: 'text', text: 'all of it', left: 0 },
    ];
    await bridge.post({ type: 'body', n: 17, parts, images: 2 });
    expect(root.withClass('added').map((line) => line.textContent.trim())).toEqual(['+ new']);
    expect(root.all((element) => element.localName === 'details')).toHaveLength(1);
    expect(sentOf('image').map((message) => message.index)).toEqual([0, 1]);
    await bridge.post({ type: 'image', n: 17, index: 0, image: { type: 'image/png', bytes: 2048, data: 'AAAA' } });
    await bridge.post({ type: 'image', n: 17, index: 1, image: { type: 'image/png', bytes: 9e6, data: null } });
    const [image] = root.all((element) => element.localName === 'img');
    expect([image!.attribute('src'), image!.attribute('alt')]).toEqual([
      'data:image/png;base64,AAAA',
      'Image 1 of step 17, PNG, 2 KB',
    ]);
    expect(root.textContent).toContain('too large to be shown');
  });

  it('goes through hits by keys, in all steps or only those', async () => {
    const { bridge, list, sentOf, root } = await opened(saved({ filter: { ...noFilter, text: 'x' }, open: [] }));
    await bridge.post(found(sentOf('search')[0]!.request, [1, 2, 3], { hits: [3, 60] }));
    for (const key of ['n', 'n', 'N']) await list().key(key);
    expect(sentOf('select').map((message) => message.n)).toEqual([60, 3, 60]);
    await list().key('h');
    expect(sentOf('search').at(-1)!.filter.onlyHits).toBe(true);
    await bridge.post(found(sentOf('search').at(-1)!.request, [3, 60], { hits: [3, 60] }));
    expect(root.withClass('step')).toHaveLength(2);
  });

  it('goes to the first hit as soon as there is one, when Enter came before it', async () => {
    const { bridge, root, sentOf, list } = await opened();
    const field = root.all((element) => element.localName === 'vscode-textfield')[0]!;
    field.value = 'late';
    await field.fire('input');
    await field.key('Enter');
    const [search] = sentOf('search');
    expect(search!.filter.text).toBe('late');
    await bridge.post(found(search!.request, [1, 2], { to: 50, done: false }));
    expect(list().attribute('aria-activedescendant')).toBe('step-17');
    await bridge.post(found(search!.request, [60], { from: 51, hits: [60] }));
    expect(list().attribute('aria-activedescendant')).toBe('step-60');
  });

  it('is copied by keys, and the page says so to those who cannot see it', async () => {
    const { list, sentOf, bridge, root } = await opened();
    for (const key of ['c', 'C', 'y']) await list().key(key);
    expect(sentOf('copy').map((message) => message.as)).toEqual(['markdown', 'json', 'link']);
    await bridge.post({ type: 'said', words: 'Step 17 was copied as a link.' });
    expect(root.withClass('spoken').at(-1)!.textContent).toBe('Step 17 was copied as a link.');
  });
});

describe('a run that is still written', () => {
  it('says how many steps came, asks for them, and goes to the newest by key', async () => {
    const { root, bridge, list, sentOf } = await opened();
    const before = sentOf('rows').length;
    await bridge.post({ type: 'grew', stepCount: 102 });
    expect(root.withClass('step')).toHaveLength(102);
    expect(root.saying('2 new steps, follow')).toBeDefined();
    expect(
      sentOf('rows')
        .slice(before)
        .map(({ from, to }) => [from, to]),
    ).toContainEqual([81, 102]);
    await list().key('f');
    expect(scrolled.at(-1)).toBe(101);
    expect(root.textContent).not.toContain('new steps, follow');
    // From now on it stays at the end.
    await bridge.post({ type: 'grew', stepCount: 103 });
    expect(scrolled.at(-1)).toBe(102);
  });

  it('looks again for what is searched', async () => {
    const { bridge, sentOf } = await opened(saved({ filter: { ...noFilter, errorsOnly: true } }));
    await bridge.post({ type: 'grew', stepCount: 101 });
    expect(sentOf('search')).toHaveLength(2);
  });
});
