import { cp, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { diagnoseRuns, type FlawRecord, promptTexts } from '../../src/core/diagnosis';
import { indexHarness } from '../../src/core/graph';
import { type BehaviourMap, buildHandbook } from '../../src/core/handbook';
import { openHarness } from '../../src/core/harness';
import { buildLinkIndex, linkRun } from '../../src/core/links';
import { importTraces } from '../../src/core/traces';

const PlantedFlaws = z.array(
  z.object({
    harness: z.string(),
    id: z.string(),
    task: z.string(),
    /** `file#symbol` that has the flaw. */
    where: z.string(),
    old: z.string(),
    new: z.string(),
  }),
);

export interface FlawCase {
  name: string;
  where: string;
  /** Place among the flaw records, from 1; null when none names the place. */
  rank: number | null;
  /** The same where the place is the record's or one of the units its repair may touch. */
  scopeRank: number | null;
  flaws: FlawRecord[];
}

/** Diagnoses the runs of each harness with one planted flaw each. `folder` is `test/fixtures/flawed`. */
export async function plantedFlaws(folder: string): Promise<FlawCase[]> {
  const cases: FlawCase[] = [];
  for (const flaw of PlantedFlaws.parse(JSON.parse(await readFile(join(folder, 'flaws.json'), 'utf8')))) {
    const { flaws, map } = await diagnosed(
      join(folder, flaw.harness),
      join(folder, 'traces', `${flaw.harness}-${flaw.id}`),
      {
        file: flaw.where.split('#')[0]!,
        old: flaw.old,
        new: flaw.new,
      },
    );
    cases.push({ name: `${flaw.harness} ${flaw.id}`, where: flaw.where, ...ranksOf(flaws, map, flaw.where), flaws });
  }
  return cases;
}

/** The flaws of the example, which has all four at once, in its recorded runs. */
export async function exampleFlaws(example: string): Promise<FlawCase[]> {
  const { flaws, map } = await diagnosed(example, join(example, 'traces'));
  const places = [
    'prompts/format_error.md#',
    'src/truncation.ts#truncateOutput',
    'src/completion.ts#CompletionCheck',
    'src/compaction.ts#compact',
  ];
  return places.map((where) => ({ name: `tinker ${where}`, where, ...ranksOf(flaws, map, where), flaws }));
}

/** The flaw records of a copy of a harness, with a text replaced, over recorded runs. */
async function diagnosed(harnessFolder: string, traces: string, flaw?: { file: string; old: string; new: string }) {
  // A copy, because the index is kept in the harness.
  const root = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-flawed-')));
  try {
    await cp(harnessFolder, root, { recursive: true });
    if (flaw) {
      const text = await readFile(join(root, flaw.file), 'utf8');
      await writeFile(
        join(root, flaw.file),
        text.replace(flaw.old, () => flaw.new),
      );
    }
    const harness = await openHarness(root);
    const { graph } = await indexHarness(harness);
    const map = await buildHandbook(graph, harness);
    const index = buildLinkIndex(graph, map);
    const { runs } = await importTraces([traces]);
    const texts = promptTexts(graph.data.literals);
    const { flaws } = await diagnoseRuns({ runs, map, texts, linksOf: (reader) => linkRun(index, reader) });
    return { flaws, map };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Places among the records, by their own place and by that of any unit in the scope of the repair. */
function ranksOf(flaws: readonly FlawRecord[], map: BehaviourMap, where: string) {
  const [file, symbol = ''] = where.split('#');
  const fits = (site: { file: string; symbol: string } | null | undefined) =>
    site?.file === file && (symbol === '' || site.symbol === symbol || site.symbol.startsWith(`${symbol}.`));
  const rank = (of: (flaw: FlawRecord) => boolean) => {
    const at = flaws.findIndex(of);
    return at === -1 ? null : at + 1;
  };
  const inScope = ({ site, repair }: FlawRecord) =>
    fits(site) || (repair?.units ?? []).some((id) => map.units.find((unit) => unit.id === id)?.sites.some(fits));
  return { rank: rank(({ site }) => fits(site)), scopeRank: rank(inScope) };
}
