/**
 * How long `locate` takes to rank in a large harness: the definitions of a real tree, repeated under other folders and with
 * other names until there are enough, and real requests.
 *
 *   npm run bench -- locateSpeed --harness DIR --data FILE.jsonl [--definitions 35000] [--vectors FILE]
 *
 * Printed: the time to prepare (once a harness), and median and 95th percentile of a request, without reading files.
 */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openHarness, readHistory, walkFiles } from '../src/core/harness';
import {
  buildSearchIndex,
  type FileTerms,
  findReferences,
  layHistory,
  meaningOf,
  rank,
  searchableKind,
  TermVectors,
  termsOfFile,
} from '../src/core/locate/ranking';
import { readItems } from './locate/items';

const { values } = parseArgs({
  options: {
    harness: { type: 'string' },
    data: { type: 'string' },
    definitions: { type: 'string', default: '35000' },
    vectors: { type: 'string', default: join('src', 'core', 'locate', 'ranking', 'termVectors.bin') },
  },
});
if (!values.harness || !values.data) throw new Error('Give --harness DIR and --data FILE.jsonl.');

const harness = await openHarness(values.harness);
const accepts = (path: string): boolean => searchableKind(path) !== undefined;
const own: { path: string; terms: FileTerms }[] = [];
for (const { path } of (await walkFiles(harness)).files.filter(({ path }) => accepts(path)))
  own.push({ path, terms: await termsOfFile(path, await readFile(join(harness.root, path), 'utf8')) });

const wanted = Number(values.definitions);
const sources: typeof own = [];
let count = 0;
for (let copy = 0; count < wanted; copy++) {
  for (const { path, terms } of own) {
    if (count >= wanted) break;
    sources.push({ path: copy === 0 ? path : `copy${copy}/${path}`, terms: copy === 0 ? terms : renamed(terms, copy) });
    count += terms.definitions.length;
  }
}
const started = performance.now();
const index = buildSearchIndex(sources);
const past = await readHistory(harness.root, { heads: ['HEAD'], accepts, limit: 3_000 });
const corpus = {
  index,
  references: findReferences(index),
  history: layHistory(index, past),
  meaning: meaningOf(index, TermVectors.read(readFileSync(values.vectors), values.vectors)),
};
const prepared = performance.now() - started;
const times: number[] = [];
const processor: number[] = [];
const items = readItems(readFileSync(values.data, 'utf8'), values.data);
// The first round warms the compiler, as the first requests of a session do.
for (const { request } of [...items, ...items]) {
  const before = performance.now();
  const used = process.threadCpuUsage();
  rank(corpus, request ?? '');
  times.push(performance.now() - before);
  processor.push(process.threadCpuUsage(used).user / 1000);
}
console.log(`${index.rows.length} definitions in ${index.files.length} files, ${past.length} past changes`);
console.log(`prepared in ${Math.round(prepared)} ms`);
report('a request', times);
// On a machine that does other things too, this says what the work itself takes.
report('a request, processor time', processor);

function report(name: string, all: readonly number[]): void {
  const sorted = all.slice(items.length).sort((a, b) => a - b);
  const at = (share: number): string => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
  console.log(`${name}: median ${at(0.5)} ms, p95 ${at(0.95)} ms, slowest ${at(1)} ms (${sorted.length} requests)`);
}

/** The same words under other names, so that references stay inside the copy. */
function renamed(terms: FileTerms, copy: number): FileTerms {
  return {
    ...terms,
    identifiers: terms.identifiers.map((word) => `${word}${copy}`),
    definitions: terms.definitions.map((one) => ({ ...one, name: `${one.name}${copy}` })),
  };
}
