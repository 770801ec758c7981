/**
 * Localization on requests from git history: builds the tree before each commit from a bare repository, indexes it, runs
 * the ranking of `locate` on the request and writes what the benchmark's scorer reads.
 *
 *   npm run bench:locate -- --data FILE.jsonl --mirror DIR [--out FILE.jsonl] [--features FILE.jsonl] [--cache DIR]
 *
 * A row of the data: `{id, repo (owner/name), parent, request}`, or `commit` in place of a request, whose message is read then;
 * with `gold_files` and `gold_symbols` a quick look at the recall is printed. A repository is `DIR/owner+name/repo`.
 * `--features` writes what the training script reads; `--cache` keeps the words of files between runs, and must be emptied
 * when parsers change; `--vectors` names another table, a folder with one a repository, or `none`.
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { type PastChange, readHistory } from '../src/core/harness';
import {
  buildSearchIndex,
  type Corpus,
  findReferences,
  layHistory,
  maximumSearchableBytes,
  meaningOf,
  rank,
  searchableKind,
  TermVectors,
} from '../src/core/locate/ranking';
import { BareRepository } from './locate/bareRepository';
import { exported } from './locate/features';
import { type Item, readItems } from './locate/items';
import { requestOfCommit } from './locate/messageText';
import { recallOf, Summary } from './locate/recall';
import { TermsCache } from './locate/termsCache';

const { values } = parseArgs({
  options: {
    data: { type: 'string' },
    mirror: { type: 'string' },
    out: { type: 'string' },
    features: { type: 'string' },
    vectors: { type: 'string', default: join('src', 'core', 'locate', 'ranking', 'termVectors.bin') },
    cache: { type: 'string' },
  },
});
const { data, mirror, out, features, cache, vectors } = values;
if (!data || !mirror) throw new Error('Give --data FILE.jsonl and --mirror DIR.');

const items = readItems(readFileSync(data, 'utf8'), data);
if (cache) mkdirSync(cache, { recursive: true });
for (const file of [out, features]) {
  if (!file) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '');
}
const summary = new Summary();
for (const repo of new Set(items.map((item) => item.repo)))
  await runRepository(
    repo,
    items.filter((item) => item.repo === repo),
    mirror,
  );
summary.print();

async function runRepository(repo: string, own: readonly Item[], folder: string): Promise<void> {
  const slug = repo.replace('/', '+');
  const repository = new BareRepository(join(folder, slug, 'repo'));
  const terms = new TermsCache(cache ? join(cache, `${slug}.sqlite`) : ':memory:');
  const started = performance.now();
  const heads = [...new Set(own.map((item) => item.parent))];
  const past = await readHistory(repository.folder, {
    heads,
    limit: 20_000,
    accepts: (path) => searchableKind(path) !== undefined,
  });
  const table = vectorsOf(slug);
  console.error(`${repo}: ${past.length} changes read in ${Math.round(performance.now() - started)} ms`);
  for (const [at, item] of own.entries()) {
    const before = performance.now();
    const corpus = await corpusOf(repository, terms, item.parent, past, table);
    const indexed = performance.now();
    const ranked = rank(corpus, item.request ?? requestOfCommit(repository.folder, item.commit ?? ''));
    const answered = performance.now();
    const files = ranked.files.slice(0, 50).map(({ file }) => corpus.index.files[file]?.path ?? '');
    const symbols = ranked.rows.slice(0, 100).map(({ row }) => {
      const { name, start, file } = corpus.index.rows[row] as Corpus['index']['rows'][number];
      return { file: corpus.index.files[file]?.path ?? '', name, start };
    });
    if (out) appendFileSync(out, `${JSON.stringify({ id: item.id, files, symbols })}\n`);
    if (features) appendFileSync(features, `${JSON.stringify(exported(item, corpus, ranked))}\n`);
    summary.add(item, recallOf(item, files, symbols), corpus.index, [indexed - before, answered - indexed]);
    if (at % 20 === 0) console.error(`${repo} ${at + 1}/${own.length}`);
  }
  repository.close();
  terms.close();
}

async function corpusOf(
  repository: BareRepository,
  cached: TermsCache,
  commit: string,
  past: readonly PastChange[],
  table: TermVectors | undefined,
): Promise<Corpus> {
  const sources = [];
  for (const entry of repository.tree(commit)) {
    if (entry.bytes > maximumSearchableBytes || !searchableKind(entry.path)) continue;
    const terms = await cached.of(repository, entry);
    if (terms) sources.push({ path: entry.path, terms });
  }
  const index = buildSearchIndex(sources);
  const ancestors = repository.ancestors(commit);
  const history = layHistory(
    index,
    past.filter(({ id }) => ancestors.has(id)),
  );
  return { index, references: findReferences(index), history, ...(table ? { meaning: meaningOf(index, table) } : {}) };
}

/** A table of one file, or the one of a folder that was trained without the repository. */
function vectorsOf(slug: string): TermVectors | undefined {
  if (vectors === 'none') return undefined;
  const own = vectors.endsWith('.bin') ? vectors : join(vectors, `${slug}.bin`);
  return TermVectors.read(readFileSync(own), own);
}
