import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { MapMatch, MapView } from '../shared/mapProtocol';
import { Details } from './Details';
import { layoutOf } from './layout';
import { type CanvasHandle, MapCanvas } from './MapCanvas';
import { MapList } from './MapList';
import { mapActionOf, moved, readingOrder, type Trail } from './mapKeys';
import { type MapBridge, type SavedState, startState } from './savedState';
import { Toolbar } from './Toolbar';
import type { Viewport } from './viewport';

/** Pause in typing before the host is asked. */
const searchPauseMs = 150;

/** The behaviour map: tools above, the drawn map or its list, and what is known about the selected unit. */
export function MapPage({ bridge }: { bridge: MapBridge }) {
  const [state, setState] = useState<SavedState>(() => bridge.restored ?? startState);
  const [view, setView] = useState<MapView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [text, setText] = useState('');
  const [found, setFound] = useState<{ matches: MapMatch[]; total: number } | null>(null);
  const viewport = useRef<Viewport | null>(state.viewport);
  const canvas = useRef<CanvasHandle | null>(null);
  const search = useRef<HTMLElement | null>(null);
  const trail = useRef<Trail | null>(null);
  const request = useRef(0);
  /** A unit to bring into sight as soon as it is drawn. */
  const awaited = useRef<string | null>(null);

  const change = useCallback((over: Partial<SavedState>) => setState((now) => ({ ...now, ...over })), []);

  useEffect(() => {
    const stop = bridge.onMessage((message) => {
      if (message.type === 'failed') setFailure([message.message, message.nextStep].filter(Boolean).join(' '));
      else if (message.type === 'view') {
        setFailure(null);
        setView(message.view);
      } else if (message.type === 'focus') {
        awaited.current = message.unit;
        change({ selected: message.unit });
      } else if (message.request === request.current) setFound({ matches: message.matches, total: message.total });
    });
    bridge.send({ type: 'ready', opened: state.opened, selected: state.selected });
    return stop;
  }, [bridge]);

  // Once for each choice of heat: costs that could not be added up come back as `none`, and must not be asked for forever.
  const shown = view !== null;
  useEffect(() => {
    if ((state.heat === 'tokens' || state.heat === 'cost') && view?.costs === 'none') bridge.send({ type: 'costs' });
  }, [bridge, state.heat, shown]);

  const save = useCallback(() => bridge.save({ ...state, viewport: viewport.current }), [bridge, state]);
  useEffect(save, [save]);

  useEffect(() => {
    // Answers to what was typed before come too late.
    request.current++;
    if (!text.trim()) return setFound(null);
    const timer = setTimeout(() => bridge.send({ type: 'search', request: request.current, text }), searchPauseMs);
    return () => clearTimeout(timer);
  }, [bridge, text]);

  const layout = useMemo(() => (view ? layoutOf(view) : null), [view]);
  const order = useMemo(() => (view && layout ? readingOrder(view, layout) : []), [view, layout]);
  const selected = view ? view.nodes.findIndex((node) => node.id === state.selected) : -1;

  useEffect(() => {
    if (selected < 0 || awaited.current !== state.selected) return;
    awaited.current = null;
    canvas.current?.show(selected);
    canvas.current?.focus();
  }, [selected, state.selected]);

  const select = useCallback(
    (at: number) => {
      const node = view?.nodes[at];
      if (!node) return;
      change({ selected: node.id });
      canvas.current?.show(at);
    },
    [view, change],
  );

  const fold = useCallback(
    (stage: string, open: boolean) => {
      change({ opened: open ? [...new Set([...state.opened, stage])] : state.opened.filter((one) => one !== stage) });
      bridge.send({ type: 'fold', stage, open });
    },
    [bridge, change, state.opened],
  );

  /** Does something with a unit; a fold is unfolded whatever was meant. */
  const act = useCallback(
    (at: number, type: 'openCode' | 'openPage' | 'showSteps') => {
      const node = view?.nodes[at];
      if (!node) return;
      if (node.kind === 'fold') fold(node.id.slice('fold:'.length), true);
      else bridge.send({ type, unit: node.id });
    },
    [bridge, fold, view],
  );

  const onSelect = useCallback(
    (at: number) => {
      trail.current = null;
      select(at);
      canvas.current?.focus();
    },
    [select],
  );
  const onOpen = useCallback((at: number) => act(at, 'openCode'), [act]);

  const onKeyDown = (event: KeyboardEvent) => {
    const action = mapActionOf(event);
    if (!action || !view) return;
    event.preventDefault();
    if ('move' in action) {
      if (selected < 0) return select(order[0] ?? -1);
      const next = moved(action.move, selected, trail.current, view, order);
      trail.current = next.trail;
      return select(next.at);
    }
    if (action.do === 'search') search.current?.focus();
    else if (action.do === 'larger') canvas.current?.zoom(1.25);
    else if (action.do === 'smaller') canvas.current?.zoom(1 / 1.25);
    else if (action.do === 'fit') canvas.current?.fit();
    else if (action.do === 'escape') change({ selected: null });
    else act(selected, action.do);
  };

  const leaveSearch = () => {
    setText('');
    setFound(null);
    canvas.current?.focus();
  };

  if (!view || !layout) {
    const words = failure ?? 'Reading the handbook.';
    return <main class="map">{failure ? <p class="notice failure">{words}</p> : <p class="dim wait">{words}</p>}</main>;
  }
  const unfold = (at: number) => act(at, 'openCode');
  return (
    <main class={`map of-${state.heat}`}>
      {failure && <p class="notice failure">{failure}</p>}
      <Toolbar
        view={view}
        state={state}
        search={search}
        text={text}
        matches={found?.matches ?? null}
        total={found?.total ?? 0}
        onText={setText}
        onChoose={(unit) => {
          setText('');
          setFound(null);
          awaited.current = unit;
          change({ selected: unit });
          bridge.send({ type: 'show', unit });
        }}
        onLeaveSearch={leaveSearch}
        onChange={change}
        onZoom={(factor) => canvas.current?.zoom(factor)}
        onFit={() => canvas.current?.fit()}
      />
      <div class="body">
        {state.list ? (
          <MapList
            view={view}
            order={order}
            heat={state.heat}
            onOpenCode={(at) => act(at, 'openCode')}
            onOpenPage={(at) => act(at, 'openPage')}
            onUnfold={unfold}
          />
        ) : (
          <MapCanvas
            view={view}
            layout={layout}
            selected={selected}
            heat={state.heat}
            calls={state.calls}
            viewport={viewport}
            onMoved={save}
            onSelect={onSelect}
            onOpen={onOpen}
            onFold={fold}
            onKeyDown={onKeyDown}
            canvas={canvas}
          />
        )}
        <Details
          view={view}
          at={selected}
          onSelect={onSelect}
          onOpenCode={(at) => act(at, 'openCode')}
          onOpenPage={(at) => act(at, 'openPage')}
          onShowSteps={(at) => act(at, 'showSteps')}
          onUnfold={unfold}
        />
      </div>
    </main>
  );
}
