import { z } from 'zod';
import { HarnessmithError } from '../../core/errors';
import { openedHarness } from '../../core/handbook';
import { openHarness } from '../../core/harness';
import { buildLinkIndex, Link, linkOneStep } from '../../core/links';
import { compareRuns, openTrace, promptDiff, RunAlignment, type TraceReader } from '../../core/traces';
import { alignedText, promptDiffText } from '../alignedText';
import { chosenTrace } from '../chosenTrace';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { positive } from '../options';

const Sites = z.array(Link);

export const TracesCompareDocument = RunAlignment.extend({
  /** Harness code behind the two steps of the divergence that matters, best first; null when it was not asked for. */
  sites: z.object({ first: Sites, second: Sites }).nullable(),
  prompts: z
    .object({
      firstStep: z.int(),
      secondStep: z.int(),
      added: z.int().nullable(),
      removed: z.int().nullable(),
      first: z.string(),
      second: z.string(),
    })
    .optional(),
});
type TracesCompareDocument = z.infer<typeof TracesCompareDocument>;

interface CompareOptions {
  all?: boolean;
  code: boolean;
  prompts?: string;
}

/** `harnessmith traces compare`. */
export function compareTracesCommand() {
  const command = newCommand('compare', 'align two runs and find where they part')
    .argument('<a>')
    .argument('<b>')
    .option('--all', 'print all rows, not only those around the divergence')
    .option('--no-code', 'leave out the harness code behind the divergence')
    .option('--prompts <steps>', 'also compare the texts of two steps, such as 1,1');
  answerWith(command, async (context, a: string, b: string): Promise<Answer<TracesCompareDocument>> => {
    const options = command.opts<CompareOptions>();
    const harness = await openHarness(context.folder);
    const first = await openTrace(await chosenTrace(harness.root, a, context), context);
    try {
      const second = await openTrace(await chosenTrace(harness.root, b, context), context);
      try {
        return await answerOf(first, second, options, context);
      } finally {
        await second.close();
      }
    } finally {
      await first.close();
    }
  });
  return command;
}

async function answerOf(
  first: TraceReader,
  second: TraceReader,
  options: CompareOptions,
  context: CommandContext,
): Promise<Answer<TracesCompareDocument>> {
  const alignment = await compareRuns(first, second, context);
  const sites = options.code ? await sitesOf(alignment, first, second, context) : null;
  const prompts = options.prompts === undefined ? {} : { prompts: await promptsOf(options.prompts, first, second) };
  const document = { ...alignment, sites, ...prompts };
  const text = [alignedText(alignment, sites, options.all === true)];
  if (prompts.prompts !== undefined) text.push('', promptDiffText(prompts.prompts));
  return { document, text: text.join('\n') };
}

/** Code behind both sides of the divergence. A harness that cannot be indexed is told of; the comparison stands. */
async function sitesOf(
  { matters }: RunAlignment,
  first: TraceReader,
  second: TraceReader,
  context: CommandContext,
): Promise<TracesCompareDocument['sites']> {
  if (matters === null) return null;
  try {
    const { graph, map } = await openedHarness(context.folder, context);
    const index = buildLinkIndex(graph, map);
    const links = async (reader: TraceReader, step: number | null) =>
      step === null ? [] : (await linkOneStep(index, reader, step)).slice(0, 3);
    return { first: await links(first, matters.firstStep), second: await links(second, matters.secondStep) };
  } catch (error) {
    if (!(error instanceof HarnessmithError) || context.signal.aborted) throw error;
    context.note(`The harness code behind the divergence is not shown: ${error.message}`);
    return null;
  }
}

async function promptsOf(steps: string, first: TraceReader, second: TraceReader) {
  const [a = '', b = a] = steps.split(',');
  const [one, other] = [await first.step(positive(a, '--prompts')), await second.step(positive(b, '--prompts'))];
  const { before, after, added, removed } = promptDiff(one, other);
  return { firstStep: before.step, secondStep: after.step, added, removed, first: before.text, second: after.text };
}
