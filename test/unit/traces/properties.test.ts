import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importTraces, openTrace } from '../../../src/core/traces';
import { scanDocument } from '../../../src/core/traces/reading/jsonDocument';
import { valueRanges } from '../../../src/core/traces/reading/jsonLines';
import { parseLenient } from '../../../src/core/traces/reading/lenientJson';
import { TraceSource } from '../../../src/core/traces/reading/source';
import { atifDocument, fixtures, importOne, temporaryFolders } from './helpers';

const folder = temporaryFolders();
const SAMPLES = [
  'atif/nat_exmp06_atif.json',
  'mini/calc-1.json',
  'mini/calc-1-responses.traj.json',
  'mini/bare-list.traj.json',
  'claude/tail-only.jsonl',
  'claude/small.jsonl',
];

describe('damaged samples', () => {
  it('cut anywhere: never throws, and a longer piece never has fewer steps', async () => {
    const file = join(await folder(), 'cut.json');
    for (const sample of SAMPLES.slice(0, 5)) {
      const whole = await readFile(join(fixtures, sample));
      await fc.assert(
        fc.asyncProperty(fc.nat(whole.length), fc.nat(whole.length), async (one, other) => {
          const counts: number[] = [];
          for (const length of [Math.min(one, other), Math.max(one, other)]) {
            await writeFile(file, whole.subarray(0, length));
            const { runs, unknown } = await importTraces([file]);
            expect(runs.length + unknown.length).toBe(1);
            counts.push(runs[0]?.counts.steps ?? 0);
          }
          expect(counts[0]).toBeLessThanOrEqual(counts[1] ?? 0);
        }),
        { numRuns: 25 },
      );
    }
  });

  it('with bytes changed: never throws, and every step that is counted can be opened', async () => {
    const file = join(await folder(), 'changed.json');
    for (const sample of SAMPLES) {
      const whole = await readFile(join(fixtures, sample));
      const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) });
      await fc.assert(
        fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
          const bytes = Buffer.from(whole);
          for (const { at, byte } of changes) bytes[at] = byte;
          await writeFile(file, bytes);
          const run = (await importTraces([file])).runs[0];
          if (run === undefined) return;
          const reader = await openTrace(run);
          for (let n = 1; n <= reader.stepCount; n += 1) expect((await reader.step(n)).n).toBe(n);
          expect(reader.stepCount).toBe(run.counts.steps);
          await reader.close();
        }),
        { numRuns: 15 },
      );
    }
  });
});

describe('places of steps', () => {
  it.each(SAMPLES)('%s: the raw text of every step parses, and summaries agree with steps', async (sample) => {
    const run = await importOne(join(fixtures, sample));
    const reader = await openTrace(run);
    const summaries = await reader.summaries(1, reader.stepCount + 10);
    expect(summaries.map((summary) => summary.n)).toEqual(
      Array.from({ length: reader.stepCount }, (_, index) => index + 1),
    );
    for (const summary of summaries) {
      for (const line of (await reader.raw(summary.n)).split(/\n(?=\{"parentUuid)/))
        expect(() => JSON.parse(line)).not.toThrow();
      expect((await reader.step(summary.n)).kind).toBe(summary.kind);
      expect(summary.preview.length).toBeLessThanOrEqual(400);
    }
    await expect(reader.step(0)).rejects.toMatchObject({ code: 'step-missing' });
    await expect(reader.step(reader.stepCount + 1)).rejects.toMatchObject({ code: 'step-missing' });
    await reader.close();
  });

  it('any ATIF document, pretty-printed or not: raw(n) is the step that was written', async () => {
    const file = join(await folder(), 't.json');
    const step = fc.record({
      source: fc.constantFrom('user', 'agent', 'system'),
      message: fc.string({ unit: 'grapheme' }),
      extra: fc.dictionary(fc.string(), fc.jsonValue()),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(undefined, 2, '\t'),
        async (steps, indent) => {
          const text = JSON.stringify(atifDocument({ steps }), null, indent);
          await writeFile(file, text);
          const reader = await openTrace(await importOne(file));
          for (const [index, written] of steps.entries()) {
            expect(JSON.parse(await reader.raw(index + 1))).toEqual(JSON.parse(JSON.stringify(written)));
            expect((await reader.step(index + 1)).text).toBe(written.message);
          }
          await reader.close();
        },
      ),
      { numRuns: 40 },
    );
  });
});

describe('JSON scanning', () => {
  it('finds every value of glued lists and objects', () => {
    const value = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()));
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const bytes = Buffer.from(values.map((one) => JSON.stringify(one)).join(''));
        const found = valueRanges(bytes).map(({ start, end }) => JSON.parse(bytes.toString('utf8', start, end)));
        expect(found).toEqual(JSON.parse(JSON.stringify(values)));
      }),
    );
  });

  it('finds the members of any object, and the elements of its lists', async () => {
    const file = join(await folder(), 'any.json');
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 1),
        async (written, indent) => {
          const plain = JSON.parse(JSON.stringify(written));
          await writeFile(file, JSON.stringify(plain, null, indent));
          const source = await TraceSource.open(file);
          const document = await scanDocument(source);
          expect(document).toMatchObject({ root: 'object', complete: true, more: false });
          const read = new Map<string, unknown>();
          for (const member of document?.members ?? []) {
            read.set(member.key, (await source.value(member))?.value);
            for (const [index, range] of member.elements?.entries() ?? [])
              expect((await source.value(range))?.value).toEqual(plain[member.key][index]);
          }
          expect(read).toEqual(new Map(Object.entries(plain)));
          await source.close();
        },
      ),
      { numRuns: 60 },
    );
  });

  it('finds the ends of strings and keys that lie across two pieces of the file', async () => {
    const file = join(await folder(), 'large.json');
    const piece = 1024 * 1024;
    for (let shift = -6; shift <= 6; shift += 1) {
      const start = '{"long": "';
      const filled = 'x'.repeat(piece - start.length + shift - 4);
      const written = { long: `${filled}\\"\\\\" end`, [`key "\\ ${'k'.repeat(9)}`]: ['a\\', { b: '"' }] };
      await writeFile(file, JSON.stringify(written).replace('{"long":"', start));
      const source = await TraceSource.open(file);
      const document = await scanDocument(source);
      expect(document?.members.map((member) => member.key)).toEqual(Object.keys(written));
      const values = await Promise.all(
        (document?.members ?? []).map(async (member) => (await source.value(member))?.value),
      );
      expect(values).toEqual(Object.values(written));
      expect(document?.members[1]?.elements).toHaveLength(2);
      await source.close();
    }
  });

  it('reads correct JSON as JSON.parse does, and repairs only what it names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = JSON.stringify(value);
        expect(parseLenient(text)).toEqual({ value: JSON.parse(text), repairs: [] });
      }),
    );
    expect(parseLenient('{"a": NaN, "b": [-Infinity, "NaN"]}')).toMatchObject({ value: { a: null, b: [null, 'NaN'] } });
    expect(parseLenient('{"a": nope}')).toBeNull();
  });
});
