import type { TraceReader } from '../../traces';
import type { RecordedWindow, Recording } from './model';

/** What ran for one step: how often each function was entered, by its id, and how the step was found in the recording. */
export interface RanFunctions {
  counts: ReadonlyMap<number, number>;
  how: 'order' | 'time';
}

const BEFORE_RUN = 5;
const AFTER_RUN = 10;

/** The windows of one model call. */
interface Call {
  model: RecordedWindow[];
  after: RecordedWindow[];
}

/**
 * Which functions ran for each step of a run. A recording is cut at model calls, and so is a trace: what stands before the
 * first turn of the model belongs to what ran before the first call, a turn to the call and what followed from it, all other
 * steps to what followed. Turns and calls are joined by their order when there are as many, else by time; steps of a run that
 * cannot be joined so are absent. Threads and processes that asked no model belong to the windows in whose time they ran.
 */
export async function assignSteps(recording: Recording, reader: TraceReader): Promise<Map<number, RanFunctions>> {
  const turns: { n: number; time: number | null }[] = [];
  const kinds: string[] = [];
  for (let n = 1; n <= reader.stepCount; n += 1) {
    const step = await reader.step(n);
    kinds.push(step.kind);
    if (step.kind === 'agent' && !step.copied) turns.push({ n, time: secondsOf(step.time) });
  }
  const span = spanOf(reader);
  const own = recording.windows.filter(({ from, to }) => span === null || (to >= span.from && from <= span.to));
  const found = joined(own, turns);
  if (found === null) return new Map();
  const { before, calls, how } = found;
  const others = own.filter(({ stream }) => stream !== found.stream);
  const assigned = new Map<number, RanFunctions>();
  let turn = -1;
  for (const [at] of kinds.entries()) {
    const isTurn = turns[turn + 1]?.n === at + 1;
    if (isTurn) turn += 1;
    const call = calls[turn];
    if (turn >= 0 && call === undefined) continue;
    const windows = call === undefined ? before : isTurn ? [...call.model, ...call.after] : call.after;
    assigned.set(at + 1, { counts: sum([...windows, ...during(others, windows)]), how });
  }
  return assigned;
}

interface Joined {
  stream: string;
  before: RecordedWindow[];
  /** One for each turn. */
  calls: (Call | undefined)[];
  how: 'order' | 'time';
}

/** The thread that asked the model as often as the run has turns, or of which as many calls can be found by time. */
function joined(windows: readonly RecordedWindow[], turns: readonly { time: number | null }[]): Joined | null {
  const streams = new Map<string, RecordedWindow[]>();
  for (const window of windows) streams.set(window.stream, [...(streams.get(window.stream) ?? []), window]);
  let best: Joined | null = null;
  for (const [stream, own] of streams) {
    const before = own.filter(({ phase }) => phase === 'before');
    const calls = callsOf(own);
    if (calls.length === 0) continue;
    // A call that failed after all leaves no turn; one at the end is the only one that order forgives.
    if (calls.length === turns.length) return { stream, before, calls, how: 'order' };
    const timed = byTime(calls, turns);
    const count = (one: Joined | null) => one?.calls.filter((call) => call !== undefined).length ?? 0;
    if (timed !== null && timed.length > count(best)) best = { stream, before, calls: timed, how: 'time' };
  }
  return best;
}

function callsOf(windows: readonly RecordedWindow[]): Call[] {
  const calls = new Map<number, Call>();
  for (const window of windows) {
    if (window.phase === 'before') continue;
    const call = calls.get(window.call) ?? { model: [], after: [] };
    call[window.phase].push(window);
    calls.set(window.call, call);
  }
  return [...calls].sort(([left], [right]) => left - right).map(([, call]) => call);
}

/** For each turn the last call that was answered before the time of the turn, none twice. Null where times are missing. */
function byTime(calls: readonly Call[], turns: readonly { time: number | null }[]): (Call | undefined)[] | null {
  if (turns.some(({ time }) => time === null)) return null;
  let next = 0;
  return turns.map(({ time }, at) => {
    const until = turns[at + 1]?.time ?? Number.POSITIVE_INFINITY;
    let found: Call | undefined;
    for (; next < calls.length; next += 1) {
      const call = calls[next];
      const start = call?.model[0]?.from ?? 0;
      if (start > (time ?? 0) + 0.5 || start >= until) break;
      found = call;
    }
    return found;
  });
}

function during(others: readonly RecordedWindow[], windows: readonly RecordedWindow[]): RecordedWindow[] {
  return others.filter((other) => windows.some(({ from, to }) => other.from < to && other.to > from));
}

function sum(windows: readonly RecordedWindow[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { functions } of windows)
    for (const [id, count] of functions) counts.set(id, (counts.get(id) ?? 0) + count);
  return counts;
}

/** When the run took place, with some room: onset and end of a harness lie outside the times of its steps. */
function spanOf({ run }: TraceReader): { from: number; to: number } | null {
  const [from, to] = [secondsOf(run.started), secondsOf(run.ended)];
  return from === null || to === null ? null : { from: from - BEFORE_RUN, to: to + AFTER_RUN };
}

function secondsOf(time: string | null | undefined): number | null {
  const parsed = time ? Date.parse(time) / 1000 : Number.NaN;
  return Number.isFinite(parsed) ? parsed : null;
}
