import { useCallback, useEffect, useRef } from 'preact/hooks';
import type { VirtualizerHandle } from 'virtua';
import type { PageAction } from './pageState';

interface Following {
  list: { current: VirtualizerHandle | null };
  /** Rows in the list. */
  count: number;
  /** New rows that were not seen yet. */
  fresh: number;
  dispatch(action: PageAction): void;
}

/** Pixels from the end that still count as its end. */
const nearEnd = 40;

/** Stays at the end of a list that grows while the end is in view; scrolling up pauses that, `follow` resumes it. */
export function useFollowing({ list, count, fresh, dispatch }: Following) {
  const atEnd = useRef(false);
  const onScrolled = useCallback(() => {
    const handle = list.current;
    if (!handle) return;
    atEnd.current = handle.scrollOffset + handle.viewportSize >= handle.scrollSize - nearEnd;
    if (atEnd.current) dispatch({ type: 'atEnd' });
  }, [list, dispatch]);
  const follow = useCallback(() => {
    atEnd.current = true;
    list.current?.scrollToIndex(count - 1, { align: 'end' });
    dispatch({ type: 'atEnd' });
  }, [list, count, dispatch]);
  useEffect(() => {
    if (fresh > 0 && atEnd.current) follow();
  }, [fresh]);
  return { atEnd, onScrolled, follow };
}
