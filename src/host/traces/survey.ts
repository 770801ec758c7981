import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../core/errors';
import type { WorkOptions } from '../../core/progress';
import { type Step, type StepKind, summaryOf, type TraceReader } from '../../core/traces';
import { RepeatedPrompts } from './repeatedPrompts';

/** What is remembered of every step once the run was gone through: enough for filters, outline and folding. */
export interface StepMark {
  kind: StepKind;
  event: string | null;
  isError: boolean;
  /** Tools that the step calls or whose results it holds. */
  tools: string[];
  /** Its first call, else its first words; one line. */
  label: string;
  /** Name and arguments of its calls, short; equal for equal calls. */
  calls: string;
  /** Equal for equal results or prompts, where times, numbers and temporary names do not count. */
  digest: string;
  /** The earlier step whose text it repeats, and how many lines differ. */
  same: { of: number; changed: number } | null;
}

const labelLength = 90;
const callsLength = 400;
/** Steps after which others of the worker get their turn. */
const breath = 100;

/** A pass over the steps of a run that can go on where it stood, for a run that grew or a pass that was given up. */
class Survey {
  readonly marks: StepMark[] = [];
  private readonly repeated = new RepeatedPrompts();
  private readonly toolOfCall = new Map<string, string>();

  /** @throws CancelledError when the signal is aborted. */
  async goOn(reader: TraceReader, { signal }: WorkOptions): Promise<StepMark[]> {
    while (this.marks.length < reader.stepCount) {
      const n = this.marks.length + 1;
      if (n % breath === 0) {
        await setImmediate();
        throwIfCancelled(signal, 'Going through the steps');
      }
      const step = await reader.step(n);
      for (const call of step.calls) this.toolOfCall.set(call.id, call.name);
      this.marks.push(markOf(step, this.toolOfCall, this.repeated));
    }
    return this.marks;
  }
}

/**
 * Goes once through all steps of a run. Other requests are answered in between.
 * @throws CancelledError when the signal is aborted.
 */
export function surveyRun(reader: TraceReader, work: WorkOptions = {}): Promise<StepMark[]> {
  return new Survey().goOn(reader, work);
}

function markOf(step: Step, toolOfCall: ReadonlyMap<string, string>, repeated: RepeatedPrompts): StepMark {
  const { preview, calls, isError } = summaryOf(step);
  const answered = step.results.map((result) => toolOfCall.get(result.callId ?? ''));
  const [first] = calls;
  return {
    kind: step.kind,
    event: step.event ?? null,
    isError,
    tools: [...new Set([...step.calls.map((call) => call.name), ...answered])].filter((name) => name !== undefined),
    label: (first ? `${first.name} ${first.preview}` : preview).slice(0, labelLength).trim(),
    calls: calls
      .map((call) => `${call.name} ${call.preview}`)
      .join('\n')
      .slice(0, callsLength),
    digest: digestOf(step),
    same: step.kind === 'agent' ? null : repeated.add(step.n, step.text),
  };
}

/** Characters of a text that are looked at; two long outputs that differ later are rare and still readable. */
const digestLength = 20_000;

function digestOf(step: Step): string {
  const results = step.results.map((result) => result.text.slice(0, digestLength));
  const texts = step.kind === 'agent' ? results : [step.text.slice(0, digestLength), ...results];
  const stable = texts
    .join('\n')
    .replace(/(\/tmp\/|0x)[\w.-]+/g, '#')
    .replace(/\d+(\.\d+)*/g, '#')
    .replace(/\s+/g, ' ')
    .trim();
  return createHash('sha256').update(stable).digest('base64url').slice(0, 12);
}

const surveys = new WeakMap<TraceReader, { survey: Survey; running: Promise<StepMark[]>; steps: number }>();

/** The survey of an open trace; what was gone through once is not gone through again. */
export function surveyOf(reader: TraceReader, work: WorkOptions = {}): Promise<StepMark[]> {
  const known = surveys.get(reader);
  if (known && known.steps >= reader.stepCount) return known.running;
  const survey = known?.survey ?? new Survey();
  // Whoever was first is waited for, so that no step is taken twice; that it was given up is no failure of this one.
  const before: Promise<unknown> = known?.running.catch(() => undefined) ?? Promise.resolve();
  const running = before.then(() => survey.goOn(reader, work));
  surveys.set(reader, { survey, running, steps: reader.stepCount });
  running.catch(() => {
    const entry = surveys.get(reader);
    if (entry?.running === running) entry.steps = 0;
  });
  return running;
}
