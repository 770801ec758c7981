import { nextHit } from './found';
import type { KeyAction } from './keys';
import { neighbour, noFilter, type PageAction, type PageState } from './pageState';
import type { TraceBridge } from './savedState';

/** What an action may need: the state, and the parts of the page that can take the focus. */
export interface Acting {
  state: PageState;
  steps: readonly number[];
  select(n: number): void;
  dispatch(action: PageAction): void;
  bridge: TraceBridge;
  search: { current: HTMLElement | null };
  outline: { current: HTMLElement | null };
  /** Scrolls to the end of the list, where new steps come. */
  follow(): void;
}

const distances: Partial<Record<KeyAction, number>> = {
  down: 1,
  up: -1,
  pageDown: 10,
  pageUp: -10,
  first: Number.NEGATIVE_INFINITY,
  last: Number.POSITIVE_INFINITY,
};

/** Does what a key or a button asks for, about step `n`. */
export function perform(action: KeyAction, n: number, acting: Acting): void {
  const { state, steps, select, dispatch, bridge, search, outline } = acting;
  const by = distances[action];
  if (by !== undefined) {
    select(neighbour(steps, n, by));
    return;
  }
  switch (action) {
    case 'openCode':
    case 'goToCode':
      bridge.send({ type: 'openCode', n, link: 0, focus: action === 'goToCode', other: false });
      break;
    case 'link1':
    case 'link2':
    case 'link3':
      bridge.send({ type: 'openCode', n, link: Number(action.at(-1)) - 1, focus: false, other: false });
      break;
    case 'toggle':
      dispatch({ type: 'toggle', n });
      break;
    case 'raw':
      dispatch({ type: 'toggleRaw', n });
      break;
    case 'markdown':
    case 'help':
      dispatch({ type: 'show', part: action });
      break;
    case 'outline':
      // Hidden, it is shown first; pressed again, the key goes there.
      if (state.shows.outline) outline.current?.focus();
      else dispatch({ type: 'show', part: 'outline' });
      break;
    case 'hideOutline':
      dispatch({ type: 'show', part: 'outline' });
      break;
    case 'copyMarkdown':
      bridge.send({ type: 'copy', n, as: 'markdown' });
      break;
    case 'copyJson':
      bridge.send({ type: 'copy', n, as: 'json' });
      break;
    case 'copyLink':
      bridge.send({ type: 'copy', n, as: 'link' });
      break;
    case 'follow':
      acting.follow();
      break;
    case 'compare':
      bridge.send({ type: 'compare', run: null });
      break;
    case 'difference':
      bridge.send({ type: 'difference', base: null, n, other: false });
      break;
    case 'search':
      search.current?.focus();
      break;
    case 'nextHit':
    case 'previousHit': {
      const direction = action === 'nextHit' ? 1 : -1;
      const hit = nextHit(state.found.hits, n, direction);
      if (hit !== null) select(hit);
      else dispatch({ type: 'seek', direction });
      break;
    }
    case 'onlyHits':
      dispatch({ type: 'filter', filter: { ...state.filter, onlyHits: !state.filter.onlyHits } });
      break;
    case 'nextError':
    case 'previousError':
      bridge.send({ type: 'nextError', n, direction: action === 'nextError' ? 1 : -1 });
      break;
    case 'escape':
      dispatch({ type: 'filter', filter: noFilter });
  }
}
