import type { ToolCall, ToolResult } from '../model';
import type { ByteRange, TraceSource } from '../reading/source';
import type { FileSink, StepBody, StepHint, TraceSink } from './format';
import { eventBody, RunWriter, type Usage } from './runWriter';

export type SpanKind = 'model' | 'wrapper' | 'tool' | 'agent' | 'other';

/** What is kept of a span until all are known: spans come in any order, children before their parents. */
export interface SpanRow {
  trace: string;
  id: string;
  parent: string | null;
  kind: SpanKind;
  name: string;
  /** Milliseconds; spans without a time keep their order. */
  start: number | null;
  ranges: ByteRange[];
}

/** How the records of one instrumentation are read. */
export interface SpanDialect {
  /** Messages of the request that a model was given. */
  prompt(records: readonly unknown[]): StepBody[];
  answer(records: readonly unknown[]): StepBody;
  tool(records: readonly unknown[]): { call: ToolCall; result: ToolResult; more: Partial<StepBody> };
  usage(records: readonly unknown[]): { usage: Usage; cost: number | null; model: string | null };
  times(records: readonly unknown[]): (string | null)[];
}

/** Builds a step of a span again. */
export function spanStep(dialect: SpanDialect, records: readonly unknown[], hint: StepHint): StepBody {
  const [what, detail] = Array.isArray(hint) ? hint : [hint];
  if (what === 'prompt') return dialect.prompt(records)[Number(detail)] ?? eventBody('note', '');
  if (what === 'answer') return dialect.answer(records);
  if (what === 'agent') return eventBody('subagent', String(detail ?? ''), { startsRun: String(detail ?? '') });
  if (what === 'span') return eventBody('span', String(detail ?? ''));
  const { call, result, more } = dialect.tool(records);
  const id = String(detail ?? call.id);
  const answered = { ...result, callId: id };
  return { kind: 'tool', text: '', calls: what === 'call' ? [{ ...call, id }] : [], results: [answered], ...more };
}

/** Collects spans by trace and puts them into runs in the order of their start. */
export class SpanTraces {
  private readonly rows: SpanRow[] = [];
  private readonly known = new Set<string>();
  private repeated = 0;

  constructor(
    private readonly source: TraceSource,
    private readonly dialect: SpanDialect,
  ) {}

  /** A span that was seen before is left out: exporters send batches again. */
  add(row: SpanRow): void {
    const key = `${row.trace} ${row.id}`;
    if (row.id !== '' && this.known.has(key)) {
      this.repeated += 1;
      return;
    }
    this.known.add(key);
    this.rows.push(row);
  }

  get count(): number {
    return this.rows.length;
  }

  async emit(sink: FileSink, name: (trace: string, sink: TraceSink) => void): Promise<void> {
    if (this.repeated > 0) sink.warn(`${this.repeated} spans were exported twice; they count once.`);
    const traces = new Map<string, SpanRow[]>();
    for (const row of this.rows) {
      const rows = traces.get(row.trace) ?? [];
      rows.push(row);
      traces.set(row.trace, rows);
    }
    const apart =
      this.rows.length > 1 && traces.size === this.rows.length && this.rows.every((row) => row.parent === null);
    if (apart) {
      sink.warn('Spans without parents, each in its own trace; they are shown as one run.');
      await this.emitRun(this.rows, sink);
      return;
    }
    for (const [trace, rows] of traces) {
      const run = traces.size === 1 ? sink : sink.run(trace);
      name(trace, run);
      await this.emitRun(rows, run);
    }
  }

  private async emitRun(rows: readonly SpanRow[], sink: TraceSink): Promise<void> {
    const ordered = [...rows].sort((left, right) => (left.start ?? 0) - (right.start ?? 0));
    const inside = ordered.some((row) => row.kind === 'model');
    const plain = ordered.every((row) => row.kind === 'other' || row.kind === 'agent');
    const ids = new Set(ordered.map((row) => row.id));
    const lost = ordered.filter((row) => row.parent !== null && !ids.has(row.parent)).length;
    if (lost > 0) sink.warn(`${lost} spans have a parent that is not in the file.`);
    const run = new SpanRun(this.dialect, new RunWriter(sink, true), ordered);
    for (const row of ordered) {
      const records: unknown[] = [];
      for (const range of row.ranges) records.push((await this.source.value(range))?.value);
      for (const time of this.dialect.times(records)) sink.time(time);
      // A wrapper repeats the answer and usage of the model span inside it; alone it stands for it.
      if (row.kind === 'model' || (row.kind === 'wrapper' && !inside)) run.model(row, records);
      else if (row.kind === 'tool') run.tool(row, records);
      else if (row.kind === 'agent') run.agent(row);
      // Tracers that know no tools name the span after the function that a call asked for.
      else if (run.isOpen(row.name)) run.tool(row, records);
      else if (plain) run.span(row);
    }
    run.finish();
  }
}

class SpanRun {
  private readonly shown = new Set<string>();
  /** Ids of the calls that models made, by the name of the function. */
  private readonly calls = new Map<string, string[]>();
  private readonly asked = new Set<string>();
  private readonly answered = new Set<string>();
  private readonly agents: ReadonlySet<string>;

  constructor(
    private readonly dialect: SpanDialect,
    private readonly writer: RunWriter,
    rows: readonly SpanRow[],
  ) {
    this.agents = new Set(rows.filter((row) => row.kind === 'agent').map((row) => row.id));
  }

  model(row: SpanRow, records: readonly unknown[]): void {
    for (const [index, body] of this.dialect.prompt(records).entries()) {
      if (body.kind !== 'system' && body.kind !== 'user') continue;
      const key = `${body.kind} ${body.text}`;
      if (this.shown.has(key)) continue;
      this.shown.add(key);
      this.writer.add(body, row.ranges, ['prompt', index]);
    }
    const { usage, cost, model } = this.dialect.usage(records);
    this.writer.addUsage(usage);
    this.writer.addCost(cost);
    this.writer.setModel(model);
    const body = this.dialect.answer(records);
    for (const call of body.calls) {
      const ids = this.calls.get(call.name) ?? [];
      ids.push(call.id);
      this.calls.set(call.name, ids);
      this.asked.add(call.id);
    }
    this.writer.add(body, row.ranges, ['answer']);
  }

  /** A tool span answers the call with its id, or the oldest open call of its name; without one it is the call too. */
  tool(row: SpanRow, records: readonly unknown[]): void {
    const { call } = this.dialect.tool(records);
    const waiting = this.calls.get(call.name) ?? [];
    const id = this.asked.has(call.id) ? call.id : waiting.find((one) => !this.answered.has(one));
    const hint = id === undefined ? ['call', call.id === 'unnamed' ? `span-${row.id}` : call.id] : ['result', id];
    this.answered.add(String(hint[1]));
    this.writer.add(spanStep(this.dialect, records, hint), row.ranges, hint);
  }

  /** True when a call of this function waits for its result. */
  isOpen(name: string): boolean {
    return (this.calls.get(name) ?? []).some((id) => !this.answered.has(id));
  }

  /** A span of which only its name is known. */
  span(row: SpanRow): void {
    this.writer.add(eventBody('span', row.name), row.ranges, ['span', row.name]);
  }

  /** An agent inside another agent is a sub-agent. */
  agent(row: SpanRow): void {
    if (row.parent === null || !this.agents.has(row.parent)) return;
    const hint = ['agent', row.name];
    this.writer.add(spanStep(this.dialect, [], hint), row.ranges, hint, { subagentRuns: 1 });
  }

  finish(): void {
    this.writer.finish(false, true);
  }
}

/** Time and duration of a step from the start and end of its span. */
export function durationOf(start: string | null, end: string | null): Partial<StepBody> {
  const seconds = start === null || end === null ? Number.NaN : (Date.parse(end) - Date.parse(start)) / 1000;
  return { ...(start === null ? {} : { time: start }), ...(seconds >= 0 ? { seconds } : {}) };
}
