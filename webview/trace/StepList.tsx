import { useCallback, useEffect, useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { type PageState, pageSize, pagesToAsk } from './pageState';
import { StepRow } from './StepRow';
import type { TraceBridge } from './savedState';

interface Props {
  state: PageState;
  steps: readonly number[];
  list: { current: VirtualizerHandle | null };
  bridge: TraceBridge;
  onSelect(n: number): void;
  onToggle(): void;
}

/** The virtual list of steps; asks the host for the pages in view and for texts that are open. */
export function StepList({ state, steps, list, bridge, onSelect, onToggle }: Props) {
  /** Pages asked for since the rows last became old. */
  const asked = useRef(new Set<number>());
  const bodiesAsked = useRef(new Set<number>());
  const { head, rows, bodies, open, generation } = state;

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

  useEffect(() => {
    // A new run or new links: what is in view is asked for again.
    asked.current.clear();
    ask();
  }, [head?.run, generation]);

  useEffect(ask, [ask]);

  useEffect(() => {
    bodiesAsked.current.clear();
  }, [head?.run]);

  useEffect(() => {
    for (const n of open) {
      if (bodies.has(n) || bodiesAsked.current.has(n)) continue;
      bodiesAsked.current.add(n);
      bridge.send({ type: 'body', n });
    }
    for (const n of bodiesAsked.current) if (!open.has(n)) bodiesAsked.current.delete(n);
  }, [bridge, open, bodies]);

  if (steps.length === 0) return <p class="dim loading">No step matches. Escape clears the filter.</p>;
  return (
    <Virtualizer ref={list} data={steps} onScroll={ask} onResize={ask}>
      {(n: number) => (
        <StepRow
          key={n}
          n={n}
          of={head?.stepCount ?? 0}
          row={rows.get(n)}
          body={open.has(n) ? bodies.get(n) : undefined}
          open={open.has(n)}
          selected={n === state.selected}
          onSelect={onSelect}
          onToggle={onToggle}
          onOpenCode={(link, focus) => bridge.send({ type: 'openCode', n, link, focus })}
        />
      )}
    </Virtualizer>
  );
}
