/**
 * Imports damaged copies of real traces and opens every step: nothing may throw, every file must give a run or a reason.
 *
 *   npm run bench -- fuzzTraces --samples DIR [--cases 20000] [--seed 1] [--largest 150000]
 *
 * Damage is one of: bytes changed, a piece cut out, a piece repeated, the end cut off, a piece of another sample put in,
 * JSON numbers and strings exchanged. The same seed gives the same cases. Exit code 1 when something threw.
 */
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { importTraces, openTrace } from '../src/core/traces';

/** A small generator with a seed (mulberry32), so that a failing case can be run again. */
function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % Math.max(1, below);
  };
}

const PIECES = [
  '{',
  '}',
  '[',
  ']',
  '"',
  ',',
  ':',
  'null',
  'NaN',
  '1e999',
  '-1',
  '""',
  '{}',
  '[]',
  '\\u0000',
  '\u202e',
  '\ufeff',
  '\r\n',
  '\n',
  '<script>',
];

function damaged(whole: Buffer, other: Buffer, random: (below: number) => number): Buffer {
  let bytes = Buffer.from(whole);
  for (let times = 1 + random(4); times > 0; times -= 1) {
    const at = random(bytes.length + 1);
    const length = 1 + random(Math.max(2, Math.min(2000, bytes.length - at)));
    const piece = bytes.subarray(at, at + length);
    const rest = bytes.subarray(at + length);
    const before = bytes.subarray(0, at);
    const kind = random(7);
    if (kind === 0 && at < bytes.length) bytes[at] = random(256);
    else if (kind === 1) bytes = Buffer.concat([before, rest]);
    else if (kind === 2) bytes = Buffer.concat([before, piece, piece, rest]);
    else if (kind === 3) bytes = Buffer.from(before);
    else if (kind === 4)
      bytes = Buffer.concat([before, other.subarray(random(other.length), random(other.length) + 500), rest]);
    else if (kind === 5)
      bytes = Buffer.concat([before, Buffer.from(PIECES[random(PIECES.length)] ?? ''), bytes.subarray(at)]);
    else
      bytes = Buffer.from(
        bytes.toString('latin1').replace(/:\s*("[^"]{0,40}"|-?\d+)/, () => `: ${PIECES[random(PIECES.length)]}`),
        'latin1',
      );
  }
  return bytes;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      samples: { type: 'string' },
      cases: { type: 'string', default: '20000' },
      seed: { type: 'string', default: '1' },
      largest: { type: 'string', default: '150000' },
    },
  });
  if (values.samples === undefined) throw new Error('Give --samples DIR.');
  const root = values.samples;
  const names = await readdir(root, { recursive: true });
  const samples: Buffer[] = [];
  for (const name of names.sort()) {
    const stats = await stat(join(root, name));
    if (stats.isFile() && stats.size > 0 && stats.size <= Number(values.largest))
      samples.push(await readFile(join(root, name)));
  }
  const random = randomFrom(Number(values.seed));
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-fuzz-'));
  const file = join(folder, 'case.json');
  const counts = { runs: 0, unknown: 0, steps: 0, warned: 0, failed: 0 };
  let memory = 0;
  const began = performance.now();
  for (let number = 0; number < Number(values.cases); number += 1) {
    const pick = () => samples[random(samples.length)] ?? Buffer.alloc(0);
    await writeFile(file, damaged(pick(), pick(), random));
    try {
      const { runs, unknown } = await importTraces([file]);
      if (runs.length + unknown.length === 0) throw new Error('neither a run nor a reason');
      if (unknown.some(({ reason }) => reason === '')) throw new Error('an unknown file without a reason');
      counts.unknown += unknown.length;
      for (const run of runs) {
        counts.runs += 1;
        counts.warned += run.warnings.length > 0 ? 1 : 0;
        const reader = await openTrace(run);
        if (reader.stepCount !== run.counts.steps)
          throw new Error(`${reader.stepCount} steps, ${run.counts.steps} counted`);
        counts.steps += (await reader.summaries(1, reader.stepCount)).length;
        await reader.close();
      }
    } catch (error) {
      counts.failed += 1;
      if (counts.failed <= 20) console.log(`case ${number}: ${error instanceof Error ? error.stack : String(error)}`);
      if (counts.failed === 1) await writeFile(join(tmpdir(), 'harnessmith-fuzz-failed.json'), await readFile(file));
    }
    memory = Math.max(memory, process.memoryUsage().rss);
  }
  await rm(folder, { recursive: true });
  const seconds = (performance.now() - began) / 1000;
  console.log(
    `${values.cases} cases from ${samples.length} samples in ${seconds.toFixed(0)} s, ${counts.failed} failed; ${counts.runs} runs (${counts.warned} with warnings), ${counts.steps} steps, ${counts.unknown} unknown files; at most ${Math.round(memory / 1024 / 1024)} MB.`,
  );
  process.exitCode = counts.failed > 0 ? 1 : 0;
}

await main();
