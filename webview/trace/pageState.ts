import type {
  BodyPart,
  Choice,
  OutlineEntry,
  RawStep,
  RowFilter,
  StepImage,
  ToTracePage,
  TraceHead,
  TraceRow,
} from '../shared/traceProtocol';
import { type CompareState, withComparison } from './compareState';
import { type Found, nextHit, nothingFound, withFound } from './found';

/** Rows are asked for in pages of this many, so that scrolling makes few messages. */
export const pageSize = 40;

/** Whole texts kept at once; older ones are asked for again when opened. */
const bodiesKept = 40;
/** Images kept at once; each may be 2 MB. */
const imagesKept = 24;

/** A step as it was read for the page. */
export interface StepBody {
  parts: BodyPart[];
  images: number;
}

export interface PageState {
  head: TraceHead | null;
  rows: ReadonlyMap<number, TraceRow>;
  bodies: ReadonlyMap<number, StepBody>;
  raws: ReadonlyMap<number, RawStep>;
  /** By `step:index`. */
  images: ReadonlyMap<string, StepImage>;
  open: ReadonlySet<number>;
  /** Open steps that show their record as it stands in the file. */
  raw: ReadonlySet<number>;
  selected: number;
  filter: RowFilter;
  found: Found;
  request: number;
  outline: readonly OutlineEntry[];
  tools: readonly Choice[];
  units: readonly Choice[];
  shows: { outline: boolean; help: boolean; markdown: boolean };
  compare: CompareState | null;
  /** Where to go once a hit is known; 0 when nobody waits for one. */
  seek: 0 | 1 | -1;
  /** Steps that came while the end of the list was not in view. */
  fresh: number;
  failure: { message: string; nextStep: string | null } | null;
  /** What was done last outside the page. */
  said: string;
  /** Raised when links or findings changed: rows in view are asked for again, old ones stay until new ones come. */
  generation: number;
  /** True once the person, or a command, went somewhere; from then on the page does not move by itself. */
  moved: boolean;
}

export type PageAction =
  | { type: 'message'; message: ToTracePage }
  | { type: 'select'; n: number }
  | { type: 'toggle'; n: number }
  | { type: 'toggleRaw'; n: number }
  | { type: 'show'; part: keyof PageState['shows'] }
  | { type: 'comparePlace'; selected: number; side: CompareState['side'] }
  | { type: 'leaveCompare' }
  | { type: 'atEnd' }
  | { type: 'seek'; direction: 1 | -1 }
  | { type: 'filter'; filter: RowFilter };

export const noFilter: RowFilter = { text: '', onlyHits: false, kinds: [], tools: [], unit: null, errorsOnly: false };

export const startState: PageState = {
  head: null,
  rows: new Map(),
  bodies: new Map(),
  raws: new Map(),
  images: new Map(),
  open: new Set(),
  raw: new Set(),
  selected: 1,
  filter: noFilter,
  found: nothingFound,
  request: 0,
  outline: [],
  tools: [],
  units: [],
  shows: { outline: true, help: false, markdown: true },
  compare: null,
  seek: 0,
  fresh: 0,
  failure: null,
  said: '',
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
    case 'toggle':
      return { ...state, open: flipped(state.open, action.n), moved: true };
    case 'toggleRaw': {
      // A closed step opens with its record.
      const raw = state.open.has(action.n) ? flipped(state.raw, action.n) : new Set([...state.raw, action.n]);
      return { ...state, raw, open: new Set([...state.open, action.n]), moved: true };
    }
    case 'show':
      return { ...state, shows: { ...state.shows, [action.part]: !state.shows[action.part] } };
    case 'comparePlace': {
      const { selected, side } = action;
      return { ...state, compare: state.compare && { ...state.compare, selected, side } };
    }
    case 'leaveCompare': {
      // Back in the run of the page, at the step that was looked at.
      const n = state.compare?.pairs[state.compare.selected]?.left ?? state.selected;
      return { ...state, compare: null, selected: n };
    }
    case 'seek':
      return state.found.done ? state : { ...state, seek: action.direction };
    case 'atEnd':
      return state.fresh === 0 ? state : { ...state, fresh: 0 };
    case 'filter': {
      const found = isEmpty(action.filter) ? nothingFound : { ...state.found, hits: [], done: false };
      return { ...state, filter: action.filter, found, seek: 0, request: state.request + 1 };
    }
  }
}

function receive(state: PageState, message: ToTracePage): PageState {
  switch (message.type) {
    case 'head':
      return withHead(state, message.head);
    case 'rows': {
      const rows = new Map(state.rows);
      for (const row of message.rows) rows.set(row.n, row);
      return { ...state, rows };
    }
    case 'body': {
      const { n, parts, images } = message;
      return { ...state, bodies: kept(state.bodies, n, { parts, images }, bodiesKept, (one) => state.open.has(one)) };
    }
    case 'raw':
      return { ...state, raws: kept(state.raws, message.n, message.raw, bodiesKept, (one) => state.raw.has(one)) };
    case 'image': {
      const key = `${message.n}:${message.index}`;
      return { ...state, images: kept(state.images, key, message.image, imagesKept, () => false) };
    }
    case 'outline': {
      const outline = [...state.outline.slice(0, message.at), ...message.entries];
      return { ...state, outline, tools: message.at === 0 ? message.tools : state.tools };
    }
    case 'comparison':
      return { ...state, compare: withComparison(state.compare, message), moved: true };
    case 'otherRows': {
      if (!state.compare) return state;
      const rows = new Map(state.compare.rows);
      for (const row of message.rows) rows.set(row.n, row);
      return { ...state, compare: { ...state.compare, rows } };
    }
    case 'units':
      return { ...state, units: message.units };
    case 'found':
      // Answers to an earlier search come late and say nothing about this one.
      return message.request === state.request ? sought({ ...state, found: withFound(state.found, message) }) : state;
    case 'goTo': {
      const n = clamp(message.n, state);
      return { ...state, selected: n, open: new Set([...state.open, n]), moved: true };
    }
    case 'grew': {
      if (!state.head) return state;
      const fresh = state.fresh + Math.max(0, message.stepCount - state.head.stepCount);
      // What is hidden or has a hit among the new steps is not known yet.
      const request = isEmpty(state.filter) ? state.request : state.request + 1;
      const head = { ...state.head, stepCount: message.stepCount };
      // A file that was written anew may have fewer steps than before.
      return { ...state, head, selected: clamp(state.selected, { head }), fresh, request };
    }
    case 'stale':
      return { ...state, generation: state.generation + 1 };
    case 'said':
      return { ...state, said: message.words };
    case 'failed':
      return { ...state, failure: { message: message.message, nextStep: message.nextStep } };
  }
}

/** Goes to the hit that somebody waits for, as soon as there is one. */
function sought(state: PageState): PageState {
  if (state.seek === 0) return state;
  const hit = nextHit(state.found.hits, state.selected, state.seek);
  if (hit === null) return { ...state, seek: state.found.done ? 0 : state.seek };
  return { ...state, selected: hit, seek: 0, moved: true };
}

function withHead(state: PageState, head: TraceHead): PageState {
  if (state.head?.run === head.run) {
    // What a long trace says about itself comes after its first rows.
    return state.moved || !head.startReason ? { ...state, head } : { ...state, head, ...startOf(head) };
  }
  const { filter, request, shows } = state;
  const restored = state.head === null && state.moved;
  const place = restored ? { selected: state.selected, open: state.open, raw: state.raw } : startOf(head);
  // Tools and units are another run's; words and kinds mean the same in any.
  const carried = restored ? filter : { ...filter, tools: [], unit: null };
  // What is still on its way was found in another run.
  const next = state.head ? request + 1 : request;
  return { ...startState, filter: carried, request: next, shows, head, ...place, moved: restored };
}

function startOf(head: TraceHead): Pick<PageState, 'selected' | 'open'> {
  return { selected: head.startAt, open: new Set(head.startReason ? [head.startAt] : []) };
}

function flipped(set: ReadonlySet<number>, n: number): ReadonlySet<number> {
  const next = new Set(set);
  if (!next.delete(n)) next.add(n);
  return next;
}

/** The map with one more entry; the oldest that are not on the page go when there are too many. */
function kept<K, V>(
  map: ReadonlyMap<K, V>,
  key: K,
  value: V,
  limit: number,
  shown: (key: K) => boolean,
): ReadonlyMap<K, V> {
  const next = new Map(map);
  next.delete(key);
  next.set(key, value);
  // What is on the page is not asked for again, so it stays.
  for (const one of next.keys()) if (next.size > limit && one !== key && !shown(one)) next.delete(one);
  return next;
}

/** True when there is nothing to look for. */
export function isEmpty(filter: RowFilter): boolean {
  return !filter.text.trim() && !hides(filter);
}

/** True when the filter leaves rows out. */
export function hides(filter: RowFilter): boolean {
  const { text, onlyHits, kinds, tools, unit, errorsOnly } = filter;
  return (onlyHits && text.trim() !== '') || kinds.length > 0 || tools.length > 0 || unit !== null || errorsOnly;
}

/** The steps in the list, by number. */
export function listed(state: Pick<PageState, 'found' | 'head' | 'filter'>): readonly number[] {
  const shown = hides(state.filter) ? state.found.steps : null;
  return shown ?? Array.from({ length: state.head?.stepCount ?? 0 }, (_, index) => index + 1);
}

/** The step `by` rows away from the selected one in the list; stops at both ends. */
export function neighbour(steps: readonly number[], selected: number, by: number): number {
  if (steps.length === 0) return selected;
  if (!Number.isFinite(by)) return (by > 0 ? steps.at(-1) : steps[0])!;
  const at = steps.indexOf(selected);
  // A selected step that is filtered out: go to the nearest listed one in that direction.
  if (at === -1 && by > 0) return steps.find((n) => n > selected) ?? steps.at(-1)!;
  if (at === -1) return steps.findLast((n) => n < selected) ?? steps[0]!;
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

function clamp(n: number, state: Pick<PageState, 'head'>): number {
  return Math.min(Math.max(1, n), Math.max(1, state.head?.stepCount ?? 1));
}
