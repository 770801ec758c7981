import type { RowRelation } from '../../../webview/shared/traceProtocol';
import { relateRun, type StepRelations, type TraceReader } from '../../core/traces';
import { count } from './words';

/** Chips of a row; more would hide the step. */
const mostChips = 5;
/** Values whose origin a row tells. */
const mostValues = 2;

/** What a step has to do with others, in words with the step to jump to; the most telling first. */
export function relationChips(relations: StepRelations | undefined): RowRelation[] {
  if (!relations) return [];
  const chips: RowRelation[] = [];
  const add = (words: string, step: number | null, title: string, run: string | null = null) =>
    chips.push({ words: words.slice(0, 100), title: title.slice(0, 400), step, run });
  const { retryOf, repeatOf, causedByError, context, flow = [], starts = [], branch } = relations;
  if (retryOf !== undefined) add(`retry of ${retryOf}`, retryOf, `The same or a like call failed in step ${retryOf}.`);
  if (repeatOf !== undefined) add(`repeats ${repeatOf}`, repeatOf, `The same call was made in step ${repeatOf}.`);
  if (causedByError !== undefined)
    add(`after error ${causedByError}`, causedByError, `Answers the error of step ${causedByError}.`);
  for (const { mark, missing } of context?.truncated ?? []) {
    const size = missing ? `${missing.count.toLocaleString('en-US')} ${missing.unit} missing` : 'a part is missing';
    add('cut by the harness', null, `${size}; the mark is "${mark}".`);
  }
  if (context?.compacted) {
    const { from, to } = context.compacted;
    add(`compacts ${from}-${to}`, from, `The context of steps ${from} to ${to} was made shorter here.`);
  }
  const input = context?.input;
  if (input && input.dropped + input.shortened > 0) {
    const changes = [`${input.added} added`, `${input.dropped} dropped`, `${input.shortened} shortened`].join(', ');
    add(
      'input changed',
      input.since,
      `Messages since the model call of step ${input.since}: ${changes}, ${input.kept} kept.`,
    );
  }
  for (const { run } of starts)
    add('starts a sub-agent', null, run ? `Opens the run ${run}.` : 'Its run is not named.', run);
  if (branch) add('another branch', null, 'The run goes on from here on another branch.');
  for (const { value, origin, step, seen } of flow.slice(0, mostValues)) {
    const short = value.length > 24 ? `${value.slice(0, 24)}...` : value;
    if (origin === 'nowhere') add(`${short} is new`, null, `"${value}" stands in no earlier step.`);
    else
      add(
        `${short} from ${step}`,
        step,
        `"${value}" was first seen in step ${step} (${origin}); ${count(seen, 'earlier step')} hold it.`,
      );
  }
  return chips.slice(0, mostChips);
}

const related = new WeakMap<TraceReader, { steps: number; relations: Promise<ReadonlyMap<number, StepRelations>> }>();

/** Relations of an open trace by step, made once and again when it grew. */
export function relationsOf(reader: TraceReader): Promise<ReadonlyMap<number, StepRelations>> {
  const known = related.get(reader);
  if (known && known.steps >= reader.stepCount) return known.relations;
  const relations = relateRun(reader).then(({ steps }) => new Map(steps.map((one) => [one.step, one])));
  related.set(reader, { steps: reader.stepCount, relations });
  relations.catch(() => related.delete(reader));
  return relations;
}
