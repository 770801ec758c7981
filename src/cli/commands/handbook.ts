import { join, resolve } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { indexHarness } from '../../core/graph';
import {
  buildHandbook,
  checkHandbook,
  exportHandbook,
  type HandbookFormat,
  HandbookProblem,
  handbookFormats,
  mapFileName,
  renderPages,
} from '../../core/handbook';
import { openHarness } from '../../core/harness';
import { readTextIfPresent, storePaths } from '../../core/store';
import { type Answer, answerWith, newCommand } from '../command';
import { counted } from '../words';
import { handbookEditCommand } from './handbookEdit';
import { addRefineOptions, RefinedDocument, type RefineFlags, refined } from './handbookRefine';

export const HandbookDocument = z.object({
  folder: z.string(),
  /** Paths of the pages, relative to the folder; empty when Markdown was not asked for. */
  pages: z.array(z.string()),
  /** What was written, by format. */
  written: z.array(z.object({ format: z.enum(handbookFormats), path: z.string() })),
  /** With --llm: what it would cost and what came of it; null without. */
  refined: RefinedDocument.nullable(),
  stages: z.int(),
  units: z.int(),
  registers: z.int(),
  loops: z.array(z.object({ title: z.string(), file: z.string(), symbol: z.string(), start: z.int(), end: z.int() })),
  notFound: z.array(z.string()),
  assignedLines: z.int(),
  codeLines: z.int(),
});
type HandbookDocument = z.infer<typeof HandbookDocument>;
export const HandbookCheckDocument = z.object({ checked: z.int(), pages: z.int(), problems: z.array(HandbookProblem) });

/** `harnessmith handbook [dir] [--out D] [--format md,html,json] [--check] [--llm]`, and `handbook edit`. */
export function handbookCommand() {
  const command = addRefineOptions(newCommand('handbook', 'write the three-level handbook, or check the written one'))
    .argument('[dir]', 'repository of the harness')
    .option('--out <folder>', 'where the pages go (default: .harnessmith/cache/handbook)')
    .option('--format <list>', 'md (a folder of pages), html (one file), json; several with commas', 'md')
    .option('--check', 'verify every anchor, quote and relation of the written pages; exit 1 when one is wrong')
    .enablePositionalOptions()
    .addCommand(handbookEditCommand());
  answerWith(command, async (context, dir?: string): Promise<Answer> => {
    const options = command.opts<{ out?: string; format: string; check?: boolean } & RefineFlags>();
    const formats = formatsOf(options.format);
    const harness = await openHarness(dir ?? context.folder);
    const folder = options.out ? resolve(options.out) : join(storePaths(harness.root).cache, 'handbook');
    // Without written pages there is nothing old to compare: they are written first, then every anchor is read back.
    const written = (await readTextIfPresent(join(folder, mapFileName))) !== undefined;
    if (options.check && written && !options.llm) return check(harness, folder);
    const { graph } = await indexHarness(harness, context);
    let map = await buildHandbook(graph, harness);
    const refinement = options.llm ? await refined({ harness, graph, map }, options, context) : null;
    if (refinement?.result) map = await buildHandbook(graph, harness);
    const outputs = await exportHandbook(map, graph, folder, options.check ? ['md'] : formats);
    if (options.check) {
      if (!written) context.note(`There were no pages in ${folder}; they were written first.`);
      return check(harness, folder);
    }
    const units = new Map(map.units.map((unit) => [unit.id, unit]));
    const document: HandbookDocument = {
      folder,
      pages: formats.includes('md') ? renderPages(map, graph, folder).map((page) => page.path) : [],
      written: outputs,
      refined: refinement,
      stages: map.stages.length,
      units: map.units.length,
      registers: map.registers.length,
      loops: map.loops.flatMap((id) => {
        const unit = units.get(id);
        if (!unit) return [];
        const { file, symbol, start, end } = unit.sites[0];
        return [{ title: unit.title, file, symbol, start, end }];
      }),
      notFound: map.notFound,
      assignedLines: map.counts.assignedLines,
      codeLines: map.counts.codeLines,
    };
    return { document, text: describe(document) };
  });
  return command;
}

/** @throws InputError naming the formats there are. */
function formatsOf(text: string): HandbookFormat[] {
  const names = text.split(',').map((name) => name.trim());
  const formats = handbookFormats.filter((format) => names.includes(format));
  const unknown = names.find((name) => !handbookFormats.some((format) => format === name));
  if (unknown === undefined) return formats;
  throw new InputError(`There is no format "${unknown}".`, {
    code: 'usage',
    nextStep: `Formats: ${handbookFormats.join(', ')}; several with commas.`,
  });
}

async function check(harness: Awaited<ReturnType<typeof openHarness>>, folder: string): Promise<Answer> {
  const { checked, pages = 0, problems } = await checkHandbook(harness, folder);
  const text = problems.map((problem) => `${problem.file}:${problem.line}  ${problem.message}`);
  text.push(
    problems.length === 0
      ? `All ${counted(checked, 'anchor')} and every line of ${counted(pages, 'page')} fit the source.`
      : `${counted(problems.length, 'statement')} of ${counted(checked, 'anchor')} and ${counted(pages, 'page')} do not fit the source. Write the handbook again: harnessmith handbook`,
  );
  return { document: { checked, pages, problems }, text: text.join('\n'), ok: problems.length === 0 };
}

function describe(d: HandbookDocument): string {
  const outputs = d.written.map(({ format, path }) =>
    format === 'md' ? `${counted(d.pages.length, 'page')} in ${d.folder}` : path,
  );
  const lines = [
    `${outputs.join(', ')}: ${counted(d.stages, 'stage')}, ${counted(d.units, 'unit')}, ${counted(d.registers, 'state register')}.`,
  ];
  for (const loop of d.loops) lines.push(`Agent loop: ${loop.symbol}  ${loop.file}:${loop.start}-${loop.end}`);
  lines.push(`${d.assignedLines} of ${d.codeLines} lines of code belong to a unit.`);
  for (const missing of d.notFound) lines.push(`Not found: ${missing}`);
  return lines.join('\n');
}
