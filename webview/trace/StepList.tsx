import { useCallback, useEffect, useMemo, useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { KeyAction } from './keys';
import { type PageState, pageSize, pagesToAsk } from './pageState';
import { StepRow } from './StepRow';
import type { TraceBridge } from './savedState';

interface Props {
  state: PageState;
  steps: readonly number[];
  list: { current: VirtualizerHandle | null };
  bridge: TraceBridge;
  onSelect(n: number): void;
  onAct(action: KeyAction, n: number): void;
  onScrolled(): void;
}

/** The virtual list of steps; asks the host for the pages in view and for what is open. */
export function StepList({ state, steps, list, bridge, onSelect, onAct, onScrolled }: Props) {
  /** Pages asked for since the rows last became old. */
  const asked = useRef(new Set<number>());
  const { head, rows, generation } = state;

  const ask = useCallback(() => {
    const handle = list.current;
    if (!handle) return;
    const first = Math.max(0, handle.findItemIndex(handle.scrollOffset) - 5);
    const last = handle.findItemIndex(handle.scrollOffset + handle.viewportSize) + 5;
    for (const from of pagesToAsk(steps.slice(first, last + 1), asked.current)) {
      asked.current.add(from);
      bridge.send({ type: 'rows', from, to: Math.min(from + pageSize - 1, head?.stepCount ?? from) });
    }
  }, [bridge, head, list, steps]);

  const counted = useRef(head?.stepCount);
  useEffect(() => {
    if (counted.current === head?.stepCount) return;
    counted.current = head?.stepCount;
    // The last page had room for steps that came since.
    const last = Math.floor(Math.max(0, (head?.stepCount ?? 1) - 1) / pageSize) * pageSize + 1;
    for (const from of [last, last - pageSize]) asked.current.delete(from);
    ask();
  }, [head?.stepCount]);

  useEffect(() => {
    // A new run or new links: what is in view is asked for again.
    asked.current.clear();
    ask();
  }, [head?.run, generation]);

  useEffect(ask, [ask]);
  const scrolled = () => {
    ask();
    onScrolled();
  };
  useOpenSteps(state, bridge);

  const hits = useMemo(() => new Set(state.found.hits), [state.found.hits]);
  const openCode = useCallback(
    (n: number, link: number, focus: boolean) => bridge.send({ type: 'openCode', n, link, focus, other: false }),
    [bridge],
  );

  const openRun = useCallback((run: string) => bridge.send({ type: 'openRun', run }), [bridge]);

  if (steps.length === 0) {
    return (
      <p class="dim loading">
        {state.found.done ? 'No step matches. Escape clears search and filters.' : 'Looking through the steps.'}
      </p>
    );
  }
  return (
    <Virtualizer ref={list} data={steps} onScroll={scrolled} onResize={ask}>
      {(n: number) => (
        <StepRow
          key={n}
          n={n}
          of={head?.stepCount ?? 0}
          row={rows.get(n)}
          open={openStep(state, n)}
          selected={n === state.selected}
          hit={hits.has(n)}
          onSelect={onSelect}
          onAct={onAct}
          onGoTo={onSelect}
          onOpenRun={openRun}
          onOpenCode={openCode}
        />
      )}
    </Virtualizer>
  );
}

function openStep(state: PageState, n: number) {
  if (!state.open.has(n)) return null;
  const raw = state.raw.has(n) ? state.raws.get(n) : null;
  return { body: state.bodies.get(n), raw, images: state.images, markdown: state.shows.markdown };
}

/** Asks once for each text, record and image that is open and not there yet. */
function useOpenSteps(state: PageState, bridge: TraceBridge): void {
  const asked = useRef(new Set<string>());
  const { head, open, raw, bodies, raws, images, generation } = state;
  useEffect(() => asked.current.clear(), [head?.run, generation]);
  useEffect(() => {
    const wanted = new Set<string>();
    const want = (key: string, send: () => void) => {
      wanted.add(key);
      if (asked.current.has(key)) return;
      asked.current.add(key);
      send();
    };
    for (const n of open) {
      if (raw.has(n)) {
        if (!raws.has(n)) want(`raw ${n}`, () => bridge.send({ type: 'raw', n }));
        continue;
      }
      const body = bodies.get(n);
      if (!body) want(`body ${n}`, () => bridge.send({ type: 'body', n }));
      for (let index = 0; index < (body?.images ?? 0); index++) {
        if (!images.has(`${n}:${index}`)) want(`image ${n} ${index}`, () => bridge.send({ type: 'image', n, index }));
      }
    }
    for (const key of asked.current) if (!wanted.has(key)) asked.current.delete(key);
  }, [bridge, open, raw, bodies, raws, images]);
}
