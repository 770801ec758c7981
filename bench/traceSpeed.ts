/**
 * Speed and memory of large traces and long lists, with the time of reading and of JSON.parse beside them in the same run.
 *
 *   npm run bench:traceSpeed -- [--megabytes 100] [--steps 12000] [--runs 500] [--repeat 3]
 *
 * The traces are made up: a session of one record a line and one JSON document. Every part is a process of its own; of
 * its repetitions the least is shown, since other work only adds. Nothing is asserted.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type Measure, parts } from './traceSpeed/measures';
import { writeSynthetic } from './traceSpeed/synthetic';

const { values } = parseArgs({
  options: {
    megabytes: { type: 'string', default: '100' },
    steps: { type: 'string', default: '12000' },
    runs: { type: 'string', default: '500' },
    repeat: { type: 'string', default: '3' },
    part: { type: 'string' },
    file: { type: 'string' },
    root: { type: 'string' },
  },
});

const Line = z.object({ name: z.string(), wall: z.number(), cpu: z.number().nullable(), memory: z.number() });

if (values.part !== undefined) await parts[values.part](values.file ?? '', values.root ?? '');
else await main();

async function main(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-traces-'));
  try {
    const [bytes, steps] = [Number(values.megabytes) * 1e6, Number(values.steps)];
    const idle = least([part('idle', '', folder)]).get('idle')?.memory ?? Number.NaN;
    for (const [kind, name] of [
      ['lines', 'session.jsonl'],
      ['document', 'trajectory.json'],
    ] as const) {
      const file = join(folder, name);
      await writeSynthetic(file, kind, steps, bytes);
      console.log(`\n${name}: ${(statSync(file).size / 1e6).toFixed(0)} MB, ${steps} steps`);
      printFile(file, join(folder, `root-${kind}`), idle);
      rmSync(file);
    }
    await printList(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function printFile(file: string, root: string, idle: number): void {
  mkdirSync(root);
  const cold = () => {
    rmSync(join(root, '.harnessmith'), { recursive: true, force: true });
    return part('import', file, root);
  };
  const parse = repeated(() => part('parse', file, root));
  const imported = repeated(cold);
  const opened = repeated(() => part('open', file, root));
  const related = least([part('relate', file, root)]);
  const reading = parse.get('read');
  for (const measure of [...parse.values(), ...imported.values(), ...opened.values(), ...related.values()]) {
    if (measure.name === 'read' && measure !== reading) continue;
    const ratio =
      reading === undefined || Number.isNaN(measure.cpu)
        ? ''
        : `, ${(measure.wall / reading.wall).toFixed(2)}x reading`;
    const above = Number.isNaN(measure.cpu) ? '' : `, ${(measure.memory - idle).toFixed(0)} MB above idle`;
    const cpu = Number.isNaN(measure.cpu) ? '' : ` (${measure.cpu.toFixed(0)} ms of processor)`;
    console.log(`  ${measure.name.padEnd(36)} ${measure.wall.toFixed(1)} ms${cpu}${ratio}${above}`);
  }
}

async function printList(folder: string): Promise<void> {
  const runs = join(folder, 'runs');
  mkdirSync(runs);
  for (let at = 0; at < Number(values.runs); at += 1)
    await writeSynthetic(join(runs, `run-${at}.jsonl`), 'lines', 40 + (at % 60), 200_000);
  console.log(`\n${values.runs} runs of about 0.2 MB`);
  const root = join(folder, 'root-list');
  mkdirSync(root);
  for (const { name, wall, cpu } of part('list', runs, root))
    console.log(
      `  ${name.padEnd(36)} ${wall.toFixed(0)}${Number.isNaN(cpu) ? '' : ` ms (${cpu.toFixed(0)} ms of processor)`}`,
    );
}

function repeated(run: () => Measure[]): Map<string, Measure> {
  return least(Array.from({ length: Number(values.repeat) }, run));
}

/** The least time of each piece of work, with the largest memory of any repetition. */
function least(all: readonly Measure[][]): Map<string, Measure> {
  const found = new Map<string, Measure>();
  for (const measure of all.flat()) {
    const known = found.get(measure.name);
    const memory = Math.max(measure.memory, known?.memory ?? 0);
    found.set(measure.name, { ...(known === undefined || measure.wall < known.wall ? measure : known), memory });
  }
  return found;
}

function part(name: string, file: string, root: string): Measure[] {
  const options = ['--no-warnings', process.argv[1], '--part', name, '--file', file, '--root', root];
  const { stdout, stderr, status } = spawnSync(process.execPath, options, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
  return stdout
    .trim()
    .split('\n')
    .map((line) => Line.parse(JSON.parse(line)))
    .map((line) => ({ ...line, cpu: line.cpu ?? Number.NaN }));
}
