/**
 * Compares the links of trace steps with known answers, each in its harness at its commit.
 *
 *   npm run bench:links -- --data FILE.jsonl --mirror DIR [--traces DIR] [--match TEXT] [--show] [--misses] [--json FILE]
 *
 * An item: `{id, trace, step, kind, evidence, harness, commit, gold: [{file, symbol, start, end, literalLines?}]}`; `step` is a
 * JSON pointer, `L<line>` before it in JSONL and `<member>!` in archives. Trees come from the bare repositories
 * `DIR/OWNER+NAME/repo`; traces lie in `--traces`, or in `traces/samples` beside the folder of the items. `--match` selects
 * items by harness, commit or id. An item may point to one part of a step: links of that part count first.
 * A hit overlaps any right place; a strict hit holds a line with the text, or names the symbol of the first one.
 */
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { indexHarness } from '../src/core/graph';
import { buildHandbook } from '../src/core/handbook';
import { openHarness } from '../src/core/harness';
import { buildLinkIndex, type LinkIndex, linkRun } from '../src/core/links';
import { importTraces, openTrace } from '../src/core/traces';
import { type Item, readItems } from './links/items';
import { ofPart, pointedStep } from './links/pointedStep';
import { type Answer, details, isHit, row, table } from './links/report';
import { treeAt } from './shared/tree';

async function indexOf(mirror: string, harnessName: string, commit: string): Promise<LinkIndex> {
  const harness = await openHarness(await treeAt(mirror, harnessName, commit));
  const { graph } = await indexHarness(harness);
  const map = await buildHandbook(graph, harness);
  const started = performance.now();
  const index = buildLinkIndex(graph, map);
  const took = Math.round(performance.now() - started);
  console.error(`${harnessName} ${commit.slice(0, 8)}: ${graph.data.literals.length} literals, index in ${took} ms`);
  return index;
}

/** Links of the step and part that each item of one trace points to. */
async function answersOf(index: LinkIndex, file: string, items: readonly Item[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const { runs } = await importTraces([file]);
  let open = items;
  for (const run of runs) {
    const reader = await openTrace(run);
    try {
      const own = open.filter((item) => runs.length === 1 || belongsTo(item, run.id, run.task));
      if (own.length === 0) continue;
      open = open.filter((item) => !own.includes(item));
      const links = await linkRun(index, reader);
      for (const item of own) {
        const pointed = await pointedStep(reader, item.step);
        answers.push({
          item,
          step: pointed?.step ?? null,
          links: pointed === null ? [] : ofPart(links, pointed),
        });
      }
    } finally {
      await reader.close();
    }
  }
  return [...answers, ...open.map((item) => ({ item, step: null, links: [] }))];
}

/** In a file of several runs the number in the pointer (`/samples/1`, `L2`) is that of the run. */
function belongsTo(item: Item, id: string, task: string | null): boolean {
  const number = /^(?:\/samples\/|L)(\d+)/.exec(item.step);
  if (number === null) return true;
  const at = Number(number[1]) - (item.step.startsWith('L') ? 1 : 0);
  return id.endsWith(`#${at}`) || task === number[1];
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      data: { type: 'string' },
      mirror: { type: 'string' },
      traces: { type: 'string' },
      match: { type: 'string', default: '' },
      show: { type: 'boolean', default: false },
      misses: { type: 'boolean', default: false },
      json: { type: 'string' },
    },
  });
  const { data, mirror, match } = values;
  if (!data || !mirror) throw new Error('Give --data FILE.jsonl and --mirror DIR.');
  const traces = values.traces ?? join(dirname(data), '..', 'traces', 'samples');
  const items = (await readItems(data)).filter((item) => `${item.harness} ${item.commit} ${item.id}`.includes(match));
  const answers: Answer[] = [];
  for (const key of new Set(items.map((item) => `${item.harness}\n${item.commit}`))) {
    const [harness = '', commit = ''] = key.split('\n');
    const own = items.filter((item) => item.harness === harness && item.commit === commit);
    const index = await indexOf(mirror, harness, commit);
    for (const trace of new Set(own.map((item) => item.trace)))
      answers.push(
        ...(await answersOf(
          index,
          join(traces, trace),
          own.filter((item) => item.trace === trace),
        )),
      );
  }
  for (const answer of answers) {
    const right = answer.links.slice(0, 1).some((link) => isHit(link, answer.item.gold));
    if (values.show || (values.misses && !right)) console.log(details(answer));
  }
  console.log(table('by harness', answers, ({ item }) => item.harness));
  console.log(table('by kind', answers, ({ item }) => item.kind));
  console.log(table('by evidence', answers, ({ item }) => item.evidence));
  console.log(row('all', answers));
  if (values.json) await writeFile(values.json, `${JSON.stringify(answers, null, 1)}\n`);
}

await main();
