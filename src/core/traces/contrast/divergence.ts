import type { ActionKind, AlignedRow, DivergenceReason, RunDivergence } from './model';

/** Looking around this many turns and coming back is a detour. */
const DETOUR = 3;
/** Turns after a row that are searched for a return. */
const AHEAD = 6;

/**
 * The first row that matters. Runs of a model differ in nearly every turn, mostly in what is looked at and in which order; such
 * differences are passed over when both runs come back to the same calls. What changes files, ends the run, fails on one
 * side only or leads apart for good is a divergence. Null when no difference matters.
 */
export function divergenceOf(rows: readonly AlignedRow[]): RunDivergence | null {
  for (const [index, row] of rows.entries()) {
    if (row.state === 'same') continue;
    const found = reasonOf(rows, index);
    if (found === null) continue;
    // The other side of a row that only one run has: what that run does next.
    const firstStep = row.first?.step ?? nextStep(rows, index, 'first');
    const secondStep = row.second?.step ?? nextStep(rows, index, 'second');
    return { row: index, reason: found.reason, firstStep, secondStep, why: found.why };
  }
  return null;
}

interface Found {
  reason: DivergenceReason;
  why: string;
}

function reasonOf(rows: readonly AlignedRow[], index: number): Found | null {
  const row = rows[index];
  const { first, second } = row;
  if (first !== null && second !== null) {
    if (row.differs.includes('resultClass')) {
      const [a, b] = [first.result.class, second.result.class];
      const call = row.differs.includes('arguments') ? 'A like call' : 'The same call';
      if (a === 'error' || b === 'error' || a === 'none' || b === 'none')
        return { reason: 'resultClass', why: `${call} ${ended(a)} in the first run and ${ended(b)} in the second.` };
    }
    const acts = row.differs.includes('arguments') ? actsApart(first.action, second.action) : null;
    if (acts !== null) return acts;
    if (row.differs.includes('result') && !row.differs.includes('arguments') && leadsApart(rows, index))
      return {
        reason: 'resultThenOtherCalls',
        why: 'The same call has another result, and the runs make other calls after it.',
      };
  }
  const alone = first === null || second === null ? (first ?? second) : null;
  const side = first === null ? 'second' : 'first';
  if (alone !== null) {
    if (alone.action === 'submit') return { reason: 'submit', why: `Only the ${side} run ${DOES.submit.one} here.` };
    if (nextStep(rows, index, side === 'first' ? 'second' : 'first') === null)
      return { reason: 'end', why: `The ${side === 'first' ? 'second' : 'first'} run has ended; the other goes on.` };
    if (alone.action === 'change' && !madeNearby(rows, index)) {
      return { reason: 'change', why: `Only the ${side} run ${DOES.change.one} here.` };
    }
  }
  if (!comesBack(rows, index))
    return { reason: 'noReturn', why: 'From here on the runs make other calls and do not come back together.' };
  return null;
}

const DOES = {
  submit: { both: 'hand their work in', one: 'hands its work in' },
  change: { both: 'change something', one: 'changes something' },
};

/** Like calls with other arguments: what they change or hand in matters, also where only one of them does. */
function actsApart(first: ActionKind, second: ActionKind): Found | null {
  for (const reason of ['submit', 'change'] as const) {
    if (first === reason && second === reason)
      return { reason, why: `Both runs ${DOES[reason].both} here, but with other arguments.` };
    if (first === reason || second === reason)
      return { reason, why: `Only the ${first === reason ? 'first' : 'second'} run ${DOES[reason].one} here.` };
  }
  return null;
}

function ended(result: string): string {
  if (result === 'error') return 'fails';
  return result === 'none' ? 'gets no result' : result === 'empty' ? 'gives nothing' : 'succeeds';
}

/** The other run makes the same change a little earlier or later, so only the order differs. */
function madeNearby(rows: readonly AlignedRow[], index: number): boolean {
  const row = rows[index];
  const mine = row.first ?? row.second;
  if (mine === null) return false;
  const key = (calls: typeof mine.calls) => calls.map(({ name, preview }) => `${name} ${preview}`).join('\n');
  return rows.slice(Math.max(0, index - AHEAD), index + 1 + AHEAD).some((near) => {
    const other = row.first === null ? near.first : near.second;
    return near.state !== 'same' && other !== null && key(other.calls) === key(mine.calls);
  });
}

/** Whether the rows after this one are of one side only or changed: the result led elsewhere. */
function leadsApart(rows: readonly AlignedRow[], index: number): boolean {
  const next = rows[index + 1];
  return next !== undefined && next.state !== 'same' && !onlyResults(next);
}

function onlyResults(row: AlignedRow): boolean {
  return row.state === 'changed' && !row.differs.includes('arguments') && !row.differs.includes('tool');
}

/** Looking around is a detour when the same calls come soon after it. */
function comesBack(rows: readonly AlignedRow[], index: number): boolean {
  let alone = 0;
  for (const row of rows.slice(index, index + AHEAD)) {
    if (row.state === 'same' || onlyResults(row)) return true;
    if (row.state !== 'changed') alone += 1;
    if (alone > DETOUR * 2) return false;
  }
  // A similar call that is no change is followed on; the end of both runs needs no return.
  return rows[index].state === 'changed' ? index + AHEAD < rows.length : index + 1 >= rows.length;
}

function nextStep(rows: readonly AlignedRow[], index: number, side: 'first' | 'second'): number | null {
  for (let at = index; at < rows.length; at += 1) {
    const step = rows[at][side]?.step;
    if (step !== undefined) return step;
  }
  return null;
}
