import type { Tokens } from '../model';
import type { ByteRange } from '../reading/source';
import type { StepBody, StepCounts, StepHint, TraceSink } from './format';
import { shorten } from './text';

/** Usage of one model response; what is not recorded stays null. */
export interface Usage {
  input: number | null;
  output: number | null;
  cached?: number | null;
  cacheWrite?: number | null;
}

const FINISHING = /^(submit|finish|complete|task_complete|done|exit|mark_task_complete|attempt_completion)/i;

/**
 * Puts the steps of one run into its sink and keeps what is told at its end: title, model, sums of tokens and cost, and
 * whether it ends open, that is on a call without a result or on a result without an answer. Holds no bodies.
 */
export class RunWriter {
  private titled = false;
  private readonly unanswered = new Set<string>();
  private called = false;
  private lastIsResult = false;
  private closed = false;
  private input: number | null = null;
  private output: number | null = null;
  private cached: number | null = null;
  private cacheWrite: number | null = null;
  private cost: number | null = null;
  private model: string | null = null;
  private steps = 0;

  constructor(
    readonly sink: TraceSink,
    /** Whether the writer of the format counts cached tokens as part of the input. */
    private readonly includesCached: boolean,
  ) {}

  /** Adds a step; what it counts as follows from its kind unless told. */
  add(
    body: StepBody,
    ranges: ByteRange | ByteRange[],
    hint?: StepHint,
    counts: StepCounts = defaultCounts(body),
  ): void {
    this.steps += 1;
    if (!body.copied) this.follow(body, counts);
    this.sink.step({ body, ranges: Array.isArray(ranges) ? ranges : [ranges], hint, counts });
  }

  private follow(body: StepBody, counts: StepCounts): void {
    if (counts.userMessage && !this.titled && body.text.trim() !== '') {
      this.sink.facts({ title: shorten(body.text, 200) });
      this.titled = true;
    }
    if (body.model !== undefined) this.model ??= body.model;
    if (body.kind === 'agent' || body.kind === 'user') this.unanswered.clear();
    const finishing = body.calls.some((call) => FINISHING.test(call.name));
    for (const call of finishing ? [] : body.calls) this.unanswered.add(call.id);
    for (const result of body.results) if (result.callId !== null) this.unanswered.delete(result.callId);
    if (body.kind === 'event' && body.calls.length + body.results.length === 0) return;
    if (body.kind !== 'tool') this.closed = finishing;
    this.called ||= body.calls.length > 0;
    this.lastIsResult = this.called && body.results.length > 0;
  }

  /** Adds to the sums of the run. Call it once for each response, not for each repetition of its usage. */
  addUsage(usage: Usage): void {
    this.input = plus(this.input, usage.input);
    this.output = plus(this.output, usage.output);
    this.cached = plus(this.cached, usage.cached ?? null);
    this.cacheWrite = plus(this.cacheWrite, usage.cacheWrite ?? null);
  }

  addCost(cost: number | null): void {
    this.cost = plus(this.cost, cost);
  }

  /** The first model that is named counts for the run. */
  setModel(model: string | null): void {
    this.model ??= model;
  }

  /** The run came to its own end, whatever its last record is. */
  close(): void {
    this.closed = true;
    this.unanswered.clear();
  }

  /**
   * Tells the facts that are known now. `cut` says that the file itself ends too early, `mayPause` that ending on a
   * result is no sign of a stop in this format.
   */
  finish(cut = false, mayPause = false): void {
    if (this.unanswered.size > 0) {
      const calls = this.unanswered.size === 1 ? '1 tool call has' : `${this.unanswered.size} tool calls have`;
      this.sink.warn(`${calls} no result: the trace ends there.`);
    }
    if (this.steps === 0) this.sink.warn('No messages or calls were found in it.');
    this.sink.facts({
      model: this.model,
      tokens: tokensOf(this.includesCached, this),
      ...(this.cost === null ? {} : { costUsd: this.cost }),
    });
    const stopped = this.lastIsResult && !this.closed && !mayPause;
    if (cut || stopped || this.unanswered.size > 0) this.sink.facts({ endsTruncated: true });
  }

  /** The sums so far. */
  get sums(): Required<Usage> {
    return { input: this.input, output: this.output, cached: this.cached, cacheWrite: this.cacheWrite };
  }
}

function tokensOf(includesCached: boolean, { sums }: RunWriter): Tokens {
  return usageTokens(sums, includesCached);
}

/** Usage as the model of a step or run has it. */
export function usageTokens(usage: Usage, inputIncludesCached: boolean): Tokens {
  const cacheWrite = usage.cacheWrite ?? null;
  return {
    input: usage.input,
    output: usage.output,
    cached: usage.cached ?? null,
    inputIncludesCached: usage.input === null ? null : inputIncludesCached,
    ...(cacheWrite === null ? {} : { cacheWrite }),
  };
}

/** Tokens of a step from a usage, or nothing when none was recorded. */
export function tokensFact(usage: Usage, includesCached: boolean): Pick<StepBody, 'tokens'> {
  return usage.input === null && usage.output === null ? {} : { tokens: usageTokens(usage, includesCached) };
}

function plus(sum: number | null, more: number | null): number | null {
  return more === null ? sum : (sum ?? 0) + more;
}

function defaultCounts(body: StepBody): StepCounts {
  if (body.kind === 'agent') return { modelTurn: true };
  if (body.kind === 'user') return { userMessage: true };
  return body.event === 'compaction' ? { compaction: true } : {};
}

/** A body with nothing but text. */
export function textBody(kind: StepBody['kind'], text: string, more: Partial<StepBody> = {}): StepBody {
  return { kind, text, calls: [], results: [], ...more };
}

/** A body for something that happened, such as `compaction`. */
export function eventBody(event: string, text: string, more: Partial<StepBody> = {}): StepBody {
  return { kind: 'event', event, text, calls: [], results: [], ...more };
}
