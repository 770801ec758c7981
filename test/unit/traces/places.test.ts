import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { followTrace, importTraces } from '../../../src/core/traces';
import { formatById } from '../../../src/core/traces/formats';
import type { StepPlace } from '../../../src/core/traces/readRun';
import { savedReading, savePlaces } from '../../../src/core/traces/savedPlaces';
import { run } from '../links/helpers';
import { claudeLine, jsonLines, temporaryFolders } from './helpers';

const folder = temporaryFolders();
const format = formatById('claude-code')!;
let place: string;
let large: string;

beforeAll(async () => {
  place = await folder('places');
  large = join(place, 'large.zip');
  await writeFile(large, Buffer.alloc(2 * 1024 * 1024, 'x'));
});

describe('places that are written down', () => {
  const number = fc.nat({ max: Number.MAX_SAFE_INTEGER });
  const part = fc.constantFrom(undefined, 'a.jsonl', 'b/"c".jsonl', '');
  const range = fc.record({ offset: number, length: number, part });
  const hint = fc.oneof(
    fc.constant(undefined),
    fc.string(),
    fc.integer(),
    fc.array(fc.oneof(fc.string(), fc.integer())),
  );
  const steps = fc.array(fc.record({ ranges: fc.array(range, { maxLength: 4 }), hint }), { maxLength: 20 });

  it('come back as they were, with the parts of an archive and what formats remember', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(steps, { minLength: 1, maxLength: 3 }), async (all) => {
        const runs = all.map((own, at) => ({
          run: run({ id: `${large}#${at}`, file: large }),
          steps: own as StepPlace[],
        }));
        const path = await savePlaces(place, large, { format, archive: true, runs });
        const found = await savedReading(path ?? '', large);
        expect(found?.format.id).toBe('claude-code');
        expect(found?.runs).toEqual(runs);
      }),
      { numRuns: 40 },
    );
  });

  it('are not for steps in other files, nor for more steps than are opened at once', async () => {
    const one = [{ ranges: [{ offset: 0, length: 1, part: 'other.json' }], hint: undefined }];
    const save = (own: StepPlace[], archive: boolean) =>
      savePlaces(place, large, { format, archive, runs: [{ run: run(), steps: own }] });
    expect(await save(one, false)).toBeNull();
    expect(await save(one, true)).not.toBeNull();
    expect(
      await save(
        Array.from({ length: 300_001 }, () => ({ ranges: [], hint: undefined })),
        true,
      ),
    ).toBeNull();
    expect(await savePlaces(join(large, 'no-folder'), large, { format, archive: true, runs: [] })).toBeNull();
    expect(await savePlaces(place, join(place, 'gone'), { format, archive: true, runs: [] })).toBeNull();
  });
});

describe('a trace that is followed', () => {
  const lines = (from: number, to: number) =>
    Array.from({ length: to - from + 1 }, (_, at) =>
      claudeLine(from + at, (from + at) % 2 === 1 ? 'user' : 'assistant', `text ${from + at}`),
    );
  const started = async () => {
    const file = join(await folder('follow'), 'session.jsonl');
    await writeFile(file, jsonLines(...lines(1, 3)));
    const { runs } = await importTraces([file]);
    return { file, trace: await followTrace(runs[0]!) };
  };

  it('and looked at twice at once counts what was added once', async () => {
    const { file, trace } = await started();
    await appendFile(file, jsonLines(...lines(4, 7)));
    expect((await Promise.all([trace.grow(), trace.grow()])).sort()).toEqual(['grew', 'same']);
    expect(trace.stepCount).toBe(7);
    expect((await trace.summaries(1, 7)).map(({ preview }) => preview)).toEqual(
      [1, 2, 3, 4, 5, 6, 7].map((n) => `text ${n}`),
    );
    await trace.close();
  });

  it('gives its steps while it is read on, and their records as they were written', async () => {
    const { file, trace } = await started();
    await appendFile(file, jsonLines(...lines(4, 60)));
    const [, first, raw] = await Promise.all([trace.grow(), trace.step(1), trace.raw(2)]);
    expect([first.n, first.text]).toEqual([1, 'text 1']);
    expect(JSON.parse(raw)).toEqual(lines(2, 2)[0]);
    expect(JSON.parse(await trace.raw(59))).toEqual(lines(59, 59)[0]);
    await expect(trace.step(61)).rejects.toMatchObject({ code: 'step-missing' });
    await trace.close();
  });

  it('stays the one it was after lines that are no records', async () => {
    const { file, trace } = await started();
    await appendFile(file, 'not json\n\n{"type":"unheard-of"}\n');
    expect(await trace.grow()).toBe('grew');
    await appendFile(file, jsonLines(...lines(4, 5)));
    await trace.grow();
    expect((await trace.step(trace.stepCount)).text).toBe('text 5');
    await trace.close();
  });
});
