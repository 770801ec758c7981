import type { WorkOptions } from '../../progress';
import type { TraceReader } from '../open';
import { alignSequences } from './align';
import { divergenceOf } from './divergence';
import type { AlignedRow, RunAlignment, RunDivergence } from './model';
import { ALIKE_ENOUGH, differences, similarity } from './similarity';
import { type Turn, turnsOf } from './turns';

/**
 * Two runs side by side, aligned by what was called and what came of it; wording is not compared. `matters` is the first
 * row from which on they go different ways, and says why. Step numbers are those of the readers.
 * @throws CancelledError when the signal is aborted.
 */
export async function compareRuns(
  first: TraceReader,
  second: TraceReader,
  work: WorkOptions = {},
): Promise<RunAlignment> {
  const [a, b] = [await turnsOf(first, work), await turnsOf(second, work)];
  const rows: AlignedRow[] = [];
  const { pairs, approximate } = alignSequences({
    firstKeys: a.map(keyOf),
    secondKeys: b.map(keyOf),
    score: (x, y) => {
      const alike = similarity(a[x], b[y]);
      return alike < ALIKE_ENOUGH ? 0 : alike;
    },
  });
  let [x, y] = [0, 0];
  for (const pair of [...pairs, { first: a.length, second: b.length }]) {
    for (; x < pair.first; x += 1) rows.push(alone('onlyFirst', a[x]));
    for (; y < pair.second; y += 1) rows.push(alone('onlySecond', b[y]));
    if (x < a.length && y < b.length) rows.push(both(a[x++], b[y++]));
  }
  const matters = divergenceOf(rows);
  const count = (state: AlignedRow['state']) => rows.filter((row) => row.state === state).length;
  return {
    first: first.run.id,
    second: second.run.id,
    ...partingOf(rows),
    sentence: sentenceOf(rows, matters),
    rows,
    matters,
    counts: {
      same: count('same'),
      changed: count('changed'),
      onlyFirst: count('onlyFirst'),
      onlySecond: count('onlySecond'),
    },
    approximate,
  };
}

function keyOf(turn: Turn): string {
  return `${turn.tools}\0${turn.argumentsKey}\0${turn.summary.result.class}\0${turn.resultKey}`;
}

function alone(state: 'onlyFirst' | 'onlySecond', { summary }: Turn): AlignedRow {
  const sides = state === 'onlyFirst' ? { first: summary, second: null } : { first: null, second: summary };
  return { state, ...sides, similarity: 0, differs: [] };
}

function both(first: Turn, second: Turn): AlignedRow {
  const differs = differences(first, second);
  return {
    state: differs.length === 0 ? 'same' : 'changed',
    first: first.summary,
    second: second.summary,
    similarity: similarity(first, second),
    differs,
  };
}

/** Where the runs part at all, whether it matters or not. */
function partingOf(rows: readonly AlignedRow[]): Pick<RunAlignment, 'alike' | 'divergence'> {
  const at = rows.findIndex((row) => row.state !== 'same');
  if (at === -1) return { alike: rows.length, divergence: null };
  const rest = rows.slice(at);
  const firstStep = rest.find((row) => row.first !== null)?.first?.step ?? null;
  const secondStep = rest.find((row) => row.second !== null)?.second?.step ?? null;
  const call = rows[at].first === null || rows[at].second === null || rows[at].differs.includes('arguments');
  const what = firstStep === null || secondStep === null ? 'end' : call ? 'call' : 'result';
  return { alike: at, divergence: { what, firstStep, secondStep } };
}

function sentenceOf(rows: readonly AlignedRow[], matters: RunDivergence | null): string {
  const same = rows.filter((row) => row.state === 'same').length;
  if (same === rows.length) return `The runs are alike in all ${rows.length} turns.`;
  const start = `${same} of ${rows.length} rows are the same.`;
  if (matters === null) return `${start} No difference matters: the runs come back to the same calls after each.`;
  const place = [
    matters.firstStep === null ? 'the end of the first run' : `step ${matters.firstStep} of the first run`,
    matters.secondStep === null ? 'the end of the second' : `step ${matters.secondStep} of the second`,
  ].join(', ');
  return `${start} The first difference that matters is at ${place}. ${matters.why}`;
}
