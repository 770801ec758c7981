import type { WorkOptions } from '../progress';
import type { RawRange, TraceRun } from './model';
import type { TraceReader } from './open';
import type { StepRelations } from './relations/model';
import { relateSteps } from './relations/relateRun';
import { summaryOf } from './summary';

const defaultCharacters = 6_000;
const mostWarnings = 5;
/** Room for the line that counts what is left out beside a step that is kept. */
const gapCharacters = 30;

/**
 * A short account of a run in Markdown: the head, then one line a step, with the byte at which its record starts behind `@`.
 * When the steps do not fit the budget, errors, the first and the last steps are kept, and the gaps are counted. Trace text
 * is put in code spans, so it stays text.
 * @param characters Budget of the whole digest.
 */
export async function digestTrace(
  reader: TraceReader,
  characters = defaultCharacters,
  work: WorkOptions = {},
): Promise<string> {
  const head = headOf(reader.run);
  return [...head, ...(await digestSteps(reader, characters - head.join('\n').length, '', work))].join('\n');
}

/**
 * The lines of the steps of a run within a budget. Lines start with the number of the step behind `prefix`, say what it has to do
 * with other steps, and end with where it lies.
 */
export async function digestSteps(
  reader: TraceReader,
  characters: number,
  prefix: string,
  work: WorkOptions = {},
): Promise<string[]> {
  const lines: { text: string; weight: number }[] = [];
  await relateSteps(reader, work, (step, relations) => {
    const row = summaryOf(step);
    const calls = row.calls.map((call) => ` > ${code(`${call.name} ${call.preview}`, 80)}`).join('');
    const kind = `${row.event ?? row.kind}${row.isError ? ' **error**' : ''}${relationWords(relations)}`;
    const text = `${prefix}${row.n}. ${kind} ${code(row.preview, 120)}${calls}${placeOf(step.raw)}`;
    const edge = Math.min(row.n - 1, reader.stepCount - row.n);
    lines.push({ text, weight: (row.isError ? 1_000_000 : 0) - edge });
  });
  return withinBudget(lines, characters);
}

function relationWords({ repeatOf, retryOf, causedByError, context }: StepRelations): string {
  const words: string[] = [];
  if (retryOf !== undefined) words.push(`retry of ${retryOf}`);
  if (repeatOf !== undefined) words.push(`repeat of ${repeatOf}`);
  if (causedByError !== undefined && retryOf === undefined) words.push(`after the error in ${causedByError}`);
  if (context?.truncated !== undefined) words.push('truncated');
  return words.length === 0 ? '' : ` (${words.join(', ')})`;
}

function placeOf(raw: RawRange | undefined): string {
  return raw === undefined ? '' : ` @${raw.part === undefined ? '' : `${raw.part}:`}${raw.offset}`;
}

function headOf(run: TraceRun): string[] {
  const { counts, outcome, tokens } = run;
  return [
    `# ${code(run.task ?? run.sessionId ?? 'run', 80)}`,
    `file: ${code(run.file, 400)}`,
    `verdict: ${outcome.verdict}${outcome.exception ? `, ${code(outcome.exception, 60)}` : ''}; ${counts.steps} steps, ${counts.modelTurns} model turns, ` +
      `${counts.toolCalls} calls, ${counts.toolErrors} errors, ${counts.noActionTurns} turns without action; tokens ${tokens.input ?? '?'} in, ${tokens.output ?? '?'} out`,
    ...run.warnings.slice(0, mostWarnings).map((warning) => `warning: ${code(warning, 200)}`),
    ...(run.warnings.length > mostWarnings ? [`warning: ${run.warnings.length - mostWarnings} more`] : []),
    '',
  ];
}

function withinBudget(lines: readonly { text: string; weight: number }[], characters: number): string[] {
  const kept = new Set<number>();
  const everything = lines.reduce((sum, { text }) => sum + text.length + 1, 0) <= characters;
  let left = everything ? characters : characters - gapCharacters;
  const order = lines.map((_, index) => index).sort((a, b) => lines[b].weight - lines[a].weight);
  for (const index of order) {
    // Beside a kept step no gap opens; anywhere else one may.
    const joins = kept.has(index - 1) || kept.has(index + 1) || index === 0;
    left -= lines[index].text.length + 1 + (joins || everything ? 0 : gapCharacters);
    if (left < 0) break;
    kept.add(index);
  }
  const shown: string[] = [];
  let hidden = 0;
  const closeGap = () => {
    if (hidden > 0) shown.push(`   (${hidden} steps left out)`);
    hidden = 0;
  };
  lines.forEach(({ text }, index) => {
    if (!kept.has(index)) {
      hidden++;
      return;
    }
    closeGap();
    shown.push(text);
  });
  closeGap();
  return shown;
}

/** A code span of one line that its text cannot leave. */
export function code(text: string, longest: number): string {
  const line = text.replace(/\s+/g, ' ').replaceAll('`', "'").trim();
  if (line === '') return '';
  return `\`${line.length > longest ? `${line.slice(0, longest)}...` : line}\``;
}
