import type { Step, TraceRun } from '../../core/traces/model';
import { argumentsText } from './stepBody';
import { runName, whoSpeaks } from './words';

/** As much of the Debug Adapter Protocol as a session over a trace speaks; names and shapes are the protocol's. */
export interface DebugRequest {
  seq: number;
  type: string;
  command?: string;
  arguments?: Record<string, unknown>;
}

export interface DebugMessage {
  type: 'response' | 'event';
  [field: string]: unknown;
}

/** A place in the harness that a step leads to. */
export interface DebugPlace {
  path: string;
  line: number;
  symbol: string;
}

/** What the session is given of a trace. */
export interface DebugTrace {
  run: TraceRun;
  stepCount: number;
  step(n: number): Promise<Step>;
  /** Harness code of a step, best first. */
  places(n: number): Promise<DebugPlace[]>;
  /** Called with each step the session stops at. */
  stoppedAt(n: number): void;
  /** Steps of runs that started this one, outermost last, for the call stack. */
  callers: readonly { name: string; place: DebugPlace | null }[];
}

/** The trace is one thread. */
const threadId = 1;
const variableLimit = 20_000;

interface Variable {
  name: string;
  value: string;
  variablesReference: number;
}

/**
 * Steps through a trace as a debugger steps through code: on and back, to the next error, to the end. The frame on top is the
 * step, placed at the harness code behind it; its variables are its messages, calls and results. Nothing can be changed.
 */
export class TraceDebugger {
  private at = 1;
  private seq = 1;
  /** Objects that were handed out as variables since the last stop. */
  private handles: Variable[][] = [];

  constructor(
    private readonly trace: DebugTrace,
    private readonly send: (message: DebugMessage) => void,
    start = 1,
  ) {
    this.at = this.clamp(start);
  }

  /** Answers one request; a failure is answered as such, never thrown. */
  async handle(request: DebugRequest): Promise<void> {
    if (request.type !== 'request') return;
    try {
      const body = await this.answer(request.command ?? '', request.arguments ?? {});
      this.reply(request, true, body);
      this.after(request.command ?? '');
    } catch (error) {
      this.reply(request, false, { error: { id: 1, format: error instanceof Error ? error.message : String(error) } });
    }
  }

  private reply(request: DebugRequest, success: boolean, body: unknown): void {
    const { seq, command } = request;
    this.send({ type: 'response', seq: this.seq++, request_seq: seq, command, success, body });
  }

  private event(event: string, body: object = {}): void {
    this.send({ type: 'event', seq: this.seq++, event, body });
  }

  private async answer(command: string, values: Record<string, unknown>): Promise<unknown> {
    switch (command) {
      case 'initialize':
        return { supportsStepBack: true, supportsConfigurationDoneRequest: true, supportsGotoTargetsRequest: false };
      case 'threads':
        return { threads: [{ id: threadId, name: runName(this.trace.run) }] };
      case 'stackTrace':
        return this.stack();
      case 'scopes':
        return this.scopes();
      case 'variables':
        return { variables: this.handles[Number(values.variablesReference) - 1] ?? [] };
      case 'next':
      case 'stepIn':
      case 'stepOut':
        this.at = this.clamp(this.at + 1);
        return {};
      case 'stepBack':
        this.at = this.clamp(this.at - 1);
        return {};
      case 'continue':
        this.at = (await this.error(1)) ?? this.trace.stepCount;
        return { allThreadsContinued: true };
      case 'reverseContinue':
        this.at = (await this.error(-1)) ?? 1;
        return {};
      case 'setBreakpoints':
        // A trace has no code that could be stopped in; points of the person are shown as not reached.
        return { breakpoints: listOf(values.breakpoints).map(() => ({ verified: false })) };
      case 'evaluate':
        throw new Error('A trace is what happened; nothing can be evaluated in it.');
      case 'setVariable':
        throw new Error('A trace cannot be changed.');
      default:
        return {};
    }
  }

  /** What follows an answer: the protocol wants the answer first. */
  private after(command: string): void {
    if (command === 'initialize') this.event('initialized');
    else if (command === 'configurationDone') this.stop('entry');
    else if (/^(next|stepIn|stepOut|stepBack)$/.test(command)) this.stop('step');
    else if (command === 'continue' || command === 'reverseContinue') this.stop('exception');
    else if (command === 'disconnect' || command === 'terminate') this.event('terminated');
  }

  private stop(reason: string): void {
    this.handles = [];
    this.trace.stoppedAt(this.at);
    const description = `step ${this.at} of ${this.trace.stepCount}`;
    this.event('stopped', { reason, description, threadId, allThreadsStopped: true });
  }

  /** The next step with an error, in a direction; null when there is none. */
  private async error(direction: 1 | -1): Promise<number | null> {
    for (let n = this.at + direction; n >= 1 && n <= this.trace.stepCount; n += direction) {
      const step = await this.trace.step(n);
      if (step.results.some((result) => result.isError) || step.event === 'format_error' || step.event === 'exception')
        return n;
    }
    return null;
  }

  private async stack() {
    const step = await this.trace.step(this.at);
    const places = await this.trace.places(this.at);
    const name = `${step.n} ${whoSpeaks(step.kind, step.event, step.n, false)}${step.calls[0] ? ` ${step.calls[0].name}` : ''}`;
    const top = places.length > 0 ? places : [null];
    const frames = [
      ...top.map((place, index) => ({ name: index === 0 ? name : (place?.symbol ?? ''), place })),
      ...this.trace.callers,
    ];
    return {
      stackFrames: frames.map(({ name: title, place }, index) => ({
        id: index + 1,
        name: title,
        line: place?.line ?? 0,
        column: place ? 1 : 0,
        ...(place ? { source: { path: place.path, name: place.path.split(/[\\/]/).pop() } } : {}),
      })),
      totalFrames: frames.length,
    };
  }

  private async scopes() {
    const step = await this.trace.step(this.at);
    const scope = (name: string, variables: Variable[]) =>
      variables.length > 0 ? [{ name, variablesReference: this.keep(variables), expensive: false }] : [];
    const text = (name: string, value: string | undefined) => (value ? [this.variable(name, value)] : []);
    return {
      scopes: [
        ...scope('Message', [...text('text', step.text), ...text('reasoning', step.reasoning)]),
        ...scope(
          'Tool calls',
          step.calls.map((call) => ({
            ...this.variable(call.name, call.args),
            value: argumentsText(call.args).slice(0, 500),
          })),
        ),
        ...scope(
          'Results',
          step.results.map((result, index) =>
            this.variable(`${index + 1}${result.isError ? ' (error)' : ''}`, result.text),
          ),
        ),
        ...scope('Step', this.facts(step)),
      ],
    };
  }

  private facts(step: Step): Variable[] {
    const facts = {
      number: step.n,
      kind: step.kind,
      event: step.event,
      model: step.model,
      time: step.time,
      seconds: step.seconds,
      tokens: step.tokens,
      costUsd: step.costUsd,
    };
    return Object.entries(facts).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [this.variable(name, value)],
    );
  }

  private variable(name: string, value: unknown): Variable {
    if (typeof value !== 'object' || value === null) {
      return { name: name.slice(0, 200), value: String(value).slice(0, variableLimit), variablesReference: 0 };
    }
    const inside = Object.entries(value).slice(0, 500);
    const reference = this.keep(inside.map(([key, one]) => this.variable(key, one)));
    const size = Array.isArray(value)
      ? `list of ${value.length}`
      : `{${inside
          .map(([key]) => key)
          .slice(0, 6)
          .join(', ')}}`;
    return { name: name.slice(0, 200), value: size, variablesReference: inside.length > 0 ? reference : 0 };
  }

  private keep(variables: Variable[]): number {
    return this.handles.push(variables);
  }

  private clamp(n: number): number {
    return Math.min(Math.max(1, Math.trunc(n) || 1), Math.max(1, this.trace.stepCount));
  }
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
