/**
 * Measures what a handbook promises, on a real harness.
 *
 *   npm run bench:handbook -- --tree DIR [--edits 8] [--seed 1] [--json]
 *
 * `--tree` is a checkout. It is copied once to a temporary folder, where single constants are edited. Printed: functions
 * with exactly one home, lines with a unit, whether the check of freshly written pages holds, whether two derivations give
 * the same bytes, how many pages one edited constant changes and whether the check sees the edit, sizes of pages, and
 * units by kind.
 */
import { cp, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { indexHarness, type ProgramGraph } from '../src/core/graph';
import {
  type BehaviourMap,
  buildHandbook,
  checkHandbook,
  exportHandbook,
  isForeignFile,
  isTestFile,
  type Page,
  renderPages,
  writePages,
} from '../src/core/handbook';
import { type Harness, openHarness } from '../src/core/harness';

interface Built {
  harness: Harness;
  graph: ProgramGraph;
  map: BehaviourMap;
  pages: Page[];
  seconds: { index: number; map: number; pages: number };
}

async function build(tree: string): Promise<Built> {
  const harness = await openHarness(tree);
  const times = [performance.now()];
  const { graph } = await indexHarness(harness);
  times.push(performance.now());
  const map = await buildHandbook(graph, harness);
  times.push(performance.now());
  const pages = renderPages(map, graph, join(tree, '.harnessmith', 'cache', 'handbook'));
  times.push(performance.now());
  const seconds = (at: number) => Math.round((times[at + 1] as number) - (times[at] as number)) / 1000;
  return { harness, graph, map, pages, seconds: { index: seconds(0), map: seconds(1), pages: seconds(2) } };
}

function homes({ graph, map }: Built): { functions: number; withOne: number; without: string[] } {
  const count = new Map<string, number>();
  for (const { members } of map.units) for (const id of members) count.set(id, (count.get(id) ?? 0) + 1);
  const functions = graph.functions().filter((node) => !isTestFile(node.file) && !isForeignFile(node.file));
  const wrong = functions.filter((node) => count.get(node.id) !== 1);
  return {
    functions: functions.length,
    withOne: functions.length - wrong.length,
    without: wrong.map((node) => node.id),
  };
}

/**
 * Whole numbers of two and more digits in code of the map, at places chosen by a seed; every second one is the value of a
 * key, an attribute or a named constant, which pages are more likely to show.
 */
async function constants(built: Built, count: number, seed: number): Promise<{ file: string; line: number }[]> {
  const found: { file: string; line: number }[] = [];
  const named = built.graph.data.nodes
    .filter((node) => /^(config|variable|attribute)$/.test(node.kind) && constant.test(node.detail ?? ''))
    .filter(
      (node) => node.file !== '' && node.start === node.end && !isTestFile(node.file) && !isForeignFile(node.file),
    )
    .map((node) => ({ file: node.file, line: node.start }));
  for (const { path, language } of built.graph.data.files) {
    if (isTestFile(path) || isForeignFile(path) || !/python|typescript|tsx|javascript|rust|go|yaml/.test(language))
      continue;
    const lines = (await readFile(join(built.harness.root, path), 'utf8')).split('\n');
    lines.forEach((text, index) => {
      if (constant.test(text) && !/^\s*(?:#|\/\/|\*|import|from)/.test(text))
        found.push({ file: path, line: index + 1 });
    });
  }
  let state = seed;
  const random = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const chosen: { file: string; line: number }[] = [];
  while (chosen.length < count && found.length + named.length > 0) {
    const list = found.length === 0 || (named.length > 0 && chosen.length % 2 === 0) ? named : found;
    const [place] = list.splice(Math.floor(random() * list.length), 1);
    if (!place) break;
    const text = (await readFile(join(built.harness.root, place.file), 'utf8')).split('\n')[place.line - 1] ?? '';
    if (constant.test(text)) chosen.push(place);
  }
  return chosen;
}

const constant = /(?<![\w.'"$-])[1-9]\d+(?![\w.'"])/;

interface Edit {
  place: string;
  changed: string[];
  seen: boolean;
}

async function editOne(before: Built, place: { file: string; line: number }, folder: string): Promise<Edit> {
  const file = join(before.harness.root, place.file);
  const text = await readFile(file, 'utf8');
  const lines = text.split('\n');
  lines[place.line - 1] = (lines[place.line - 1] as string).replace(constant, (number) => String(Number(number) + 7));
  await writeFile(file, lines.join('\n'));
  try {
    const { problems } = await checkHandbook(before.harness, folder);
    const after = await build(before.harness.root);
    const was = new Map(before.pages.map((page) => [page.path, page.markdown]));
    const changed = after.pages.filter((page) => was.get(page.path) !== page.markdown).map((page) => page.path);
    const gone = before.pages.filter((page) => !after.pages.some((one) => one.path === page.path));
    return {
      place: `${place.file}:${place.line}`,
      changed: [...changed, ...gone.map((page) => `gone ${page.path}`)],
      seen: problems.length > 0,
    };
  } finally {
    await writeFile(file, text);
  }
}

function sizes(pages: readonly Page[], folder: string) {
  const chosen = pages.filter((page) => page.path.startsWith(folder));
  const lines = chosen.map((page) => page.markdown.split('\n').length).sort((a, b) => a - b);
  const words = chosen.map((page) => proseWords(page.markdown)).sort((a, b) => a - b);
  const at = (list: number[], share: number) => list[Math.min(list.length - 1, Math.floor(list.length * share))] ?? 0;
  return {
    pages: chosen.length,
    lines: { median: at(lines, 0.5), p95: at(lines, 0.95), max: lines.at(-1) ?? 0 },
    words: { median: at(words, 0.5), p95: at(words, 0.95), max: words.at(-1) ?? 0 },
  };
}

/** Words of running text: no headings, no lists, no code blocks. */
function proseWords(markdown: string): number {
  const prose = markdown
    .replace(/```[\s\S]*?```/g, '')
    .split('\n')
    .filter((line) => !/^\s*(?:#|[-|]|\d+\.)/.test(line));
  return prose.join(' ').split(/\s+/).filter(Boolean).length;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      tree: { type: 'string' },
      edits: { type: 'string', default: '8' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  });
  if (!values.tree) throw new Error('Name a checkout with --tree DIR.');
  const copy = await mkdtemp(join(tmpdir(), 'harnessmith-bench-'));
  try {
    await cp(resolve(values.tree), copy, { recursive: true, filter: (path) => !/\/(\.git|\.harnessmith)$/.test(path) });
    const first = await build(copy);
    const folder = join(copy, '.harnessmith', 'cache', 'handbook');
    await writePages(first.pages, first.map, folder);
    const check = await checkHandbook(first.harness, folder);
    const exported = await exportHandbook(first.map, first.graph, join(copy, '.harnessmith', 'cache', 'exports'), [
      'html',
      'json',
    ]);
    const bytes = await Promise.all(
      exported.map(async ({ format, path }) => [format, (await stat(path)).size] as const),
    );
    await rm(join(copy, '.harnessmith', 'cache', 'index.db'), { force: true });
    const second = await build(copy);
    const identical =
      JSON.stringify(second.pages) === JSON.stringify(first.pages) &&
      JSON.stringify(second.map) === JSON.stringify(first.map);
    const edits: Edit[] = [];
    for (const place of await constants(first, Number(values.edits), Number(values.seed)))
      edits.push(await editOne(second, place, folder));
    const kinds = new Map<string, number>();
    for (const unit of first.map.units) kinds.set(unit.kind, (kinds.get(unit.kind) ?? 0) + 1);
    const { counts, unassigned } = first.map;
    const report = {
      tree: values.tree,
      homes: homes(first),
      lines: { code: counts.codeLines, assigned: counts.assignedLines, unassignedRanges: unassigned.length },
      check: { checked: check.checked, problems: check.problems.slice(0, 10) },
      identical,
      edits: edits.map((edit) => ({ ...edit, pages: edit.changed.length })),
      pages: {
        index: sizes(first.pages, 'index.md'),
        stages: sizes(first.pages, 'stages/'),
        units: sizes(first.pages, 'units/'),
      },
      exports: Object.fromEntries(bytes),
      units: Object.fromEntries([...kinds].sort(([, a], [, b]) => b - a)),
      loops: first.map.loops,
      seconds: first.seconds,
    };
    console.log(values.json ? JSON.stringify(report) : describe(report));
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

function describe(report: {
  tree: string;
  homes: { functions: number; withOne: number; without: string[] };
  lines: { code: number; assigned: number; unassignedRanges: number };
  check: { checked: number; problems: { message: string }[] };
  identical: boolean;
  edits: { place: string; pages: number; seen: boolean; changed: string[] }[];
  pages: Record<string, ReturnType<typeof sizes>>;
  exports: Record<string, number>;
  units: Record<string, number>;
  loops: string[];
  seconds: Built['seconds'];
}): string {
  const { homes: home, lines, check, edits } = report;
  const text = [
    `${report.tree}`,
    `functions with exactly one home: ${home.withOne} of ${home.functions}${home.without
      .slice(0, 5)
      .map((id) => `\n  not: ${id}`)
      .join('')}`,
    `code lines with a unit: ${lines.assigned} of ${lines.code}; ${lines.unassignedRanges} ranges are listed as unassigned`,
    `check of fresh pages: ${check.problems.length === 0 ? `ok, ${check.checked} claims` : check.problems.map((one) => one.message).join('\n  ')}`,
    `two derivations: ${report.identical ? 'same bytes' : 'DIFFERENT'}`,
    `pages changed by one edited constant: ${edits.map((edit) => edit.pages).join(', ')} (most ${Math.max(0, ...edits.map((edit) => edit.pages))}); seen by the check: ${edits.filter((edit) => edit.seen).length} of ${edits.length}`,
  ];
  for (const edit of edits)
    if (edit.pages > 3 || !edit.seen)
      text.push(`  ${edit.place}: ${edit.seen ? '' : 'not seen; '}${edit.changed.slice(0, 8).join(' ')}`);
  for (const [level, size] of Object.entries(report.pages)) {
    text.push(
      `${level}: ${size.pages} pages, lines median ${size.lines.median}, p95 ${size.lines.p95}, most ${size.lines.max}; ` +
        `words of prose median ${size.words.median}, p95 ${size.words.p95}, most ${size.words.max}`,
    );
  }
  text.push(
    `units: ${Object.entries(report.units)
      .map(([kind, count]) => `${kind} ${count}`)
      .join(', ')}`,
  );
  const kilobytes = Object.entries(report.exports).map(([format, size]) => `${format} ${Math.round(size / 1000)} kB`);
  text.push(`exports: ${kilobytes.join(', ')}`);
  text.push(`loops: ${report.loops.join(', ') || 'none'}`);
  text.push(`seconds: index ${report.seconds.index}, map ${report.seconds.map}, pages ${report.seconds.pages}`);
  return text.join('\n');
}

await main();
