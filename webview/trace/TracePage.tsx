import { useCallback, useEffect, useMemo, useReducer, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import { searchWords } from '../shared/markedText';
import { MarkedWords } from '../shared/Text';
import { CompareView } from './CompareView';
import { compareHelp } from './compareState';
import { FilterBar } from './FilterBar';
import { Header } from './Header';
import { KeyHelp } from './KeyHelp';
import { actionOf, type KeyAction, keyHelp } from './keys';
import { Outline } from './Outline';
import { isEmpty, listed, type PageState, reduce, startState } from './pageState';
import { perform } from './perform';
import { StepList } from './StepList';
import type { SavedState, TraceBridge } from './savedState';
import { useFollowing } from './useFollowing';
import { useKeepInView } from './useKeepInView';

/** The page of one trace: head, filter, outline, steps. The host owns the data; the page shows windows of it. */
export function TracePage({ bridge }: { bridge: TraceBridge }) {
  const [state, dispatch] = useReducer(reduce, bridge.restored, restore);
  const list = useRef<VirtualizerHandle>(null);
  const search = useRef<HTMLElement>(null);
  const outline = useRef<HTMLElement>(null);
  const rows = useRef<HTMLDivElement>(null);
  const steps = useMemo(() => listed(state), [state.found.steps, state.head, state.filter]);
  const words = useMemo(() => searchWords(state.filter.text), [state.filter.text]);
  const toRows = useCallback(() => rows.current?.focus(), []);

  useEffect(() => {
    const stop = bridge.onMessage((message) => dispatch({ type: 'message', message }));
    bridge.send({ type: 'ready', run: bridge.restored?.run ?? null });
    return stop;
  }, [bridge]);

  const run = state.head?.run;
  const comparing = state.compare !== null;
  useEffect(() => {
    if (run && !comparing) toRows();
  }, [run, comparing]);

  useSaved(state, bridge);

  useEffect(() => {
    if (run && !isEmpty(state.filter)) {
      bridge.send({ type: 'search', request: state.request, filter: state.filter });
    }
  }, [bridge, run, state.request]);

  const select = useCallback(
    (n: number) => {
      dispatch({ type: 'select', n });
      bridge.send({ type: 'select', n, other: false });
    },
    [bridge],
  );

  const index = steps.indexOf(state.selected);
  useKeepInView({ list, rows, index, run: comparing ? undefined : run });

  const { atEnd, onScrolled, follow } = useFollowing({ list, count: steps.length, fresh: state.fresh, dispatch });
  const acting = { state, steps, select, dispatch, bridge, search, outline, follow };
  // Rows keep the function they are given, so it must see the state of now.
  const now = useRef(acting);
  now.current = acting;
  const act = useCallback((action: KeyAction, n: number) => perform(action, n, now.current), []);
  const onKeyDown = (event: KeyboardEvent) => {
    const action = actionOf(event);
    if (!action) return;
    event.preventDefault();
    act(action, state.selected);
  };

  return (
    <main class="trace">
      {state.head && <Header head={state.head} bridge={bridge} onGoTo={select} onHelp={() => act('help', 0)} />}
      {state.failure && (
        <p class="notice failure" role="alert">
          {state.failure.message} {state.failure.nextStep}
        </p>
      )}
      {!state.head && !state.failure && <p class="dim loading">Reading the trace.</p>}
      {state.head && state.compare && (
        <CompareView
          compare={state.compare}
          rows={state.rows}
          stepCount={state.head.stepCount}
          generation={state.generation}
          bridge={bridge}
          dispatch={dispatch}
        />
      )}
      {state.head && !state.compare && (
        <>
          <FilterBar
            state={state}
            shown={steps.length}
            inputRef={search}
            onFilter={(filter) => dispatch({ type: 'filter', filter })}
            onHit={(direction) => act(direction === 1 ? 'nextHit' : 'previousHit', state.selected)}
            onSeek={(direction) => dispatch({ type: 'seek', direction })}
            onLeave={toRows}
          />
          <div class="panes">
            {state.shows.outline && state.outline.length > 0 && (
              <Outline
                entries={state.outline}
                selected={state.selected}
                panel={outline}
                onGoTo={select}
                onLeave={toRows}
              />
            )}
            {state.fresh > 0 && !atEnd.current && (
              <button type="button" class="tool fresh" title="Key F" onClick={follow}>
                {state.fresh === 1 ? '1 new step' : `${state.fresh} new steps`}, follow
              </button>
            )}
            <div
              ref={rows}
              class="rows"
              role="listbox"
              tabIndex={0}
              aria-label={`Steps of ${state.head.title}`}
              aria-activedescendant={index >= 0 ? `step-${state.selected}` : undefined}
              onKeyDown={onKeyDown}
            >
              <MarkedWords.Provider value={words}>
                <StepList
                  state={state}
                  steps={steps}
                  list={list}
                  bridge={bridge}
                  onSelect={select}
                  onAct={act}
                  onScrolled={onScrolled}
                />
              </MarkedWords.Provider>
            </div>
          </div>
        </>
      )}
      {state.shows.help && (
        <KeyHelp
          help={state.compare ? compareHelp : keyHelp}
          onClose={() => {
            act('help', 0);
            toRows();
          }}
        />
      )}
      <p class="spoken" role="status">
        {state.said}
      </p>
    </main>
  );
}

/** Keeps ids and positions for after a reload. */
function useSaved(state: PageState, bridge: TraceBridge): void {
  const run = state.head?.run;
  const { selected, filter, open, raw, shows } = state;
  useEffect(() => {
    if (!run) return;
    const { outline, markdown } = shows;
    bridge.save({ run, selected, filter, open: [...open], raw: [...raw], outline, markdown });
  }, [bridge, run, selected, filter, open, raw, shows]);
}

function restore(saved: SavedState | null): PageState {
  if (!saved) return startState;
  return {
    ...startState,
    selected: saved.selected,
    filter: saved.filter,
    open: new Set(saved.open),
    raw: new Set(saved.raw),
    shows: { help: false, outline: saved.outline, markdown: saved.markdown },
    request: isEmpty(saved.filter) ? 0 : 1,
    moved: true,
  };
}
