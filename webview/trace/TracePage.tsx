import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import { FilterBar } from './FilterBar';
import { Header } from './Header';
import { actionOf, type KeyAction } from './keys';
import { listed, neighbour, noFilter, type PageAction, type PageState, reduce, startState } from './pageState';
import { StepList } from './StepList';
import type { SavedState, TraceBridge } from './savedState';

/** The page of one trace: head, filter, steps. The host owns the data; the page shows windows of it. */
export function TracePage({ bridge }: { bridge: TraceBridge }) {
  const [state, dispatch] = useReducer(reduce, bridge.restored, restore);
  const list = useRef<VirtualizerHandle>(null);
  const search = useRef<HTMLElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const steps = useMemo(() => listed(state), [state.found, state.head]);

  useEffect(() => {
    const stop = bridge.onMessage((message) => dispatch({ type: 'message', message }));
    bridge.send({ type: 'ready', run: bridge.restored?.run ?? null });
    return stop;
  }, [bridge]);

  const run = state.head?.run;
  useEffect(() => {
    if (run) rows.current?.focus();
  }, [run]);

  useEffect(() => {
    if (!run) return;
    bridge.save({ run, selected: state.selected, filter: state.filter, open: [...state.open] });
  }, [bridge, run, state.selected, state.filter, state.open]);

  useEffect(() => {
    if (run && state.request > 0) bridge.send({ type: 'search', request: state.request, filter: state.filter });
  }, [bridge, run, state.request]);

  const select = useCallback(
    (n: number) => {
      dispatch({ type: 'select', n });
      bridge.send({ type: 'select', n });
    },
    [bridge],
  );

  const index = steps.indexOf(state.selected);
  const shown = useRef({ index: -1, run });
  useEffect(() => {
    if (index < 0) return;
    // One step on keeps the page still where it can; a jump puts the step on top, with its text below.
    const jumped = shown.current.run !== run || Math.abs(shown.current.index - index) > 1;
    shown.current = { index, run };
    list.current?.scrollToIndex(index, { align: jumped ? 'start' : 'nearest' });
  }, [index, run]);

  useEffect(() => {
    // Code opening beside makes the page narrow and rows taller; the selected step must stay in view.
    const element = rows.current;
    if (!element) return;
    const observer = new ResizeObserver(() => {
      const { index: at } = shown.current;
      const handle = list.current;
      if (at < 0 || !handle) return;
      const tall = handle.getItemSize(at) > handle.viewportSize;
      handle.scrollToIndex(at, { align: tall ? 'start' : 'nearest' });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [run]);

  const act = (action: KeyAction) => perform(action, { state, steps, select, dispatch, bridge, search, rows });
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    act(action);
  };

  return (
    <main class="trace">
      {state.head && <Header head={state.head} bridge={bridge} onGoTo={select} />}
      {state.failure && (
        <p class="notice failure" role="alert">
          {state.failure.message} {state.failure.nextStep}
        </p>
      )}
      {state.head && (
        <FilterBar
          state={state}
          shown={steps.length}
          inputRef={search}
          onFilter={(filter) => dispatch({ type: 'filter', filter })}
          onLeave={() => rows.current?.focus()}
        />
      )}
      {!state.head && !state.failure && <p class="dim loading">Reading the trace.</p>}
      {state.head && (
        <div
          ref={rows}
          class="rows"
          role="listbox"
          tabIndex={0}
          aria-label={`Steps of ${state.head.title}`}
          aria-activedescendant={index >= 0 ? `step-${state.selected}` : undefined}
          onKeyDown={onKeyDown}
        >
          <StepList
            state={state}
            steps={steps}
            list={list}
            bridge={bridge}
            onSelect={select}
            onToggle={() => act('toggle')}
          />
        </div>
      )}
    </main>
  );
}

interface Acting {
  state: PageState;
  steps: readonly number[];
  select(n: number): void;
  dispatch(action: PageAction): void;
  bridge: TraceBridge;
  search: { current: HTMLElement | null };
  rows: { current: HTMLElement | null };
}

const distances: Partial<Record<KeyAction, number>> = {
  down: 1,
  up: -1,
  pageDown: 10,
  pageUp: -10,
  first: Number.NEGATIVE_INFINITY,
  last: Number.POSITIVE_INFINITY,
};

function perform(action: KeyAction, { state, steps, select, dispatch, bridge, search }: Acting): void {
  const by = distances[action];
  if (by !== undefined) {
    select(neighbour(steps, state.selected, by));
    return;
  }
  switch (action) {
    case 'openCode':
    case 'goToCode':
      bridge.send({ type: 'openCode', n: state.selected, link: 0, focus: action === 'goToCode' });
      break;
    case 'link1':
    case 'link2':
    case 'link3':
      bridge.send({ type: 'openCode', n: state.selected, link: Number(action.at(-1)) - 1, focus: false });
      break;
    case 'toggle':
      dispatch({ type: 'toggle', n: state.selected });
      break;
    case 'search':
      search.current?.focus();
      break;
    case 'nextError':
    case 'previousError':
      bridge.send({ type: 'nextError', n: state.selected, direction: action === 'nextError' ? 1 : -1 });
      break;
    case 'escape':
      dispatch({ type: 'filter', filter: noFilter });
  }
}

function restore(saved: SavedState | null): PageState {
  if (!saved) return startState;
  return {
    ...startState,
    selected: saved.selected,
    filter: saved.filter,
    open: new Set(saved.open),
    request: 1,
    moved: true,
  };
}
