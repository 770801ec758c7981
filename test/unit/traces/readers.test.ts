import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importTraces, openTrace } from '../../../src/core/traces';
import { readTraceFile } from '../../../src/core/traces/readRun';
import { temporaryFolders, writeFiles } from './helpers';
import { rowOf } from './rows';
import { benchmarks } from './samples/benchmarks';
import { commandLine } from './samples/commandLine';
import { editors } from './samples/editors';
import { evaluations } from './samples/evaluations';
import { expectedRows } from './samples/expectedRows';
import type { Sample } from './samples/sample';
import { services } from './samples/services';
import { tracing } from './samples/tracing';

const folder = temporaryFolders();
const samples: Sample[] = [...commandLine, ...editors, ...benchmarks, ...evaluations, ...services, ...tracing];
const named = samples.map((sample): [string, Sample] => [`${sample.format}: ${sample.name}`, sample]);

function textOf(sample: Sample): string {
  return typeof sample.content === 'string' ? sample.content : JSON.stringify(sample.content);
}

describe.each(named)('%s', (_, sample) => {
  it('is recognised and counted', async () => {
    const place = await folder();
    await writeFiles(place, { [sample.name]: sample.content, ...sample.beside });
    const { runs, unknown } = await importTraces([place]);
    // Notes and figures beside it may stay unknown, the trace and its parts may not.
    const left = unknown.filter(({ file, reason }) => !/metrics\.json$/.test(file) && !/other endings?/.test(reason));
    expect(left).toEqual([]);
    expect(runs).toHaveLength(sample.runs ?? 1);
    const [run] = runs;
    expect(run?.format).toBe(sample.format);
    expect(run?.counts).toMatchObject(sample.counts);
    expect(run).toMatchObject(sample.run ?? {});
    if (sample.warns !== undefined) expect(run?.warnings.join('\n')).toContain(sample.warns);
  });

  it('opens every step that was counted, with what the counts say', async () => {
    const place = await folder();
    await writeFiles(place, { [sample.name]: sample.content, ...sample.beside });
    for (const run of (await importTraces([place])).runs) {
      const reader = await openTrace(run);
      const steps = [];
      for (let n = 1; n <= reader.stepCount; n += 1) {
        steps.push(await reader.step(n));
        expect(await reader.raw(n)).not.toBe('');
      }
      await reader.close();
      expect(steps.map(rowOf)).toEqual(expectedRows[sample.name]?.[Number(/#(\d+)$/.exec(run.id)?.[1] ?? 0)]);
      const counted = steps.filter((step) => !step.copied);
      expect(steps).toHaveLength(run.counts.steps);
      expect(counted.flatMap((step) => step.calls)).toHaveLength(run.counts.toolCalls);
      expect(counted.flatMap((step) => step.results)).toHaveLength(run.counts.resultsLinked + run.counts.resultsOrphan);
      expect(counted.filter((step) => step.kind === 'user').length).toBeGreaterThanOrEqual(run.counts.userMessages);
    }
  });

  it('keeps nothing of a step but where it lies', async () => {
    const place = await folder();
    await writeFiles(place, { [sample.name]: sample.content, ...sample.beside });
    const reading = await readTraceFile(join(place, sample.name));
    const steps = reading.format === null ? [] : reading.runs.flatMap((run) => run.steps);
    const kept = steps.flatMap(({ ranges }) => ranges.flatMap((range) => Object.keys(range)));
    expect(new Set(['offset', 'length', 'part'])).toEqual(new Set(['offset', 'length', 'part', ...kept]));
  });

  it('damaged in any way: never throws, tells why or warns, opens what it counts', async () => {
    const place = await folder();
    const file = join(place, 'damaged.json');
    const whole = Buffer.from(textOf(sample));
    const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) });
    const damage = fc.record({
      changes: fc.array(change, { maxLength: 6 }),
      length: fc.integer({ min: 0, max: whole.length }),
    });
    await fc.assert(
      fc.asyncProperty(damage, async ({ changes, length }) => {
        const bytes = Buffer.from(whole);
        for (const { at, byte } of changes) bytes[at] = byte;
        await writeFile(file, bytes.subarray(0, length));
        const { runs, unknown } = await importTraces([file]);
        expect(runs.length + unknown.length).toBeGreaterThan(0);
        for (const { reason } of unknown) expect(reason).not.toBe('');
        for (const run of runs) {
          const reader = await openTrace(run);
          expect(reader.stepCount).toBe(run.counts.steps);
          for (let n = 1; n <= reader.stepCount; n += 1) expect((await reader.step(n)).n).toBe(n);
          await reader.close();
        }
      }),
      { numRuns: 12 },
    );
  });
});
