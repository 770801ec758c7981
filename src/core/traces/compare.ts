import { z } from 'zod';
import { sortedKeys, withoutNoise } from './contrast/normalise';
import type { Step } from './model';
import type { TraceReader } from './open';

/** Where two runs part. Step numbers are null where a run has ended. */
export const TraceComparison = z.object({
  first: z.string(),
  second: z.string(),
  /** Model turns that are alike from the start. */
  alike: z.int(),
  divergence: z
    .object({
      what: z.enum(['call', 'result', 'end']),
      firstStep: z.int().nullable(),
      secondStep: z.int().nullable(),
    })
    .nullable(),
  sentence: z.string(),
});
export type TraceComparison = z.infer<typeof TraceComparison>;

interface Turn {
  step: number;
  calls: string;
  results: string;
}

/**
 * Walks two runs turn by turn and finds the first turn in which calls or results differ. Wording is not compared: two
 * models say the same thing in many ways, and only calls and results have effects.
 */
export async function compareTraces(first: TraceReader, second: TraceReader): Promise<TraceComparison> {
  const [a, b] = [turnsOf(first), turnsOf(second)];
  const base = { first: first.run.id, second: second.run.id };
  for (let alike = 0; ; alike++) {
    const [x, y] = [(await a.next()).value, (await b.next()).value];
    if (!x && !y) return { ...base, alike, divergence: null, sentence: `The runs are alike in all ${alike} turns.` };
    const what = !x || !y ? 'end' : x.calls !== y.calls ? 'call' : x.results !== y.results ? 'result' : undefined;
    if (!what) continue;
    const divergence = { what, firstStep: x?.step ?? null, secondStep: y?.step ?? null } as const;
    return { ...base, alike, divergence, sentence: sentenceOf(alike, divergence) };
  }
}

function sentenceOf(
  alike: number,
  { what, firstStep, secondStep }: NonNullable<TraceComparison['divergence']>,
): string {
  const start = `The first ${alike} turns are alike.`;
  if (what === 'end') {
    const [ended, goesOn] = firstStep === null ? ['first', secondStep] : ['second', firstStep];
    return `${start} Then the ${ended} run ends; the other goes on with step ${goesOn}.`;
  }
  const words = what === 'call' ? 'other calls are made' : 'the same calls have other results';
  return `${start} Then ${words}: step ${firstStep} of the first run, step ${secondStep} of the second.`;
}

/** Model turns with the results that belong to them, in whatever step the results are recorded. */
async function* turnsOf(reader: TraceReader): AsyncGenerator<Turn, undefined> {
  let open: Turn | undefined;
  for (let n = 1; n <= reader.stepCount; n++) {
    const step = await reader.step(n);
    if (step.copied) continue;
    if (step.kind === 'agent' && (step.calls.length > 0 || step.results.length === 0)) {
      if (open) yield open;
      open = { step: n, calls: keyOfCalls(step), results: '' };
    }
    if (open) open.results += step.results.map((result) => `${result.isError}:${withoutNoise(result.text)}\n`).join('');
  }
  if (open) yield open;
  return undefined;
}

function keyOfCalls(step: Step): string {
  return step.calls.map((call) => `${call.name} ${JSON.stringify(call.args, sortedKeys)}`).join('\n');
}
