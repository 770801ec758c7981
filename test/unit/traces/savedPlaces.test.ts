import { appendFile, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addToCatalog, loadCatalog, openTrace, removeFromCatalog, type TraceRun } from '../../../src/core/traces';
import { savedReading } from '../../../src/core/traces/savedPlaces';
import { atifDocument, claudeLine, jsonLines, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();
const long = 'a line of output\n'.repeat(1200);

function session(records: number): string {
  return jsonLines(
    ...Array.from({ length: records }, (_, at) =>
      claudeLine(at + 1, at % 2 === 0 ? 'user' : 'assistant', `${at} ${long}`),
    ),
  );
}

async function imported(content: unknown, name = 'large.jsonl') {
  const root = await folder('places');
  await writeFiles(root, { [name]: content });
  const file = join(root, name);
  const { runs } = await addToCatalog(root, [file]);
  const run = runs.find((one) => one.file === file);
  if (run === undefined) throw new Error('not imported');
  return { root, file, run };
}

async function texts(run: TraceRun): Promise<string[]> {
  const reader = await openTrace(run);
  const found: string[] = [];
  for (let n = 1; n <= reader.stepCount; n += 1) found.push((await reader.step(n)).text);
  await reader.close();
  return found;
}

describe('saved places of a large trace', () => {
  it('open to the same steps as reading the file does', async () => {
    const { run } = await imported(session(120));
    expect(run.places).toBeDefined();
    const { places: _, ...plain } = run;
    expect(await savedReading(run.places ?? '', run.file)).not.toBeNull();
    expect(await texts(run)).toEqual(await texts(plain));
  });

  it('keep what a format must remember of a step', async () => {
    const steps = Array.from({ length: 120 }, (_, at) => ({
      source: at === 0 ? 'user' : 'agent',
      message: `${at} ${long}`,
    }));
    const { run } = await imported(atifDocument({ steps }), 'large.json');
    expect(run.places).toBeDefined();
    const { places: _, ...plain } = run;
    const [saved, read] = [await openTrace(run), await openTrace(plain)];
    for (const n of [1, 60, 120]) expect(await saved.step(n)).toEqual(await read.step(n));
    expect(saved.ranges(7)).toEqual(read.ranges(7));
    await saved.close();
    await read.close();
  });

  it('are not made for small files, and removed with the run', async () => {
    const small = await imported(session(4));
    expect(small.run.places).toBeUndefined();
    const large = await imported(session(120));
    const places = join(large.root, '.harnessmith/cache/places');
    expect(await readdir(places)).toHaveLength(1);
    await removeFromCatalog(large.root, [large.file]);
    expect(await readdir(places)).toEqual([]);
  });

  it.each<[string, (file: string) => Promise<unknown>]>([
    ['grew', (file) => appendFile(file, session(2))],
    [
      'was written anew with the same size and time',
      async (file) => {
        const time = new Date(Date.now() - 60_000);
        const text = await readFile(file, 'utf8');
        await writeFile(file, text.replace('"0 a line', '"X a line'));
        await utimes(file, time, time);
      },
    ],
  ])('are not used for a file that %s', async (_, change) => {
    const { run, file } = await imported(session(120));
    await change(file);
    expect(await savedReading(run.places ?? '', file)).toBeNull();
    const { places: __, ...plain } = run;
    expect(await texts(run)).toEqual(await texts(plain));
  });

  it.each<[string, (text: string) => string]>([
    ['cut off', (text) => text.slice(0, text.length / 2)],
    ['with places that are no numbers', (text) => text.replace('"numbers":[1', '"numbers":["1"')],
    ['with negative places', (text) => text.replace('"numbers":[1', '"numbers":[-1')],
    ['of another version', (text) => text.replace('"version":1', '"version":9')],
    ['of another file', (text) => text.replace(/large\.jsonl/g, 'other.jsonl')],
  ])('that are %s are passed over', async (_, damage) => {
    const { run, root } = await imported(session(120));
    const path = run.places ?? '';
    await writeFile(path, damage(await readFile(path, 'utf8')));
    expect(await savedReading(path, run.file)).toBeNull();
    expect(await texts(run)).toHaveLength(120);
    await rm(path);
    expect(await texts(run)).toHaveLength(120);
    expect((await loadCatalog(root)).runs).toHaveLength(1);
  });
});
