import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { BodyPart, OutlineEntry } from '../../../webview/shared/traceProtocol';
import { entryOf, moved } from '../../../webview/trace/Outline';
import { noFilter } from '../../../webview/trace/pageState';
import { installFakeDom } from './fakeDom';
import { scrolled } from './fakeVirtua';
import { sampleRow } from './samples';
import { body, found, opened, saved } from './tracePageOpened';

vi.mock('virtua', () => import('./fakeVirtua'));

beforeEach(() => {
  installFakeDom();
  scrolled.length = 0;
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
