import { throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import type { Step, TraceReader, TraceRun } from '../traces';
import type { LinkContext } from './context';
import type { LinkIndex } from './linkIndex';
import { linkStep } from './linkStep';
import { matchText } from './matchText';
import type { Link } from './model';
import { type RecordedRun, recordedRun, withRecorded } from './recording';
import { rootsOf } from './traceRoots';
import { driftOf, driftText } from './versions';

/** The first steps hold the prompts, which tell best which of several equal configurations was used. */
const STEPS_FOR_WEIGHTS = 6;
const LONGEST_RECORD = 300_000;

/**
 * Links of all steps of a run, in the order of the steps and best first within one. Texts that several files hold are
 * decided by what else of the run only one of them holds.
 */
export async function linkRun(index: LinkIndex, reader: TraceReader, work: WorkOptions = {}): Promise<Link[]> {
  const context = await contextOf(index, reader);
  const links: Link[] = [];
  for (let n = 1; n <= reader.stepCount; n += 1) {
    throwIfCancelled(work.signal, 'Linking steps to code');
    if (n % 50 === 1) work.progress?.({ message: 'Linking steps to code', done: n - 1, total: reader.stepCount });
    const step = await reader.step(n);
    for (const call of step.calls) {
      context.toolOfCall.set(call.id, call.name);
      context.toolNames.add(call.name);
    }
    links.push(...linked(index, context, step, reader.run, await recordOf(reader, step)));
  }
  return links;
}

/** Links of one step of an open trace, with what the rest of the run tells about it. */
export async function linkOneStep(index: LinkIndex, reader: TraceReader, n: number): Promise<Link[]> {
  const context = await contextOf(index, reader);
  const step = await reader.step(n);
  // A result stands near its call; looking back a little is enough and keeps a click fast.
  for (let earlier = Math.max(1, n - 30); earlier < n && step.results.length > 0; earlier += 1) {
    for (const call of (await reader.step(earlier)).calls) context.toolOfCall.set(call.id, call.name);
  }
  for (const name of [...context.toolOfCall.values(), ...step.calls.map((call) => call.name)])
    context.toolNames.add(name);
  return linked(index, context, step, reader.run, await recordOf(reader, step));
}

/** The links of a step; with a recording those that it shows first. */
function linked(index: LinkIndex, context: RunContext, step: Step, run: TraceRun, record: string): Link[] {
  const found = linkStep(index, step, run, { ...context, record });
  const links =
    context.recorded === null
      ? found
      : withRecorded(index, context.recorded, step.n, found).sort((left, right) => right.confidence - left.confidence);
  const { drift } = context;
  return drift === null ? links : links.map((link) => ({ ...link, drift }));
}

/** The original text of a step; empty where it is too long to look for more than the step shows. */
async function recordOf(reader: TraceReader, step: Step): Promise<string> {
  return (step.raw?.length ?? 0) > LONGEST_RECORD ? '' : reader.raw(step.n);
}

type RunContext = LinkContext & {
  toolOfCall: Map<string, string>;
  toolNames: Set<string>;
  drift: string | null;
  recorded: RecordedRun | null;
};

async function contextOf(index: LinkIndex, reader: TraceReader): Promise<RunContext> {
  const fileWeights = new Map<string, number>();
  const words = new Set<string>();
  for (let n = 1; n <= Math.min(STEPS_FOR_WEIGHTS, reader.stepCount); n += 1) {
    const step = await reader.step(n);
    const texts = [...(step.kind === 'agent' ? [] : [step.text]), ...step.results.map((result) => result.text)];
    for (const text of texts) {
      const looked = text.slice(0, 60_000);
      const own = addExclusiveWeights(index, looked, fileWeights);
      for (const word of wordsIn(looked)) if (!own.has(word)) words.add(word);
    }
  }
  const recorded = await recordedRun(index, reader);
  const drift = index.checkout === null ? null : driftOf(reader.run, index.checkout, recorded?.recording.head);
  return {
    fileWeights,
    words,
    toolOfCall: new Map(),
    toolNames: new Set(),
    recorded,
    drift: drift === null ? null : driftText(drift),
    roots: await rootsOf(index, reader),
  };
}

function wordsIn(text: string): string[] {
  return text.toLowerCase().match(/[a-z]{5,}/g) ?? [];
}

/**
 * Adds what each file matched more than any other file did. Returns the words of the literals themselves: they stand in
 * every run that uses the template, so they do not tell which of several was used.
 */
function addExclusiveWeights(index: LinkIndex, text: string, weights: Map<string, number>): Set<string> {
  const byFile = new Map<string, number>();
  const own = new Set<string>();
  for (const match of matchText(index.patterns, text)) {
    const { file, parts } = match.pattern.fact;
    if (match.coverage >= 0.5) for (const part of parts) for (const word of wordsIn(part ?? '')) own.add(word);
    byFile.set(file, Math.max(byFile.get(file) ?? 0, match.weight));
  }
  const sorted = [...byFile].sort((left, right) => right[1] - left[1]);
  for (const [at, [file, weight]] of sorted.entries()) {
    const rival = sorted[at === 0 ? 1 : 0]?.[1] ?? 0;
    if (weight > rival) weights.set(file, (weights.get(file) ?? 0) + weight - rival);
  }
  return own;
}
