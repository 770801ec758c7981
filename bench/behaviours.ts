/**
 * Compares derived behaviour maps with places that a reader found in real harnesses.
 *
 *   npm run bench:behaviours -- --data FILE.jsonl[,FILE.jsonl] --mirror DIR [--match TEXT] [--fresh] [--misses] [--json FILE]
 *
 * A row: `{kind: behaviour, harness, repo, commit, lang, behaviour, role, file, symbol, start, end, order?}` or
 * `{kind: register, ..., register, scope, sites: [{access, file, symbol, start, end}]}`. Trees come from the bare repository
 * `DIR/OWNER+NAME/repo` at the row's commit and are kept in the temporary folder. `--match` selects harnesses by name,
 * `--fresh` indexes from nothing, `--misses` lists what was not found. Behaviour recall: the first unit of the kind (@1) or one
 * of the first three (@3) holds a main place (1) or a part, prompt, key or constant of it (0.5); `click` counts only the
 * first place of the first unit, `anywhere` a unit of any kind.
 */
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { indexHarness, type ProgramGraph } from '../src/core/graph';
import { type BehaviourMap, deriveMap, loadSources } from '../src/core/handbook';
import { openHarness } from '../src/core/harness';
import { grepBaseline, nameBaseline } from './behaviours/baselines';
import { type Gold, type Place, readGold } from './behaviours/gold';
import { behaviourTable, details, line, table } from './behaviours/report';
import { type Score, type ScoredMap, score } from './behaviours/score';
import { treeAt } from './shared/tree';

function placeOf(site: { file: string; symbol: string; start: number; end: number }): Place {
  return { file: site.file, symbol: site.symbol, start: site.start, end: site.end };
}

/** The map as it is scored: units of a kind in the order of the map, loops by their first site. */
function scoredMap(map: BehaviourMap): ScoredMap {
  return {
    loops: map.loops.flatMap((id) => {
      const site = map.units.find((unit) => unit.id === id)?.sites[0];
      return site ? [placeOf(site)] : [];
    }),
    units: map.units.map((unit) => ({
      kind: unit.kind,
      title: unit.title,
      sites: unit.sites.map(placeOf),
    })),
    steps: (map.steps ?? []).filter((step) => step.phase === 'loop').map((step) => placeOf(step.site)),
    registers: map.registers.map((register) => ({
      name: register.name,
      sites: register.sites.map(({ access, site }) => ({ access, ...placeOf(site) })),
    })),
  };
}

function baselineScore(gold: Gold, units: ScoredMap['units']): Score {
  return score(gold, { loops: [], registers: [], steps: [], units });
}

interface Run {
  map: Score;
  names: Score;
  grep: Score;
  derived: BehaviourMap;
}

async function runOne(gold: Gold, mirror: string, fresh: boolean): Promise<Run> {
  const folder = await treeAt(mirror, gold.repo, gold.commit);
  if (fresh) await rm(join(folder, '.harnessmith'), { recursive: true, force: true });
  const harness = await openHarness(folder);
  const graph: ProgramGraph = (await indexHarness(harness)).graph;
  const before = process.cpuUsage();
  const derived = await deriveMap(graph, harness);
  const { user, system } = process.cpuUsage(before);
  const kinds = new Map<string, number>();
  for (const unit of derived.units) kinds.set(unit.kind, (kinds.get(unit.kind) ?? 0) + 1);
  console.error(
    `${gold.harness}: ${derived.counts.functions} functions, ${derived.units.length} units (${kinds.get('other') ?? 0} other), ` +
      `${derived.registers.length} registers, derived in ${((user + system) / 1e6).toFixed(1)} s of CPU`,
  );
  const behaviours = [...new Set(gold.places.filter((place) => place.role === 'main').map((place) => place.behaviour))];
  const sources = await loadSources(graph, harness);
  return {
    map: score(gold, scoredMap(derived)),
    names: baselineScore(gold, nameBaseline(graph)(behaviours)),
    grep: baselineScore(gold, grepBaseline(graph, sources)(behaviours)),
    derived,
  };
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      mirror: { type: 'string' },
      match: { type: 'string', default: '' },
      fresh: { type: 'boolean', default: false },
      misses: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  if (!values.data || !values.mirror) throw new Error('Give --data FILE.jsonl and --mirror DIR.');
  const golds = (await readGold(values.data.split(','))).filter((gold) => gold.harness.includes(values.match));
  const runs: Run[] = [];
  for (const gold of golds) runs.push(await runOne(gold, values.mirror, values.fresh));
  const scores = runs.map((run) => run.map);
  console.log(table(scores));
  console.log(`\n${behaviourTable(scores)}\n\n${details(scores)}`);
  console.log(
    line(
      'names',
      runs.map((run) => run.names),
    ),
  );
  console.log(
    line(
      'grep',
      runs.map((run) => run.grep),
    ),
  );
  if (values.misses) {
    for (const { harness, misses } of scores) {
      for (const miss of misses)
        console.log(
          `\n${harness} ${miss.behaviour} (${miss.what})\n  expected ${miss.expected}\n  got ${miss.got || '-'}`,
        );
    }
  }
  if (values.json) {
    const maps = Object.fromEntries(runs.map((run) => [run.map.harness, run.derived]));
    await writeFile(values.json, JSON.stringify(maps, null, 1));
  }
}

await main();
