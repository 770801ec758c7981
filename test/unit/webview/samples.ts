import { act } from 'preact/test-utils';
import type { Bridge } from '../../../webview/shared/bridge';
import type {
  CompareHead,
  MapNode,
  MapStage,
  MapView,
  ResultRow,
  ResultsView,
  TraceHead,
  TraceRow,
} from '../../../webview/shared/protocol';

export const sampleHead = (over: Partial<TraceHead> = {}): TraceHead => ({
  run: 'r-1',
  title: 'fix-date-parser',
  outcome: { icon: 'error', words: 'failed', tone: 'bad' },
  facts: ['100 steps', '$0.12'],
  stepCount: 100,
  startAt: 17,
  startReason: 'Opened at the first finding.',
  warnings: [],
  linksMissing: null,
  runs: [{ run: 'r-1', label: 'run 1' }],
  findings: [{ title: 'no action turn', steps: [17, 19] }],
  ...over,
});

export const sampleRow = (n: number, over: Partial<TraceRow> = {}): TraceRow => ({
  n,
  kind: 'agent',
  who: 'agent',
  preview: `reply ${n}`,
  textLength: 8,
  calls: [],
  isError: false,
  tokensOut: null,
  time: null,
  copied: false,
  links: [],
  findings: [],
  same: null,
  relations: [],
  ...over,
});

export const sampleComparison = (over: Partial<CompareHead> = {}): CompareHead => ({
  run: 'r-2',
  leftTitle: 'run 1, failed',
  rightTitle: 'run 2, passed',
  rightOutcome: { icon: 'pass', words: 'passed', tone: 'good' },
  rightSteps: 50,
  sentence: 'The first 2 turns are alike.',
  divergence: { left: 3, right: 3 },
  ...over,
});

export const sampleResult = (task: string, over: Partial<ResultRow> = {}): ResultRow => ({
  task,
  baseline: { passed: 2, of: 3, missing: 0 },
  candidate: { passed: 3, of: 3, missing: 0 },
  group: 'flipped up',
  regression: false,
  predicted: null,
  baselineTrace: null,
  candidateTrace: null,
  output: null,
  ...over,
});

export const sampleView = (over: Partial<ResultsView> = {}): ResultsView => ({
  run: 'r-1',
  title: 'Say more',
  state: 'finished',
  verdict: 'accept',
  sentence: 'Accept.',
  notes: ['This design resolves 14 pp or more at 80 %.'],
  difference: 0.062,
  interval: [-0.031, 0.154],
  groups: [{ group: 'flipped up', count: 1 }],
  regressions: [],
  rows: [sampleResult('up')],
  done: 6,
  planned: 6,
  canResume: false,
  ...over,
});

/** A bridge without an editor: keeps what the page sends and saves, and speaks for the host. */
export class FakeBridge<In, Out, State> implements Bridge<In, Out, State> {
  readonly sent: Out[] = [];
  readonly saved: State[] = [];
  private listener: ((message: In) => void) | null = null;
  constructor(readonly restored: State | null = null) {}

  send(message: Out): void {
    this.sent.push(message);
  }
  save(state: State): void {
    this.saved.push(state);
  }
  onMessage(listener: (message: In) => void): () => void {
    this.listener = listener;
    return () => {
      this.listener = null;
    };
  }
  /** The host posts a message; resolves when the page is drawn again. */
  async post(message: In): Promise<void> {
    await act(() => this.listener?.(message));
  }
}

export const sampleNode = (id: string, over: Partial<MapNode> = {}): MapNode => ({
  id,
  kind: 'unit',
  stage: id.replace(/-\d+$/, ''),
  title: `Unit ${id}`,
  icon: 'symbol-method',
  detail: `src/${id}.ts:1-9`,
  summary: 'Does `something`.',
  step: null,
  failing: 0,
  tokens: null,
  costUsd: null,
  changed: null,
  ...over,
});

/** A map with as many units a stage as asked for, the first half of the loop as steps, and calls by positions. */
export function sampleMap(
  counts: Partial<Record<MapStage['kind'], number>>,
  calls: readonly (readonly [number, number])[] = [],
): MapView {
  const stages = (Object.entries(counts) as [MapStage['kind'], number][]).filter(([, count]) => count > 0);
  const nodes = stages.flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, at) =>
      sampleNode(`${kind}-${at}`, { stage: kind, step: kind === 'loop' && at < Math.ceil(count / 2) ? at + 1 : null }),
    ),
  );
  const steps = nodes.flatMap((node, at) => (node.step === null ? [] : [at]));
  return {
    harness: 'tinker',
    stages: stages.map(([kind, count]) => ({
      id: kind,
      kind,
      title: `Stage ${kind}`,
      units: count,
      shown: count,
      failing: 0,
      open: false,
    })),
    nodes,
    edges: [
      ...steps.slice(1).map((to, at) => ({ from: steps[at]!, to, kind: 'order' as const, count: 1 })),
      ...(steps.length > 1 ? [{ from: steps.at(-1)!, to: steps[0]!, kind: 'again' as const, count: 1 }] : []),
      ...calls.map(([from, to]) => ({ from, to, kind: 'calls' as const, count: 1 })),
    ],
    units: nodes.length,
    traced: false,
    costs: 'none',
    notes: [],
  };
}
