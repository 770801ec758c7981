import { describe, expect, it, vi } from 'vitest';
import type { BehaviourMap } from '../../../src/core/handbook';
import { type MapHost, MapSession } from '../../../src/host/map/mapSession';
import { foldersStage } from '../../../src/host/map/mapView';
import type { ToMapPage } from '../../../webview/shared/protocol';
import { mapWith } from './mapSamples';

function opened(over: Partial<MapHost> = {}, map: BehaviourMap | null = mapWith({ configure: 30, loop: 6, src: 12 })) {
  const sent: ToMapPage[] = [];
  const host = {
    map: () => map,
    touches: () => [],
    states: () => new Map(),
    traced: () => false,
    costs: vi.fn(async () => [{ unit: 'loop-0', steps: 1, tokens: 9, costUsd: null }]),
    post: (message: ToMapPage) => void sent.push(message),
    openCode: vi.fn(),
    openPage: vi.fn(),
    showSteps: vi.fn(),
    failed: vi.fn(),
    ...over,
  };
  const session = new MapSession(host);
  const views = () => sent.flatMap((message) => (message.type === 'view' ? [message.view] : []));
  return { session, host, sent, views, last: () => views().at(-1)! };
}

const ready = { type: 'ready' as const, opened: [], selected: null };

describe('a map page', () => {
  it('gets nothing before it is ready, then the map, unfolded as it was', () => {
    const { session, sent, last } = opened();
    session.refresh();
    expect(sent).toEqual([]);
    session.receive({ ...ready, opened: ['configure'], selected: 'src-3' });
    expect(last().stages[0]).toMatchObject({ id: 'configure', shown: 30, open: true });
    expect(last().nodes.some((node) => node.id === 'src-3')).toBe(true);
  });

  it('folds and unfolds, and lets go of what a search brought into sight', () => {
    const { session, last } = opened();
    session.receive(ready);
    expect(last().stages[0]!.shown).toBe(10);
    session.receive({ type: 'show', unit: 'src-11' });
    expect(last().stages.some((stage) => stage.id === 'src')).toBe(true);
    session.receive({ type: 'fold', stage: 'src', open: true });
    session.receive({ type: 'fold', stage: 'src', open: false });
    expect(last().stages.map((stage) => stage.id)).toEqual(['configure', 'loop', foldersStage]);
  });

  it('shows a unit that was asked for before it was ready', () => {
    const { session, sent } = opened();
    session.focus('src-5');
    expect(sent).toEqual([]);
    session.receive(ready);
    expect(sent.at(-1)).toEqual({ type: 'focus', unit: 'src-5' });
  });

  it('adds up costs when they are asked for, once for a map', async () => {
    const { session, host, views, last } = opened();
    session.receive(ready);
    expect(host.costs).not.toHaveBeenCalled();
    session.receive({ type: 'costs' });
    expect(last().costs).toBe('loading');
    await vi.waitFor(() => expect(last().costs).toBe('ready'));
    expect(last().nodes.find((node) => node.id === 'loop-0')!.tokens).toBe(9);
    session.refresh();
    expect(host.costs).toHaveBeenCalledTimes(1);
    expect(views().length).toBeGreaterThan(2);
  });

  it('does not add up again what is being added up, however often it is drawn meanwhile', async () => {
    const { session, host, last } = opened();
    session.receive(ready);
    session.receive({ type: 'costs' });
    session.receive({ type: 'fold', stage: 'configure', open: true });
    session.refresh();
    await vi.waitFor(() => expect(last().costs).toBe('ready'));
    expect(host.costs).toHaveBeenCalledTimes(1);
  });

  it('says when costs cannot be added up, and may be asked again', async () => {
    const { session, host, last } = opened({ costs: vi.fn(() => Promise.reject(new Error('no worker'))) });
    session.receive(ready);
    session.receive({ type: 'costs' });
    await vi.waitFor(() => expect(host.failed).toHaveBeenCalledTimes(1));
    expect(last().costs).toBe('none');
  });

  it('finds units that are not drawn, and says how many there are', () => {
    const { session, sent } = opened();
    session.receive(ready);
    session.receive({ type: 'search', request: 3, text: 'of configure' });
    const found = sent.at(-1)!;
    expect(found).toMatchObject({ type: 'found', request: 3, total: 30 });
    expect(found.type === 'found' && found.matches[0]).toEqual({
      unit: 'configure-0',
      title: 'Unit 0 of configure',
      stage: 'configure',
      detail: 'src/configure.ts:1-5',
    });
    session.receive({ type: 'search', request: 4, text: '  ' });
    expect(sent.at(-1)).toEqual({ type: 'found', request: 4, matches: [], total: 0 });
  });

  it('passes on what leads out of the page', () => {
    const { session, host } = opened();
    session.receive({ type: 'openCode', unit: 'a' });
    session.receive({ type: 'openPage', unit: 'b' });
    session.receive({ type: 'showSteps', unit: 'c' });
    expect([host.openCode, host.openPage, host.showSteps].map((one) => vi.mocked(one).mock.calls)).toEqual([
      [['a']],
      [['b']],
      [['c']],
    ]);
  });

  it('waits for a map where there is none', () => {
    const { session, sent } = opened({}, null);
    session.receive(ready);
    session.receive({ type: 'search', request: 1, text: 'loop' });
    expect(sent).toEqual([{ type: 'found', request: 1, matches: [], total: 0 }]);
  });
});
