import type { BodyPart, RowFilter, ToTracePage, TraceHead, TraceRow } from '../shared/traceProtocol';

/** Rows are asked for in pages of this many, so that scrolling makes few messages. */
export const pageSize = 40;

/** Whole texts kept at once; older ones are asked for again when opened. */
const bodiesKept = 40;

export interface PageState {
  head: TraceHead | null;
  rows: ReadonlyMap<number, TraceRow>;
  bodies: ReadonlyMap<number, BodyPart[]>;
  open: ReadonlySet<number>;
  selected: number;
  filter: RowFilter;
  /** Steps to show in order; null shows all. */
  found: readonly number[] | null;
  complete: boolean;
  request: number;
  failure: { message: string; nextStep: string | null } | null;
  /** Raised when links or findings changed: rows in view are asked for again, old ones stay until new ones come. */
  generation: number;
  /** True once the person, or a command, went somewhere; from then on the page does not move by itself. */
  moved: boolean;
}

export type PageAction =
  | { type: 'message'; message: ToTracePage }
  | { type: 'select'; n: number }
  | { type: 'toggle'; n: number }
  | { type: 'filter'; filter: RowFilter };

export const noFilter: RowFilter = { text: '', kinds: [], errorsOnly: false };

export const startState: PageState = {
  head: null,
  rows: new Map(),
  bodies: new Map(),
  open: new Set(),
  selected: 1,
  filter: noFilter,
  found: null,
  complete: true,
  request: 0,
  failure: null,
  generation: 0,
  moved: false,
};

/** Next state of the page; pure. */
export function reduce(state: PageState, action: PageAction): PageState {
  switch (action.type) {
    case 'message':
      return receive(state, action.message);
    case 'select':
      return { ...state, selected: clamp(action.n, state), moved: true };
    case 'toggle': {
      const open = new Set(state.open);
      if (!open.delete(action.n)) open.add(action.n);
      return { ...state, open, moved: true };
    }
    case 'filter': {
      const request = state.request + 1;
      if (isEmpty(action.filter)) return { ...state, filter: action.filter, found: null, complete: true, request };
      return { ...state, filter: action.filter, request };
    }
  }
}

function receive(state: PageState, message: ToTracePage): PageState {
  switch (message.type) {
    case 'head': {
      const { head } = message;
      const { filter, request } = state;
      if (state.head?.run === head.run) {
        // What a long trace says about itself comes after its first rows.
        return state.moved || !head.startReason ? { ...state, head } : { ...state, head, ...startOf(head) };
      }
      const restored = state.head === null && state.moved;
      const place = restored ? { selected: state.selected, open: state.open } : startOf(head);
      return { ...startState, filter, request, head, ...place, moved: restored };
    }
    case 'rows': {
      const rows = new Map(state.rows);
      for (const row of message.rows) rows.set(row.n, row);
      return { ...state, rows };
    }
    case 'body': {
      const bodies = new Map(state.bodies);
      bodies.delete(message.n);
      bodies.set(message.n, message.parts);
      // A text that is on the page is not asked for again, so it stays.
      for (const n of bodies.keys()) {
        if (bodies.size > bodiesKept && n !== message.n && !state.open.has(n)) bodies.delete(n);
      }
      return { ...state, bodies };
    }
    case 'found':
      // Answers to an earlier filter come late and say nothing about this one.
      return message.request === state.request ? { ...state, found: message.steps, complete: message.complete } : state;
    case 'goTo':
      return { ...state, selected: clamp(message.n, state), open: new Set([...state.open, message.n]), moved: true };
    case 'stale':
      return { ...state, generation: state.generation + 1 };
    case 'failed':
      return { ...state, failure: { message: message.message, nextStep: message.nextStep } };
  }
}

function startOf(head: TraceHead): Pick<PageState, 'selected' | 'open'> {
  return { selected: head.startAt, open: new Set(head.startReason ? [head.startAt] : []) };
}

/** True when the filter hides nothing. */
export function isEmpty(filter: RowFilter): boolean {
  return !filter.text.trim() && filter.kinds.length === 0 && !filter.errorsOnly;
}

/** The steps in the list, by number. */
export function listed(state: PageState): readonly number[] {
  return state.found ?? Array.from({ length: state.head?.stepCount ?? 0 }, (_, index) => index + 1);
}

/** The step `by` rows away from the selected one in the list; stops at both ends. */
export function neighbour(steps: readonly number[], selected: number, by: number): number {
  if (steps.length === 0) return selected;
  if (!Number.isFinite(by)) return (by > 0 ? steps.at(-1) : steps[0])!;
  const at = steps.indexOf(selected);
  // A selected step that is filtered out: go to the nearest listed one in that direction.
  if (at === -1) return (by > 0 ? steps.find((n) => n > selected) : steps.findLast((n) => n < selected)) ?? steps[0]!;
  return steps[Math.min(steps.length - 1, Math.max(0, at + by))]!;
}

/** First steps of the pages that hold these steps, without those already asked for. */
export function pagesToAsk(steps: readonly number[], asked: ReadonlySet<number>): number[] {
  const pages = new Set<number>();
  for (const n of steps) {
    const page = Math.floor((n - 1) / pageSize) * pageSize + 1;
    if (!asked.has(page)) pages.add(page);
  }
  return [...pages];
}

function clamp(n: number, state: PageState): number {
  return Math.min(Math.max(1, n), Math.max(1, state.head?.stepCount ?? 1));
}
