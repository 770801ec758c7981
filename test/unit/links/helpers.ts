import type { EdgeKind, GraphData, GraphEdge, GraphNode, LiteralFact } from '../../../src/core/graph';
import { ProgramGraph } from '../../../src/core/graph';
import type { BehaviourMap, Unit, UnitKind } from '../../../src/core/handbook';
import { buildLinkIndex, type LinkIndex } from '../../../src/core/links';
import type { Step, TraceReader, TraceRun } from '../../../src/core/traces';

/** Collects hand-made facts of a small harness. */
export class Harness {
  private readonly data: GraphData = {
    root: '/harness',
    files: [],
    nodes: [],
    edges: [],
    literals: [],
    unresolved: [],
  };
  private readonly units: Unit[] = [];

  file(path: string): this {
    if (!this.data.files.some((file) => file.path === path)) {
      this.data.files.push({ path, language: 'python', hash: '', lines: 500, bytes: 1, parseErrors: 0 });
    }
    return this;
  }

  node(
    kind: GraphNode['kind'],
    file: string,
    name: string,
    start: number,
    end: number,
    more: Partial<GraphNode> = {},
  ): this {
    this.file(file);
    const qualname = more.qualname ?? name;
    const id =
      kind === 'prompt'
        ? `prompt:${file}`
        : kind === 'tool'
          ? `tool:${name}`
          : kind === 'config'
            ? `config:${name}`
            : `${file}#${qualname}`;
    this.data.nodes.push({ id, kind, name, qualname, file, start, end, ...more });
    return this;
  }

  literal(file: string, owner: string, start: number, end: number, ...parts: (string | null)[]): this {
    this.file(file);
    const fact: LiteralFact = { file, owner, start, end, parts };
    this.data.literals.push(fact);
    return this;
  }

  edge(kind: EdgeKind, from: string, to: string, more: Partial<GraphEdge> = {}): this {
    this.data.edges.push({ kind, from, to, file: from.split('#')[0] ?? '', line: 1, ...more });
    return this;
  }

  unit(kind: UnitKind, file: string, start: number, end: number, members: string[] = [], symbol = ''): this {
    this.units.push({
      id: `unit-${kind}-${this.units.length}`,
      kind,
      title: `The ${kind}`,
      summary: '',
      stage: 's',
      members,
      prompts: [],
      tools: [],
      config: [],
      sites: [{ file, symbol, start, end, hash: '' }],
      registers: [],
      calls: [],
      callers: [],
      reasons: [],
    });
    return this;
  }

  index(): LinkIndex {
    const map: BehaviourMap = {
      schemaVersion: 1,
      harness: 'h',
      loops: [],
      stages: [],
      units: this.units,
      registers: [],
      unassigned: [],
      notFound: [],
      counts: {
        files: 0,
        functions: 0,
        codeLines: 0,
        assignedLines: 0,
        prompts: 0,
        tools: 0,
        config: 0,
        unresolvedCalls: 0,
        resolvedCalls: 0,
      },
    };
    return buildLinkIndex(new ProgramGraph(this.data), map);
  }
}

export function step(change: Partial<Step> = {}): Step {
  return { n: 1, kind: 'tool', text: '', calls: [], results: [], ...change };
}

export function result(text: string, callId: string | null = 'c1', isError = false): Step['results'][number] {
  return { callId, text, isError };
}

export function run(change: Partial<TraceRun> = {}): TraceRun {
  return {
    id: '/t.json',
    file: '/t.json',
    format: 'atif',
    formatVersion: null,
    sessionId: null,
    task: null,
    trial: null,
    agent: null,
    agentVersion: null,
    model: null,
    started: null,
    ended: null,
    outcome: { verdict: 'unknown', reward: null, exception: null, source: null },
    exitStatus: null,
    tokens: { input: null, output: null, cached: null, inputIncludesCached: null },
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
    ...change,
  };
}

export function call(name: string, args: unknown = {}): Step['calls'][number] {
  return { id: `call-${name}`, name, args };
}

/** A reader over steps that are there already. */
export function readerOf(steps: readonly Step[], change: Partial<TraceRun> = {}): TraceReader {
  const at = (n: number) => steps[n - 1] as Step;
  return {
    run: run(change),
    stepCount: steps.length,
    summaries: async () => [],
    step: async (n) => at(n),
    raw: async () => '',
    ranges: () => [],
    close: async () => undefined,
  };
}
