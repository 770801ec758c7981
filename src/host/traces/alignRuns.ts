import type { ComparePair } from '../../../webview/shared/compareProtocol';
import type { AlignedRow } from '../../core/traces';
import type { StepMark } from './survey';

/** Steps of a turn, both ends included; null where a run has nothing beside the other. */
type Span = { from: number; to: number } | null;

type Differs = AlignedRow['differs'];

/**
 * The lines of a comparison, step by step, from turns that are laid beside each other. Every step of both runs stands in
 * exactly one line, in its order: what follows a turn until the next one belongs to it, and what comes before the first
 * is compared as a prompt.
 */
export function pairSteps(
  rows: readonly AlignedRow[],
  left: readonly StepMark[],
  right: readonly StepMark[],
): ComparePair[] {
  const firsts = spans(
    rows.map((row) => row.first?.step ?? null),
    left.length,
  );
  const seconds = spans(
    rows.map((row) => row.second?.step ?? null),
    right.length,
  );
  const prompt = (x: StepMark, y: StepMark) => x.kind === y.kind && x.digest === y.digest;
  const pairs = pairSpans(firsts.before, seconds.before, (x, y) =>
    prompt(left[x - 1]!, right[y - 1]!) ? 'same' : 'texts',
  );
  rows.forEach((row, index) => {
    const begin = rows[index]!.first?.step;
    const [calls, texts] = [callsDiffer(row.differs), resultsDiffer(row.differs)];
    const state = (n: number): ComparePair['state'] => {
      if (row.state === 'same') return 'same';
      if (n === begin) return calls ? 'calls' : texts ? 'texts' : 'same';
      return texts ? 'texts' : 'same';
    };
    pairs.push(...pairSpans(firsts.turns[index]!, seconds.turns[index]!, state));
  });
  return pairs;
}

function callsDiffer(differs: Differs): boolean {
  return differs.includes('tool') || differs.includes('arguments');
}

function resultsDiffer(differs: Differs): boolean {
  return differs.includes('result') || differs.includes('resultClass');
}

/** For each turn its steps up to the next turn of the same run, and the steps before the first. */
function spans(starts: readonly (number | null)[], stepCount: number): { before: Span; turns: Span[] } {
  const turns: Span[] = new Array(starts.length).fill(null);
  let to = stepCount;
  for (let index = starts.length - 1; index >= 0; index--) {
    const from = starts[index] ?? null;
    if (from === null) continue;
    turns[index] = { from, to };
    to = from - 1;
  }
  return { before: to >= 1 ? { from: 1, to } : null, turns };
}

function pairSpans(a: Span, b: Span, stateOf: (x: number, y: number) => ComparePair['state']): ComparePair[] {
  const pairs: ComparePair[] = [];
  const length = Math.max(a ? a.to - a.from + 1 : 0, b ? b.to - b.from + 1 : 0);
  for (let offset = 0; offset < length; offset++) {
    const x = a && a.from + offset <= a.to ? a.from + offset : null;
    const y = b && b.from + offset <= b.to ? b.from + offset : null;
    const state = x === null ? 'onlyRight' : y === null ? 'onlyLeft' : stateOf(x, y);
    pairs.push({ left: x, right: y, state });
  }
  return pairs;
}
