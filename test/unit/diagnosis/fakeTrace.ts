import type { Link } from '../../../src/core/links';
import type { Step, TraceReader, TraceRun } from '../../../src/core/traces';

type StepParts = Partial<Omit<Step, 'n'>>;

/** A run with only what a test is about. */
export function fakeRun(over: Partial<TraceRun> = {}): TraceRun {
  const none = { input: null, output: null, cached: null, inputIncludesCached: null };
  return {
    id: '/runs/one.json',
    file: '/runs/one.json',
    format: 'atif',
    formatVersion: null,
    sessionId: null,
    task: 'task-a',
    trial: null,
    agent: null,
    agentVersion: null,
    model: null,
    started: null,
    ended: null,
    outcome: { verdict: 'fail', reward: 0, exception: null, source: null },
    exitStatus: null,
    tokens: none,
    costUsd: null,
    counts: {
      steps: 0,
      modelTurns: 0,
      toolCalls: 0,
      resultsLinked: 0,
      resultsOrphan: 0,
      toolErrors: 0,
      noActionTurns: 0,
      userMessages: 0,
      compactions: 0,
      subagentRuns: 0,
    },
    endsTruncated: false,
    warnings: [],
    ...over,
  };
}

/** A reader over steps in memory. */
export function fakeReader(run: TraceRun, parts: readonly StepParts[]): TraceReader {
  const steps = parts.map((part, index) => ({
    kind: 'agent' as const,
    text: '',
    calls: [],
    results: [],
    n: index + 1,
    ...part,
  }));
  return {
    run,
    stepCount: steps.length,
    summaries: async () => [],
    step: async (n) => steps[n - 1]!,
    raw: async () => '',
    ranges: () => [],
    close: async () => undefined,
  };
}

let calls = 0;

/** A model turn that calls a tool, with the result in the same step. */
export function call(name: string, args: unknown, result: string, isError = false): StepParts {
  const id = `c${++calls}`;
  return { text: `I use ${name}.`, calls: [{ id, name, args }], results: [{ callId: id, text: result, isError }] };
}

/** A model turn without a call, and what the harness answered in the same step. */
export function idle(text: string, answer?: string, event?: string): StepParts {
  return { text, event, results: answer === undefined ? [] : [{ callId: null, text: answer, isError: false }] };
}

export function link(step: number, unit: string | null, over: Partial<Link> = {}): Link {
  const place = { file: `src/${unit}.ts`, symbol: unit ?? '', start: 1, end: 9 };
  return { step, kind: 'literal', unit, confidence: 0.8, reason: 'literal text', ...place, ...over };
}

export const map = {
  units: [
    { id: 'u-format', kind: 'format_error', title: 'Format error feedback' },
    { id: 'u-parser', kind: 'response_parse', title: 'Response parsing' },
    { id: 'u-shell', kind: 'tool_shell', title: 'Shell tool' },
    { id: 'u-cut', kind: 'truncation', title: 'Output truncation' },
    { id: 'u-submit', kind: 'tool_submit', title: 'Submit tool' },
  ],
};
