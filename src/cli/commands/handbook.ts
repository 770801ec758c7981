import { join, resolve } from 'node:path';
import { z } from 'zod';
import { indexHarness } from '../../core/graph';
import {
  buildHandbook,
  checkHandbook,
  HandbookProblem,
  mapFileName,
  renderPages,
  writePages,
} from '../../core/handbook';
import { openHarness } from '../../core/harness';
import { readTextIfPresent, storePaths } from '../../core/store';
import { type Answer, answerWith, newCommand } from '../command';
import { counted } from '../words';

export const HandbookDocument = z.object({
  folder: z.string(),
  pages: z.array(z.string()),
  stages: z.int(),
  units: z.int(),
  registers: z.int(),
  loops: z.array(z.object({ title: z.string(), file: z.string(), symbol: z.string(), start: z.int(), end: z.int() })),
  notFound: z.array(z.string()),
  assignedLines: z.int(),
  codeLines: z.int(),
});
type HandbookDocument = z.infer<typeof HandbookDocument>;
export const HandbookCheckDocument = z.object({ checked: z.int(), problems: z.array(HandbookProblem) });

/** `harnessmith handbook [dir] [--out D] [--check]`. */
export function handbookCommand() {
  const command = newCommand('handbook', 'write the three-level handbook, or check the written one')
    .argument('[dir]', 'repository of the harness')
    .option('--out <folder>', 'where the pages go (default: .harnessmith/cache/handbook)')
    .option('--check', 'verify every anchor against the source; exit 1 when one is stale');
  answerWith(command, async (context, dir?: string): Promise<Answer> => {
    const options = command.opts<{ out?: string; check?: boolean }>();
    const harness = await openHarness(dir ?? context.folder);
    const folder = options.out ? resolve(options.out) : join(storePaths(harness.root).cache, 'handbook');
    // Without written pages there is nothing old to compare: they are written first, then every anchor is read back.
    const written = (await readTextIfPresent(join(folder, mapFileName))) !== undefined;
    if (options.check && written) return check(harness, folder);
    const { graph } = await indexHarness(harness, context);
    const map = await buildHandbook(graph, harness);
    const pages = renderPages(map, graph, folder);
    await writePages(pages, map, folder);
    if (options.check) return check(harness, folder);
    const units = new Map(map.units.map((unit) => [unit.id, unit]));
    const document: HandbookDocument = {
      folder,
      pages: pages.map((page) => page.path),
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

async function check(harness: Awaited<ReturnType<typeof openHarness>>, folder: string): Promise<Answer> {
  const { checked, problems } = await checkHandbook(harness, folder);
  const text = problems.map((problem) => `${problem.file}:${problem.line}  ${problem.message}`);
  text.push(
    problems.length === 0
      ? `All ${counted(checked, 'anchor')} fit the source.`
      : `${problems.length} of ${counted(checked, 'anchor')} no longer fit. Write the handbook again: harnessmith handbook`,
  );
  return { document: { checked, problems }, text: text.join('\n'), ok: problems.length === 0 };
}

function describe(d: HandbookDocument): string {
  const lines = [
    `${counted(d.pages.length, 'page')} in ${d.folder}: ${d.stages} stages, ${d.units} units, ${d.registers} state registers.`,
  ];
  for (const loop of d.loops) lines.push(`Agent loop: ${loop.symbol}  ${loop.file}:${loop.start}-${loop.end}`);
  lines.push(`${d.assignedLines} of ${d.codeLines} lines of code belong to a unit.`);
  for (const missing of d.notFound) lines.push(`Not found: ${missing}`);
  return lines.join('\n');
}
