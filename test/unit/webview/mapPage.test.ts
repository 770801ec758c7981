import { h } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { MapPage } from '../../../webview/map/MapPage';
import { type SavedState, startState } from '../../../webview/map/savedState';
import type { FromMapPage, MapView, ToMapPage } from '../../../webview/shared/mapProtocol';
import { drawn, type FakeElement, installFakeDom } from './fakeDom';
import { FakeBridge, sampleMap, sampleNode } from './samples';

type TestBridge = FakeBridge<ToMapPage, FromMapPage, SavedState>;

// configure-0 calls loop-0, loop-0 calls cross_cut-0.
const usual = sampleMap({ configure: 1, loop: 2, cross_cut: 1 }, [
  [0, 1],
  [1, 3],
]);

async function opened(view: MapView = usual, restored: Partial<SavedState> | null = null) {
  const bridge: TestBridge = new FakeBridge(restored && { ...startState, ...restored });
  const root = await drawn(h(MapPage, { bridge }));
  await bridge.post({ type: 'view', view });
  const canvas = root.withClass('canvas')[0];
  return { bridge, root, canvas: canvas!, last: () => bridge.sent.at(-1) };
}

const selected = (root: FakeElement) => root.withClass('selected').map((node) => node.attribute('id'));

beforeEach(installFakeDom);
afterEach(() => void vi.useRealTimers());

describe('the map page', () => {
  it('tells what was unfolded and selected before, and remembers what is now', async () => {
    const { bridge, root } = await opened(usual, { opened: ['configure'], selected: 'loop-0' });
    expect(bridge.sent[0]).toEqual({ type: 'ready', opened: ['configure'], selected: 'loop-0' });
    expect(selected(root)).toEqual(['node-1']);
    expect(bridge.saved.at(-1)).toMatchObject({ opened: ['configure'], selected: 'loop-0', heat: 'failing' });
  });

  it('goes along calls by arrows and opens code, page and steps by keys', async () => {
    const { root, canvas, last } = await opened();
    await canvas.key('ArrowDown');
    expect(selected(root)).toEqual(['node-0']);
    await canvas.key('ArrowRight');
    expect(selected(root)).toEqual(['node-1']);
    expect(canvas.attribute('aria-activedescendant')).toBe('node-1');
    await canvas.key('Enter');
    expect(last()).toEqual({ type: 'openCode', unit: 'loop-0' });
    await canvas.key(' ');
    expect(last()).toEqual({ type: 'openPage', unit: 'loop-0' });
    await canvas.key('s');
    expect(last()).toEqual({ type: 'showSteps', unit: 'loop-0' });
    await canvas.key('Escape');
    expect(selected(root)).toEqual([]);
  });

  it('draws the arrows of the selected unit, and all of them on demand', async () => {
    const { root, canvas } = await opened();
    const arrows = () => root.withClass('calls').length;
    expect(arrows()).toBe(0);
    await canvas.key('Home');
    expect(arrows()).toBe(1);
    const [, calls] = root.all((element) => element.localName === 'select');
    await calls!.fire('change', { target: { value: 'all' } });
    expect(root.withClass('all')[0]!.withClass('calls')).toHaveLength(2);
    await calls!.fire('change', { target: { value: 'none' } });
    expect(arrows()).toBe(0);
    expect(root.withClass('again').length + root.withClass('order').length).toBe(0);
  });

  it('selects by a click, opens by a second one, and shows what is known', async () => {
    const { root, last } = await opened();
    const node = root.all((element) => element.attribute('id') === 'node-1')[0]!;
    await node.fire('click');
    const details = root.withClass('details')[0]!;
    expect(details.textContent).toContain('Does something.');
    expect(details.all((element) => element.localName === 'code').map((one) => one.textContent)).toEqual(['something']);
    expect(details.textContent).toContain('Called by 1');
    await details.saying('Unit cross_cut-0').fire('click');
    expect(selected(root)).toEqual(['node-3']);
    await node.fire('dblclick');
    expect(last()).toEqual({ type: 'openCode', unit: 'loop-0' });
    await root.withClass('details')[0]!.saying('Open the page').fire('click');
    expect(last()).toEqual({ type: 'openPage', unit: 'cross_cut-0' });
  });

  it('unfolds a fold whatever was meant, and folds a stage again', async () => {
    const fold = sampleNode('fold:configure', { kind: 'fold', stage: 'configure' });
    const stage = { ...usual.stages[0]!, units: 9, shown: 1 };
    const view = { ...usual, nodes: [...usual.nodes, fold], stages: [stage, ...usual.stages.slice(1)] };
    const { bridge, root, canvas, last } = await opened(view);
    expect(root.textContent).toContain('1 of 9 units');
    const box = root.all((element) => element.attribute('id') === 'node-4')[0]!;
    await box.fire('click');
    await canvas.key('Enter');
    expect(last()).toEqual({ type: 'fold', stage: 'configure', open: true });
    expect(bridge.saved.at(-1)!.opened).toEqual(['configure']);
    await bridge.post({
      type: 'view',
      view: { ...view, stages: [{ ...stage, open: true }, ...usual.stages.slice(1)] },
    });
    await root.saying('Fold').fire('click');
    expect(last()).toEqual({ type: 'fold', stage: 'configure', open: false });
    expect(bridge.saved.at(-1)!.opened).toEqual([]);
  });

  it('remembers what is chosen now when the map is moved afterwards', async () => {
    vi.useFakeTimers();
    const { bridge, root, canvas } = await opened(usual, { viewport: { x: 0, y: 0, scale: 1 } });
    const [heat] = root.all((element) => element.localName === 'select');
    await heat!.fire('change', { target: { value: 'none' } });
    await canvas.key('+');
    await act(() => vi.advanceTimersByTimeAsync(500));
    expect(bridge.saved.at(-1)).toMatchObject({ heat: 'none', viewport: { scale: 1.25 } });
  });

  it('asks for costs only when they are to be seen, and says what the longest bar is', async () => {
    const hot = { ...usual, nodes: usual.nodes.map((node) => ({ ...node, failing: node.id === 'loop-0' ? 3 : 0 })) };
    const { bridge, root, last } = await opened(hot);
    expect(root.withClass('legend')[0]!.textContent).toContain('The longest bar is 3 failing steps, at Unit loop-0');
    expect(bridge.sent).toHaveLength(1);
    const [heat] = root.all((element) => element.localName === 'select');
    await heat!.fire('change', { target: { value: 'tokens' } });
    expect(last()).toEqual({ type: 'costs' });
    await bridge.post({ type: 'view', view: { ...hot, costs: 'loading' } });
    expect(root.withClass('legend')[0]!.textContent).toBe('Adding up what the steps used.');
    await bridge.post({ type: 'view', view: { ...hot, costs: 'ready' } });
    expect(root.withClass('legend')[0]!.textContent).toBe('No trace records what its steps used.');
    expect(bridge.sent.filter((message) => message.type === 'costs')).toHaveLength(1);
  });

  it('asks for costs that could not be added up only when they are chosen again', async () => {
    const { bridge, root } = await opened();
    const asked = () => bridge.sent.filter((message) => message.type === 'costs').length;
    const [heat] = root.all((element) => element.localName === 'select');
    await heat!.fire('change', { target: { value: 'tokens' } });
    await bridge.post({ type: 'view', view: { ...usual, costs: 'loading' } });
    await bridge.post({ type: 'view', view: { ...usual, costs: 'none' } });
    expect(asked()).toBe(1);
    await heat!.fire('change', { target: { value: 'cost' } });
    expect(asked()).toBe(2);
  });

  it('shows no matches for a search that was left before they came', async () => {
    vi.useFakeTimers();
    const { bridge, root } = await opened();
    const field = root.all((element) => element.localName === 'vscode-textfield')[0]!;
    await field.fire('input', { target: { value: 'parse' } });
    await act(() => vi.advanceTimersByTimeAsync(500));
    const search = bridge.sent.find((message) => message.type === 'search')!;
    await field.key('Escape');
    const match = { unit: 'hidden-7', title: 'Response parsing', stage: 'Iterate', detail: 'src/parser.ts:1' };
    await bridge.post({ type: 'found', request: search.request, matches: [match], total: 1 });
    expect(root.withClass('matches')).toEqual([]);
  });

  it('searches after a pause, takes only the newest answer, and goes to what was chosen', async () => {
    vi.useFakeTimers();
    const { bridge, root, canvas } = await opened();
    const field = root.all((element) => element.localName === 'vscode-textfield')[0]!;
    await canvas.key('/');
    expect(field.focused).toBe(1);
    for (const value of ['pa', 'parse']) await field.fire('input', { target: { value } });
    await act(() => vi.advanceTimersByTimeAsync(500));
    const searches = bridge.sent.filter((message) => message.type === 'search');
    expect(searches.map((message) => message.text)).toEqual(['parse']);
    const match = { unit: 'hidden-7', title: 'Response parsing', stage: 'Iterate', detail: 'src/parser.ts:1' };
    await bridge.post({ type: 'found', request: 99, matches: [match], total: 1 });
    expect(root.withClass('matches')).toEqual([]);
    await bridge.post({ type: 'found', request: searches[0]!.request, matches: [match], total: 3 });
    expect(root.withClass('matches')[0]!.textContent).toContain('and 2 more');
    await field.key('Enter');
    expect(bridge.sent.at(-1)).toEqual({ type: 'show', unit: 'hidden-7' });
    expect(root.withClass('matches')).toEqual([]);
    const node = sampleNode('hidden-7', { stage: 'configure' });
    await bridge.post({ type: 'view', view: { ...usual, nodes: [...usual.nodes, node] } });
    expect(selected(root)).toEqual(['node-4']);
  });

  it('says all of it as a list too', async () => {
    const view = { ...usual, notes: ['No sub-agents were found.'] };
    const { bridge, root, last } = await opened(view, { list: true });
    const list = root.withClass('list')[0]!;
    const order = ['Stage configure', 'Unit loop-0', 'Unit loop-1', 'Stage cross_cut', 'No sub-agents were found.'];
    const places = order.map((words) => list.textContent.indexOf(words));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThanOrEqual(0);
    expect(list.textContent).toContain('calls Unit cross_cut-0');
    await list.saying('Unit loop-0').fire('click');
    expect(last()).toEqual({ type: 'openCode', unit: 'loop-0' });
    await list.withClass('page')[0]!.fire('click');
    expect(last()).toEqual({ type: 'openPage', unit: 'configure-0' });
    expect(bridge.saved.at(-1)!.list).toBe(true);
  });

  it('selects what the host asks for, shows failures, and shows names as text', async () => {
    const hostile = { ...usual, nodes: usual.nodes.map((node) => ({ ...node, title: `<b>${node.id}</b>\u202e` })) };
    const { bridge, root } = await opened(hostile);
    await bridge.post({ type: 'focus', unit: 'loop-1' });
    expect(selected(root)).toEqual(['node-2']);
    expect(root.all((element) => element.localName === 'b')).toEqual([]);
    expect(root.textContent).toContain('<b>loop-1</b><U+202E>');
    await bridge.post({ type: 'failed', message: 'No handbook.', nextStep: 'Open a folder.' });
    expect(root.withClass('failure')[0]!.textContent).toBe('No handbook. Open a folder.');
    await bridge.post({ type: 'view', view: usual });
    expect(root.withClass('failure')).toEqual([]);
  });
});
