import { diffArrays } from 'diff';
import type { ComparePair } from '../../../webview/shared/compareProtocol';
import type { StepMark } from './survey';

interface Turn {
  /** First and last step. */
  from: number;
  to: number;
  key: string;
}

/** Turns that may differ before the runs are laid beside each other turn by turn only. */
const mostEdits = 3000;

/**
 * Lays two runs beside each other: turns with equal calls in one line, the ones between them in pairs as far as they go.
 * Every step of both runs stands in exactly one pair, in its order.
 */
export function alignRuns(left: readonly StepMark[], right: readonly StepMark[]): ComparePair[] {
  const [a, b] = [turnsOf(left), turnsOf(right)];
  const changes = diffArrays(
    a.map((turn) => turn.key),
    b.map((turn) => turn.key),
    { maxEditLength: mostEdits },
  ) ?? [
    { removed: true, added: false, value: a.map((turn) => turn.key) },
    { removed: false, added: true, value: b.map((turn) => turn.key) },
  ];
  const pairs: ComparePair[] = [];
  let [at, beside] = [0, 0];
  let open: { left: Turn[]; right: Turn[] } = { left: [], right: [] };
  const flush = () => {
    for (let index = 0; index < Math.max(open.left.length, open.right.length); index++) {
      pairs.push(...pairTurns(open.left[index], open.right[index], left, right));
    }
    open = { left: [], right: [] };
  };
  for (const { removed, added, value } of changes) {
    if (removed) {
      open.left.push(...a.slice(at, at + value.length));
      at += value.length;
    } else if (added) {
      open.right.push(...b.slice(beside, beside + value.length));
      beside += value.length;
    } else {
      flush();
      for (const _ of value) pairs.push(...pairTurns(a[at++], b[beside++], left, right));
    }
  }
  flush();
  return pairs;
}

/** A turn is a step of the agent with what follows; the prompt before the first one is a turn too. */
function turnsOf(marks: readonly StepMark[]): Turn[] {
  const turns: Turn[] = [];
  marks.forEach((mark, index) => {
    const open = turns.at(-1);
    if (mark.kind === 'agent' || !open) {
      // Two turns without a call do the same thing, whatever is said in them.
      turns.push({ from: index + 1, to: index + 1, key: mark.kind === 'agent' ? `agent ${mark.calls}` : 'prompt' });
    } else open.to = index + 1;
  });
  return turns;
}

function pairTurns(
  a: Turn | undefined,
  b: Turn | undefined,
  left: readonly StepMark[],
  right: readonly StepMark[],
): ComparePair[] {
  const pairs: ComparePair[] = [];
  const length = Math.max(a ? a.to - a.from : -1, b ? b.to - b.from : -1) + 1;
  for (let offset = 0; offset < length; offset++) {
    const x = a && a.from + offset <= a.to ? a.from + offset : null;
    const y = b && b.from + offset <= b.to ? b.from + offset : null;
    pairs.push({
      left: x,
      right: y,
      state: stateOf(x === null ? null : left[x - 1]!, y === null ? null : right[y - 1]!),
    });
  }
  return pairs;
}

function stateOf(x: StepMark | null, y: StepMark | null): ComparePair['state'] {
  if (!x) return 'onlyRight';
  if (!y) return 'onlyLeft';
  if (x.kind !== y.kind || x.calls !== y.calls) return 'calls';
  return x.isError !== y.isError || x.digest !== y.digest ? 'texts' : 'same';
}
