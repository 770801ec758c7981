/**
 * Compares the links of trace steps with known answers.
 *
 *   npm run bench:links -- --answers FILE.jsonl --traces DIR --harness DIR --match TEXT [--show]
 *
 * A row of the answer file: `{id, trace, step (JSON pointer), kind, commit, gold: [{file, symbol, start, end, literalLines}]}`.
 * `--harness` is a checkout at the commit of the rows; `--match` selects rows by commit. A hit overlaps any gold place; a
 * strict hit holds a literal line or the symbol of the first one. Printed: hits of the first link and of the first three.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { indexHarness } from '../src/core/graph';
import { buildHandbook } from '../src/core/handbook';
import { openHarness } from '../src/core/harness';
import { buildLinkIndex, type Link, linkRun } from '../src/core/links';
import { importTraces, openTrace, type TraceReader } from '../src/core/traces';

interface Gold {
  file: string;
  symbol: string;
  start: number;
  end: number;
  literalLines?: number[];
}

interface Row {
  id: string;
  trace: string;
  step: string;
  kind: string;
  commit: string;
  gold: Gold[];
}

/** The step whose records hold the value at a JSON pointer of the document. */
async function stepAt(reader: TraceReader, document: unknown, pointer: string): Promise<number | null> {
  const [, list = '', place = ''] = pointer.split('/');
  const lists = document as Record<string, unknown[]>;
  const wanted = JSON.stringify(lists[list]?.[Number(place)]);
  for (let n = 1; n <= reader.stepCount; n += 1) {
    if (wanted !== undefined && JSON.stringify(JSON.parse(await reader.raw(n))) === wanted) return n;
  }
  return pointer.startsWith('/info') ? reader.stepCount : null;
}

function hits(link: Link, gold: readonly Gold[]): boolean {
  return gold.some((place) => place.file === link.file && link.start <= place.end && link.end >= place.start);
}

function isStrict(link: Link, gold: Gold | undefined): boolean {
  if (gold === undefined || gold.file !== link.file) return false;
  const onLine = gold.literalLines?.some((line) => link.start <= line && line <= link.end) ?? false;
  return onLine || gold.symbol.split('.').at(-1) === link.symbol.split('.').at(-1);
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      answers: { type: 'string' },
      traces: { type: 'string' },
      harness: { type: 'string' },
      match: { type: 'string' },
      show: { type: 'boolean', default: false },
    },
  });
  const { answers, traces, harness: folder, match = '' } = values;
  if (!answers || !traces || !folder)
    throw new Error('Give --answers FILE, --traces DIR, --harness DIR and --match TEXT.');
  const lines = (await readFile(answers, 'utf8')).split('\n').filter((line) => line !== '');
  const rows = lines.map((line): Row => JSON.parse(line)).filter((row) => row.commit.startsWith(match));
  const harness = await openHarness(folder);
  const { graph } = await indexHarness(harness);
  const map = await buildHandbook(graph, harness);
  const started = performance.now();
  const index = buildLinkIndex(graph, map);
  console.log(`${graph.data.literals.length} literals, index built in ${Math.round(performance.now() - started)} ms`);
  const counts = { rows: 0, first: 0, third: 0, strictFirst: 0, strictThird: 0 };
  for (const trace of new Set(rows.map((row) => row.trace))) {
    const run = (await importTraces([join(traces, trace)])).runs[0];
    if (run === undefined) continue;
    const reader = await openTrace(run);
    const before = performance.now();
    const links = await linkRun(index, reader);
    console.log(
      `${trace}: ${reader.stepCount} steps, ${links.length} links in ${Math.round(performance.now() - before)} ms`,
    );
    const document: unknown = JSON.parse(await readFile(join(traces, trace), 'utf8'));
    for (const row of rows.filter((one) => one.trace === trace)) {
      const n = await stepAt(reader, document, row.step);
      const found = links.filter((link) => link.step === n).slice(0, 3);
      const [first] = found;
      counts.rows += 1;
      counts.first += first !== undefined && hits(first, row.gold) ? 1 : 0;
      counts.third += found.some((link) => hits(link, row.gold)) ? 1 : 0;
      counts.strictFirst += first !== undefined && isStrict(first, row.gold[0]) ? 1 : 0;
      counts.strictThird += found.some((link) => isStrict(link, row.gold[0])) ? 1 : 0;
      if (!values.show) continue;
      const mark =
        first !== undefined && hits(first, row.gold)
          ? 'first'
          : found.some((link) => hits(link, row.gold))
            ? 'third'
            : 'MISS';
      console.log(
        `${row.id} ${mark} ${row.kind} step ${n}: ${row.gold.map((gold) => `${gold.file}:${gold.start}-${gold.end} ${gold.symbol}`).join(' | ')}`,
      );
      for (const link of found)
        console.log(
          `    ${link.confidence} ${link.kind} ${link.file}:${link.start}-${link.end} ${link.symbol} (${link.reason.slice(0, 140)})`,
        );
    }
    await reader.close();
  }
  console.log(JSON.stringify(counts));
}

await main();
