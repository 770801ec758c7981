import type { BehaviourMap, Unit } from '../../../src/core/handbook';
import type { WorkOptions } from '../../../src/core/progress';
import type { TraceRun } from '../../../src/core/traces';
import type { Log } from '../../../src/host/log';
import type { HunkView, MethodName, Params, ProposalView, Result } from '../../../src/host/work/methods';
import type { Work } from '../../../src/host/work/workClient';

/** A log that remembers what it was told. */
export class FakeLog implements Log {
  readonly lines: string[] = [];
  debug(message: string): void {
    this.lines.push(`debug ${message}`);
  }
  info(message: string): void {
    this.lines.push(`info ${message}`);
  }
  warn(message: string): void {
    this.lines.push(`warn ${message}`);
  }
  error(message: string): void {
    this.lines.push(`error ${message}`);
  }
}

type Answer<M extends MethodName> = (params: Params<M>, options?: WorkOptions) => Result<M> | Promise<Result<M>>;
type Answers = { [M in MethodName]?: Answer<M> };

/** A worker that answers from a table and counts its calls. */
export class FakeWork implements Work {
  readonly calls: MethodName[] = [];

  constructor(private readonly answers: Answers) {}

  answer<M extends MethodName>(method: M, answer: NonNullable<Answers[M]>): void {
    this.answers[method] = answer;
  }

  async call<M extends MethodName>(method: M, params: Params<M>, options?: WorkOptions): Promise<Result<M>> {
    this.calls.push(method);
    const answer = this.answers[method] as Answer<M> | undefined;
    if (!answer) throw new Error(`no answer for ${method}`);
    return answer(params, options);
  }
}

export function runOf(over: Partial<TraceRun> = {}): TraceRun {
  return {
    id: '/t/a.json',
    file: '/t/a.json',
    format: 'atif',
    formatVersion: null,
    sessionId: null,
    task: 'fix-date-parser',
    trial: 'run 1',
    agent: 'tinker',
    agentVersion: null,
    model: 'm-1',
    started: '2026-01-02T10:00:00Z',
    ended: '2026-01-02T10:00:38Z',
    outcome: { verdict: 'pass', reward: 1, exception: null, source: 'result.json' },
    exitStatus: null,
    tokens: { input: 3912, output: 210, cached: null, inputIncludesCached: null },
    costUsd: 0.12,
    counts: {
      steps: 31,
      modelTurns: 24,
      toolCalls: 20,
      resultsLinked: 20,
      resultsOrphan: 0,
      toolErrors: 2,
      noActionTurns: 4,
      userMessages: 1,
      compactions: 0,
      subagentRuns: 0,
    },
    endsTruncated: false,
    warnings: [],
    ...over,
  };
}

export function failed(over: Partial<TraceRun> = {}): TraceRun {
  return runOf({ outcome: { verdict: 'fail', reward: 0, exception: null, source: 'result.json' }, ...over });
}

export function unitOf(over: Partial<Unit> = {}): Unit {
  return {
    id: 'u-parse',
    kind: 'response_parse',
    title: 'Response parsing',
    summary: 'Reads the action out of a reply.',
    stage: 'loop',
    order: 4,
    sites: [{ file: 'src/parser.ts', symbol: 'parseReply', start: 24, end: 37, hash: 'h' }],
    members: [],
    prompts: ['prompt:prompts/format_error.md'],
    tools: [],
    config: [],
    registers: [],
    calls: [],
    callers: [],
    reasons: ['parses the reply of the model'],
    ...over,
  };
}

export function mapOf(units: Unit[] = [unitOf()]): BehaviourMap {
  return {
    schemaVersion: 1,
    harness: 'tinker',
    loops: ['u-loop'],
    stages: [{ id: 'loop', kind: 'loop', title: 'Iterate', units: units.map((unit) => unit.id) }],
    units,
    registers: [
      {
        id: 'r1',
        name: 'messages',
        owner: 'Agent',
        scope: 'attribute',
        sites: [
          { access: 'init', site: { file: 'src/agent.ts', symbol: 'Agent', start: 10, end: 10, hash: 'a' } },
          { access: 'write', site: { file: 'src/agent.ts', symbol: 'Agent.run', start: 41, end: 41, hash: 'b' } },
        ],
      },
    ],
    unassigned: [{ file: 'src/noise.ts', start: 1, end: 4 }],
    notFound: ['No sub-agents.'],
    counts: {
      files: 12,
      functions: 69,
      codeLines: 900,
      assignedLines: 896,
      prompts: 6,
      tools: 6,
      config: 14,
      unresolvedCalls: 3,
      resolvedCalls: 200,
    },
  };
}

export function hunkOf(number: number, over: Partial<HunkView> = {}): HunkView {
  return {
    number,
    decision: 'd1',
    file: 'src/parser.ts',
    action: 'replace',
    baseStart: number * 10,
    removed: ['old'],
    added: ['new', 'newer'],
    oldText: 'old\n',
    newText: 'new\nnewer\n',
    state: 'open',
    line: number * 10,
    ...over,
  };
}

export function proposalOf(hunks: HunkView[], over: Partial<ProposalView['proposal']> = {}): ProposalView {
  const decisions = [...new Set(hunks.map((hunk) => hunk.decision))].map((id) => ({
    id,
    title: `Decision ${id}`,
    rationale: 'because',
    evidence: [{ kind: 'unit' as const, unit: 'u-parse' }],
    edits: hunks
      .filter((hunk) => hunk.decision === id)
      .map((hunk) => ({ file: hunk.file, action: 'replace' as const, oldText: hunk.oldText, newText: hunk.newText })),
  }));
  return {
    proposal: {
      schemaVersion: 1,
      id: 'p-00c0ffee',
      createdAt: '2026-01-02T03:04:05.000Z',
      title: 'Say what was wrong',
      request: 'tell the model what was wrong',
      flaw: null,
      base: { commit: null, files: {} },
      decisions,
      declares: { modify: [], add: [], remove: [] },
      prediction: { fixes: ['a', 'b', 'c'], atRisk: [], note: '' },
      gates: [],
      refused: [],
      model: { id: 'recorded', inputTokens: null, outputTokens: null, costUsd: null },
      ...over,
    },
    review: { schemaVersion: 1, proposal: 'p-00c0ffee', hunks: {}, edited: {}, appliedAt: null, appliedTo: null },
    hunks,
    problem: null,
  };
}
