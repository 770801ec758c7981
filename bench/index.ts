/**
 * Speed and memory of the index of a tree, as ratios to `ctags -R` on the same tree in the same run.
 *
 *   npm run bench:index -- --tree DIR [--runs 5] [--edits 200] [--keep]
 *
 * Parsing alone is the floor of a cold index. The tree is copied first; the original is never written to. Cold and no-change runs are processes of their own
 * (`harnessmith index`); saved files are edits of the copy, taken by one session, as the editor has it. At the end the
 * graph of the session is compared with that of an index from nothing: exit code 1 when they differ.
 */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { IndexSession } from '../src/core/graph';
import { openHarness } from '../src/core/harness';
import { Chance, type EditKind, editKinds, editOf } from './index/edits';
import { median, percentile } from './index/numbers';
import { parseRun } from './index/parsing';
import { ctagsRun, ctagsVersion, indexRun, type Run } from './index/processes';

const { values } = parseArgs({
  options: { tree: { type: 'string' }, runs: { type: 'string' }, edits: { type: 'string' }, keep: { type: 'boolean' } },
});
if (!values.tree) {
  console.error('Usage: npm run bench:index -- --tree DIR [--runs 5] [--edits 200] [--keep]');
  process.exit(2);
}
const runs = Number(values.runs ?? 5);
const edits = Number(values.edits ?? 200);
const folder = mkdtempSync(join(tmpdir(), 'bench-index-'));
const tree = join(folder, 'tree');
const skipped = /(^|\/)(\.git|\.harnessmith|node_modules)$/;
cpSync(values.tree, tree, { recursive: true, filter: (path) => path === values.tree || !skipped.test(path) });
try {
  await main(join(import.meta.dirname, '..'));
} finally {
  if (values.keep) console.log(`Kept ${folder}`);
  else rmSync(folder, { recursive: true, force: true });
}

async function main(program: string): Promise<void> {
  const version = ctagsVersion();
  const forget = () => rmSync(join(tree, '.harnessmith'), { recursive: true, force: true });
  const measured: Record<'ctags' | 'parsing' | 'cold' | 'none', Run[]> = { ctags: [], parsing: [], cold: [], none: [] };
  for (let run = 0; run < runs; run++) {
    forget();
    // Taken in turn, so that whatever else the machine does meets all of them.
    if (version) measured.ctags.push(ctagsRun(tree, join(folder, 'tags')));
    measured.parsing.push(await parseRun(tree, join(program, 'wasm')));
    measured.cold.push(indexRun(program, tree));
    measured.none.push(indexRun(program, tree));
  }
  console.log(version ? `Against ${version}` : 'ctags is not installed: no ratios.');
  print('ctags -R', measured.ctags);
  print('parsing alone, one thread', measured.parsing, measured.ctags);
  print('cold', measured.cold, measured.ctags);
  print('no change', measured.none, measured.cold);
  await savedFiles(forget);
}

function print(name: string, list: readonly Run[], against: readonly Run[] = []): void {
  if (list.length === 0) return;
  const of = (pick: (run: Run) => number) => {
    const own = list.map(pick);
    const others = against.map(pick);
    const ratio = (which: (numbers: readonly number[]) => number) =>
      others.length > 0 ? ` (${(which(own) / which(others)).toFixed(2)}x)` : '';
    const least = (numbers: readonly number[]) => Math.min(...numbers);
    return `least ${least(own).toFixed(2)} s${ratio(least)}, median ${median(own).toFixed(2)} s${ratio(median)}`;
  };
  const memory = Math.max(...list.map((run) => run.memory));
  console.log(`${name}: wall ${of((run) => run.wall)}; processors ${of((run) => run.cpu)}`);
  if (!Number.isNaN(memory)) console.log(`  largest resident set of the process: ${memory.toFixed(0)} MB`);
}

async function savedFiles(forget: () => void): Promise<void> {
  const harness = await openHarness(tree);
  const session = new IndexSession(harness);
  let { graph } = await session.refresh();
  await timed('linking for the first saved file', () => session.prepare());
  await timed('no change, in the session', () => session.refresh());
  const files = graph.data.files.filter(({ language }) => /^(python|typescript|tsx)$/.test(language));
  const chance = new Chance(7);
  const times = new Map<EditKind, number[]>(editKinds.map((kind) => [kind, []]));
  const processors: number[] = [];
  for (let made = 0, tried = 0; made < edits && tried < edits * 50; tried++) {
    const kind = editKinds[made % editKinds.length]!;
    const { path } = chance.of(files);
    const before = readFileSync(join(tree, path), 'utf8');
    const after = editOf(kind, path, before, chance);
    if (after === undefined || after === before) continue;
    // There, and back again every second time, so that the tree neither stays the same nor falls to pieces.
    for (const text of made % 2 === 0 ? [after, before] : [after]) {
      writeFileSync(join(tree, path), text);
      const began = performance.now();
      const usage = process.cpuUsage();
      const updated = await session.update([path]);
      times.get(kind)!.push(performance.now() - began);
      const { user, system } = process.cpuUsage(usage);
      processors.push((user + system) / 1000);
      if (!updated) throw new Error(`${path} was not taken as a saved file.`);
      graph = updated.graph;
    }
    made += 1;
  }
  for (const [kind, list] of times) printTimes(kind, list);
  printTimes('all', [...times.values()].flat());
  printTimes('time of the processors', processors);
  forget();
  const { graph: fresh } = await new IndexSession(harness).refresh();
  const isSame = JSON.stringify(graph.data) === JSON.stringify(fresh.data);
  console.log(`The graph after ${edits} edits is ${isSame ? 'that' : 'NOT that'} of an index from nothing.`);
  if (!isSame) process.exitCode = 1;
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  const began = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const wall = (performance.now() - began) / 1000;
  console.log(`${name}: wall ${wall.toFixed(2)} s; processors ${((user + system) / 1e6).toFixed(2)} s`);
}

function printTimes(name: string, list: readonly number[]): void {
  const [half, most, last] = [0.5, 0.95, 1].map((share) => percentile(list, share).toFixed(0));
  console.log(`saved file, ${name} (${list.length}): p50 ${half} ms, p95 ${most} ms, longest ${last} ms`);
}
