import { z } from 'zod';
import { openHarness } from '../../core/harness';
import {
  loadPrices,
  measureRun,
  measureStep,
  openTrace,
  type PriceTable,
  RunMetrics,
  Step,
  StepMetrics,
  StepRelations,
  type TraceReader,
  TraceRun,
} from '../../core/traces';
import { chosenTrace } from '../chosenTrace';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { metricsText, relationLines, stepMetricsLine } from '../measuredTexts';
import { positive } from '../options';
import { outcomeWords } from '../words';

export const TraceDocument = z.object({
  run: TraceRun,
  steps: z.array(Step),
  /** Steps that have to do with others; with `--step` of that step alone. */
  relations: z.array(StepRelations),
  stepMetrics: z.array(StepMetrics),
  /** Numbers of the whole run; null with `--step`. */
  metrics: RunMetrics.omit({ steps: true }).nullable(),
});
type TraceDocument = z.infer<typeof TraceDocument>;

/** `harnessmith traces show`. */
export function showCommand() {
  const command = newCommand('show', 'show the steps of a run, or one step whole')
    .argument('<trace>', 'run id, trial name or file')
    .option('--step <number>', 'only this step, with its whole text and what it has to do with others');
  answerWith(command, async (context, name: string): Promise<Answer<TraceDocument>> => {
    const harness = await openHarness(context.folder);
    const wanted = command.opts<{ step?: string }>().step;
    const n = wanted === undefined ? null : positive(wanted, '--step');
    const prices = await loadPrices(harness.root);
    const reader = await openTrace(await chosenTrace(harness.root, name, context), context);
    try {
      return n === null ? await wholeRun(reader, prices, context) : await oneStep(reader, n, prices, context);
    } finally {
      await reader.close();
    }
  });
  return command;
}

async function oneStep(
  reader: TraceReader,
  n: number,
  prices: PriceTable,
  context: CommandContext,
): Promise<Answer<TraceDocument>> {
  const step = await reader.step(n);
  const { relations, metrics } = await measureStep(reader, n, prices, context);
  const lines = [stepText(step), '', stepMetricsLine(metrics), ...relationLines(relations)];
  const document = { run: reader.run, steps: [step], relations: [relations], stepMetrics: [metrics], metrics: null };
  return { document, text: lines.join('\n').trimEnd() };
}

async function wholeRun(
  reader: TraceReader,
  prices: PriceTable,
  context: CommandContext,
): Promise<Answer<TraceDocument>> {
  const { run } = reader;
  const steps: Step[] = [];
  if (context.json) for (let n = 1; n <= reader.stepCount; n += 1) steps.push(await reader.step(n));
  const { relations, metrics } = await measureRun(reader, prices, context);
  const { steps: stepMetrics, ...whole } = metrics;
  const rows = await reader.summaries(1, reader.stepCount);
  const text = rows.map((row) => {
    const calls = row.calls.map((call) => `> ${call.name} ${call.preview}`).join('  ');
    return `${String(row.n).padStart(4)}  ${row.kind.padEnd(6)} ${row.isError ? 'error  ' : ''}${row.preview.split('\n')[0].slice(0, 100)}  ${calls}`.trimEnd();
  });
  return {
    document: { run, steps, relations: relations.steps, stepMetrics, metrics: whole },
    text: [
      `${run.task ?? run.file}: ${outcomeWords(run.outcome)}`,
      ...metricsText(whole),
      ...run.warnings.map((warning) => `warning: ${warning}`),
      ...text,
    ].join('\n'),
  };
}

function stepText(step: Step): string {
  const parts = [`step ${step.n}, ${step.event ?? step.kind}`];
  if (step.reasoning) parts.push(`reasoning: ${step.reasoning}`);
  if (step.text) parts.push(step.text);
  for (const call of step.calls) parts.push(`> ${call.name} ${JSON.stringify(call.args)}`);
  for (const result of step.results) parts.push(`${result.isError ? 'error' : 'result'}: ${result.text}`);
  return parts.join('\n');
}
