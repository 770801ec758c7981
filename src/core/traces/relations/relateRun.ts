import { throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import type { Step } from '../model';
import type { TraceReader } from '../open';
import type { RunRelations, StepRelations, Truncation, ValueOrigin } from './model';
import { inputChange, type MessageMark, marksOf, modelInputOf } from './modelInput';
import { Repeats } from './repeats';
import { truncationsIn } from './truncation';
import { type Origin, ValueIndex } from './valueIndex';
import { argumentValues, nameOf, rareEnough } from './values';

const FLOWS_SHOWN = 8;
/** Raw records larger than this are not searched for a model input. */
const RAW_CAP = 8 * 1024 * 1024;
/** Model turns without an input after which the trace is taken to record none. */
const TURNS_WITHOUT_INPUT = 3;
const DELEGATES =
  /^(task|agent|subagent|sub_agent|delegate\w*|spawn_\w+|dispatch_agent|new_task|run_agent|handoff\w*|transfer_to_\w+)$/i;

/**
 * What the steps of a run have to do with each other: where argument values come from, what repeats or answers an error, what the
 * harness did to the context, and which sub-agents were started. One pass over the steps; memory does not grow with
 * their texts.
 * @param until Stop after this step; relations of later steps are not in the answer then.
 * @throws CancelledError when the signal is aborted.
 */
export function relateRun(
  reader: TraceReader,
  work: WorkOptions = {},
  until = reader.stepCount,
): Promise<RunRelations> {
  return relateSteps(reader, work, () => undefined, until);
}

/** As {@link relateRun}, and hands on each step that was read with its relations. */
export async function relateSteps(
  reader: TraceReader,
  work: WorkOptions,
  each: (step: Step, relations: StepRelations) => void,
  until = reader.stepCount,
): Promise<RunRelations> {
  const pass = new Pass(reader);
  const steps: StepRelations[] = [];
  for (let n = 1; n <= Math.min(until, reader.stepCount); n += 1) {
    if (n % 100 === 1) {
      throwIfCancelled(work.signal, 'Relating steps');
      work.progress?.({ message: 'Relating steps', done: n - 1, total: until });
    }
    const step = await reader.step(n);
    const found = await pass.next(step);
    each(step, found);
    if (Object.keys(found).length > 1) steps.push(found);
  }
  return { run: reader.run.id, memberOf: reader.run.memberOf ?? null, steps, flowComplete: !pass.values.full };
}

/** Relations of one step; reads the steps before it. */
export async function relationsOfStep(reader: TraceReader, n: number, work: WorkOptions = {}): Promise<StepRelations> {
  const { steps } = await relateRun(reader, work, n);
  return steps.find(({ step }) => step === n) ?? { step: n };
}

class Pass {
  readonly values = new ValueIndex();
  private readonly repeats = new Repeats();
  private before: { step: number; marks: MessageMark[] } | null = null;
  private withoutInput = 0;
  private contextFrom = 1;

  constructor(private readonly reader: TraceReader) {}

  async next(step: Step): Promise<StepRelations> {
    const flow = step.copied ? [] : this.flowOf(step);
    this.remember(step);
    const starts = startsOf(step);
    const context = await this.contextOf(step);
    return {
      step: step.n,
      ...(flow.length === 0 ? {} : { flow }),
      ...(step.copied ? {} : this.repeats.next(step)),
      ...(Object.keys(context).length === 0 ? {} : { context }),
      ...(starts.length === 0 ? {} : { starts }),
      ...(step.event === 'branch_summary' ? { branch: true } : {}),
    };
  }

  /** The rarest values first; of equal ones the longer. */
  private flowOf(step: Step): ValueOrigin[] {
    const found: ValueOrigin[] = [];
    for (const [index, call] of step.calls.entries())
      for (const value of argumentValues(call.args)) {
        const origin = this.originOf(value, step.n);
        if (origin !== null) found.push({ call: index, value, ...origin });
      }
    const rank = (one: ValueOrigin) => (one.origin === 'nowhere' ? 1 : 0);
    return found
      .sort((a, b) => rank(a) - rank(b) || a.seen - b.seen || b.value.length - a.value.length)
      .slice(0, FLOWS_SHOWN)
      .map((one) => ({ ...one, value: one.value.slice(0, 120) }));
  }

  private originOf(value: string, step: number): Omit<ValueOrigin, 'call' | 'value'> | null {
    const seen = this.values.find(value);
    if (seen !== null)
      return rareEnough(seen.steps, step - 1) ? { origin: seen.origin, step: seen.step, seen: seen.steps } : null;
    const name = nameOf(value);
    const part = name === null ? null : this.values.find(name);
    if (part === null) return { origin: 'nowhere', step: null, seen: 0 };
    return { origin: part.origin, step: part.step, seen: part.steps, nameOnly: true };
  }

  private remember(step: Step): void {
    const said: Origin =
      step.kind === 'agent' ? 'model' : step.kind === 'system' || step.kind === 'user' ? 'prompt' : 'observation';
    this.values.addText(step.text, step.n, said);
    if (step.reasoning !== undefined) this.values.addText(step.reasoning, step.n, said);
    for (const call of step.calls) for (const value of argumentValues(call.args)) this.values.add(value, step.n, said);
    for (const result of step.results) this.values.addText(result.text, step.n, 'observation');
  }

  private async contextOf(step: Step): Promise<NonNullable<StepRelations['context']>> {
    const truncated = truncationsOf(step);
    const input = step.kind === 'agent' ? await this.inputOf(step.n) : null;
    const compacted =
      step.event === 'compaction' ? { from: this.contextFrom, to: Math.max(this.contextFrom, step.n - 1) } : null;
    if (compacted !== null) this.contextFrom = step.n;
    return {
      ...(step.copied ? { copied: true } : {}),
      ...(compacted === null ? {} : { compacted }),
      ...(truncated.length === 0 ? {} : { truncated }),
      ...(input === null ? {} : { input }),
    };
  }

  private async inputOf(n: number) {
    if (this.withoutInput >= TURNS_WITHOUT_INPUT) return null;
    const bytes = this.reader.ranges(n).reduce((sum, range) => sum + range.length, 0);
    const input = bytes > RAW_CAP ? null : modelInputOf(await this.reader.raw(n));
    if (input === null) {
      if (this.before === null) this.withoutInput += 1;
      return null;
    }
    const last = this.before;
    const marks = marksOf(input);
    this.before = { step: n, marks };
    return last === null ? null : { since: last.step, ...inputChange(last.marks, marks) };
  }
}

function truncationsOf(step: Step): Truncation[] {
  const found: Truncation[] = [];
  for (const result of step.results) found.push(...truncationsIn(result.text));
  if (step.kind === 'tool' || step.kind === 'user') found.push(...truncationsIn(step.text));
  return found.slice(0, 4);
}

function startsOf(step: Step): NonNullable<StepRelations['starts']> {
  const calls = step.calls.filter((call) => DELEGATES.test(call.name)).map((call) => call.id);
  if (step.startsRun !== undefined) return [{ call: calls[0] ?? null, run: step.startsRun }];
  return calls.map((call) => ({ call, run: null }));
}
