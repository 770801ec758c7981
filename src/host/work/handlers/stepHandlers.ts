import { InputError } from '../../../core/errors';
import { compareRuns, type Step, type TraceReader } from '../../../core/traces';
import { pairSteps } from '../../traces/alignRuns';
import { longTrace } from '../../traces/longTrace';
import { outlineOf, toolsOf } from '../../traces/outline';
import { changedLines } from '../../traces/repeatedPrompts';
import { bodyParts, fitting } from '../../traces/stepBody';
import { imagesOf } from '../../traces/stepImages';
import { copyLimit, stepAsJson, stepAsMarkdown, stepAsText } from '../../traces/stepText';
import { type StepMark, surveyOf } from '../../traces/survey';
import { readyOr } from '../linkSource';
import type { RunReaders } from '../runReaders';
import type { Handlers } from '../workServer';

type StepMethods =
  | 'wholeStep'
  | 'stepBody'
  | 'stepRaw'
  | 'stepImage'
  | 'stepText'
  | 'outline'
  | 'alignRuns'
  | 'promptBefore';

/** Characters of a raw record that are sent to the page. */
const rawLimit = 150_000;
/** Records that are searched for images; larger ones are whole conversations. */
const imagesLimit = 64 * 1024 * 1024;

/** Single steps in all their forms, and the outline of a run. */
export function stepHandlers(readers: RunReaders): Pick<Handlers, StepMethods> {
  return {
    stepBody: async ({ run, step: n }) => {
      const reader = await readers.get(run);
      const step = await reader.step(n);
      return { parts: bodyParts(step, await repeatedIn(reader, step)), images: (await images(reader, n)).length };
    },
    stepRaw: async ({ run, step }) => {
      const reader = await readers.get(run);
      const whole = await reader.raw(step);
      const text = fitting(whole.slice(0, rawLimit), rawLimit);
      const ranges = reader.ranges(step).slice(0, 100);
      return {
        ranges: ranges.map(({ file, part, offset, length }) => ({ file, part: part ?? null, offset, length })),
        text,
        left: whole.length - text.length,
      };
    },
    wholeStep: async ({ run, step }) => (await readers.get(run)).step(step),
    stepImage: async ({ run, step, index }) => (await images(await readers.get(run), step))[index] ?? null,
    stepText: async ({ run, step, as }) => {
      const reader = await readers.get(run);
      const whole = await reader.step(step);
      const text = { json: stepAsJson, markdown: stepAsMarkdown, text: stepAsText }[as](whole, reader.run);
      if (text.length <= copyLimit) return text;
      throw new InputError(`Step ${step} is ${Math.round(text.length / 1_000_000)} MB long, too much to copy.`, {
        code: 'step-too-long',
        nextStep: 'Open the trace as text instead.',
      });
    },
    outline: async ({ run }, work) => {
      const marks = await surveyOf(await readers.get(run), work);
      const errors = marks.flatMap((mark, index) => (mark.isError ? [index + 1] : []));
      return { entries: outlineOf(marks), tools: toolsOf(marks), errors };
    },
    alignRuns: async ({ left, right }, work) => {
      const [a, b] = await Promise.all([readers.get(left), readers.get(right)]);
      const [x, y] = [await surveyOf(a, work), await surveyOf(b, work)];
      const { sentence, divergence, matters, rows } = await compareRuns(a, b, work);
      // The first difference may be a detail; the page leads to the first that matters.
      const place = matters ?? divergence;
      return {
        sentence,
        divergence: place && { left: place.firstStep, right: place.secondStep },
        pairs: pairSteps(rows, x, y),
      };
    },
    promptBefore: async ({ run, step }) => promptBefore(await surveyOf(await readers.get(run)), step),
  };
}

async function images(reader: TraceReader, n: number) {
  const bytes = reader.ranges(n).reduce((sum, range) => sum + range.length, 0);
  return bytes > imagesLimit ? [] : imagesOf(await reader.raw(n));
}

/** What is new in a prompt that repeats an earlier one; known once the run was gone through. */
async function repeatedIn(reader: TraceReader, step: Step): Promise<{ of: number; lines: string } | null> {
  const marks = await readyOr(surveyOf(reader), [], reader.stepCount > longTrace);
  const same = marks[step.n - 1]?.same;
  if (!same) return null;
  const lines = changedLines((await reader.step(same.of)).text, step.text);
  return lines === null ? null : { of: same.of, lines };
}

/** The step that a prompt repeats, else the last one before it by the same speaker. */
export function promptBefore(marks: readonly StepMark[], step: number): number | null {
  const mark = marks[step - 1];
  if (mark?.same) return mark.same.of;
  const before = marks.findLastIndex((one, index) => index < step - 1 && one.kind === mark?.kind);
  return before < 0 ? null : before + 1;
}
