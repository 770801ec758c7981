import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addToCatalog, importTraces, loadCatalog, openTrace, removeFromCatalog } from '../../../src/core/traces';
import { childrenOf } from '../../../src/core/traces/reading/children';
import { scanDocument } from '../../../src/core/traces/reading/jsonDocument';
import { jsonRecords } from '../../../src/core/traces/reading/jsonLines';
import { TraceSource } from '../../../src/core/traces/reading/source';
import { atifDocument, claudeLine, importOne, jsonLines, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();
const PIECE = 1024 * 1024;

async function sourceOf(content: string | Uint8Array): Promise<TraceSource> {
  const place = await folder();
  await writeFile(join(place, 'x.json'), content);
  return TraceSource.open(join(place, 'x.json'));
}

async function recordsOf(content: string | Uint8Array) {
  const source = await sourceOf(content);
  const warnings: string[] = [];
  const notes = { warn: (message: string) => void warnings.push(message), cut: false };
  const records = [];
  for await (const { value, range } of jsonRecords(source, notes))
    records.push({ value, text: await source.text(range) });
  await source.close();
  return { records, warnings, cut: notes.cut };
}

describe('places in bytes', () => {
  it('any texts of any script, glued or in lines: what stands at a place is the record', async () => {
    const record = fc.dictionary(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), { maxKeys: 4 });
    const line = fc.array(record, { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 5 }), fc.boolean(), async (lines, marked) => {
        const text = lines.map((records) => records.map((one) => JSON.stringify(one)).join('')).join('\n');
        const { records, cut } = await recordsOf(`${marked ? '\ufeff' : ''}${text}\n`);
        expect(records.map(({ value }) => value)).toEqual(JSON.parse(JSON.stringify(lines.flat())));
        for (const one of records) expect(JSON.parse(one.text)).toEqual(one.value);
        expect(cut).toBe(false);
      }),
      { numRuns: 60 },
    );
  });

  // The first byte after the border is the second, third or fourth of a character, or the second of an escape.
  it.each<[string, string, number]>([
    ['a character of two bytes', 'é', 1],
    ['of three bytes, after the first', '語', 1],
    ['of three bytes, after the second', '語', 2],
    ['of four bytes, in the middle', '🦊', 2],
    ['an escaped quotation mark', '\\"', 1],
    ['an escaped backslash', '\\\\', 1],
  ])('the border of two pieces inside %s', async (_, character, into) => {
    const first = JSON.stringify(claudeLine(1, 'user', 'go'));
    const shell = JSON.stringify(claudeLine(2, 'user', '@'));
    const [before = '', after = ''] = shell.split('@');
    const filled = PIECE - into - Buffer.byteLength(`${first}\n${before}`);
    const long = `${before}${'x'.repeat(filled)}${character}é${after}`;
    const place = await folder();
    await writeFiles(place, { 's.jsonl': `${first}\n${long}\n${JSON.stringify(claudeLine(3, 'assistant', 'ok'))}` });
    const run = await importOne(join(place, 's.jsonl'));
    expect(run).toMatchObject({ warnings: [], counts: { userMessages: 2, modelTurns: 1 } });
    const reader = await openTrace(run);
    const said: string = JSON.parse(`"${character}é"`);
    expect((await reader.step(2)).text.slice(filled)).toBe(said);
    expect(await reader.raw(2)).toBe(long);
    expect((await reader.step(2)).raw).toMatchObject({ offset: first.length + 1, length: Buffer.byteLength(long) });
    await reader.close();

    const source = await sourceOf(`{"${'k'.repeat(PIECE - into - 2)}${character}":[1,{"ü":2}],"z":"é"}`);
    const document = await scanDocument(source);
    const inner = await childrenOf(source, { offset: 0, length: source.size });
    expect(inner.map(({ key }) => key)).toEqual(document?.members.map(({ key }) => key));
    expect(inner[0]?.key.slice(PIECE - into - 2)).toBe(JSON.parse(`"${character}"`));
    for (const [index, value] of [[1, { ü: 2 }], 'é'].entries()) {
      const child = inner[index];
      expect(child && (await source.value(child))?.value).toEqual(value);
    }
    await source.close();
  });

  it.each([
    ['a raw tab', 'a\tb', 'a\tb'],
    ['an escaped quotation mark', 'a\\"b', 'a"b'],
    ['an escape that is none', 'a\\qb', 'a\\qb'],
  ])('a key with %s is named alike by both ways to find it', async (_, written, key) => {
    const source = await sourceOf(`{"${written}":[1],"z":2}`);
    const document = await scanDocument(source);
    const inner = await childrenOf(source, { offset: 0, length: source.size });
    expect(document?.members.map((member) => member.key)).toEqual([key, 'z']);
    expect(inner.map((child) => child.key)).toEqual([key, 'z']);
    await source.close();
  });

  it('a document knows where it stands between a mark, blank lines and other text', async () => {
    const text = '{"é": ["ü", {"a": 1}]}';
    const source = await sourceOf(`\ufeff\r\n ${text} \nDone\n`);
    const document = await scanDocument(source);
    expect(document).toMatchObject({ complete: true, more: true });
    expect(document && (await source.text(document.place))).toBe(text);
    const cut = await sourceOf(` ${text.slice(0, -2)}`);
    const half = await scanDocument(cut);
    expect(half).toMatchObject({ complete: false, more: false });
    expect(half && (await cut.text(half.place))).toBe(text.slice(0, -2));
    for (const one of [source, cut]) await one.close();
  });

  it.each(['{"a":1', '{"a":1}{"b":', '{"a":"\\', '[1,2'])(
    'a last line that ends in the middle is told: %s',
    async (last) => {
      const { records, warnings, cut } = await recordsOf(`{"first":1}\n${last}`);
      expect(records[0]?.value).toEqual({ first: 1 });
      expect(records.every(({ text }) => JSON.parse(text) !== null)).toBe(true);
      expect([cut, warnings.length]).toEqual([true, 1]);
      expect(warnings[0]).toContain('Line 2');
    },
  );

  it('bytes that are no UTF-8 spoil their own record only', async () => {
    const bad = Buffer.concat([Buffer.from('{"a":"'), Buffer.from([0xc3, 0x28, 0xff]), Buffer.from('"}\n')]);
    const { records } = await recordsOf(Buffer.concat([Buffer.from('{"a":"é"}\n'), bad, Buffer.from('{"a":"語"}\n')]));
    expect(records.map(({ value }) => value)).toEqual([{ a: 'é' }, { a: '\ufffd(\ufffd' }, { a: '語' }]);
  });

  it('a folder, a missing file and a place beyond the end are no surprises', async () => {
    const place = await folder();
    await expect(TraceSource.open(place)).rejects.toMatchObject({ code: 'trace-unreadable', exitCode: 2 });
    await expect(TraceSource.open(join(place, 'none'))).rejects.toThrow(join(place, 'none'));
    const source = await sourceOf('{"a":1}');
    expect((await source.read(5, 99)).toString()).toBe('1}');
    expect((await source.read(99, 5)).length).toBe(0);
    expect(await source.value({ offset: 0, length: 40 * PIECE })).toBeNull();
    await source.close();
  });
});

describe('folders in the catalog', () => {
  it('a file that came and one that went are seen without importing again', async () => {
    const [root, place] = [await folder('root'), await folder()];
    await writeFiles(place, { 'a/one.json': atifDocument({ session_id: 'one' }), 'b/notes.md': '# x' });
    const sessions = async () => (await loadCatalog(root)).runs.map(({ sessionId }) => sessionId).sort();
    await addToCatalog(root, [place]);
    await writeFiles(place, { 'a/deep/two.json': atifDocument({ session_id: 'two' }) });
    expect(await sessions()).toEqual(['one', 'two']);
    await rm(join(place, 'a/one.json'));
    expect(await sessions()).toEqual(['two']);
    await rm(join(place, 'a'), { recursive: true });
    expect(await sessions()).toEqual([]);
  });

  it('a folder and a link to it are one; forgetting either keeps the other', async () => {
    const [root, place] = [await folder('root'), await folder()];
    await writeFiles(place, { 'real/one.json': atifDocument() });
    await symlink(join(place, 'real'), join(place, 'link'));
    expect((await addToCatalog(root, [join(place, 'real'), join(place, 'link')])).runs).toHaveLength(1);
    const { runs } = await removeFromCatalog(root, [join(place, 'real')]);
    expect(runs.map(({ file }) => file)).toEqual([join(place, 'link/one.json')]);
    expect((await removeFromCatalog(root, [join(place, 'link')])).runs).toEqual([]);
    expect(JSON.parse(await readFile(join(place, 'real/one.json'), 'utf8'))).toMatchObject({ session_id: 'session-1' });
  });

  it('folders that are too deep are named, all above them are read', async () => {
    const place = await folder();
    const deep = join(place, ...Array.from({ length: 42 }, (_, level) => `d${level}`));
    await mkdir(deep, { recursive: true });
    await writeFile(join(deep, 'lost.json'), JSON.stringify(atifDocument({ session_id: 'lost' })));
    await writeFiles(place, { 'd0/d1/found.json': atifDocument({ session_id: 'found' }) });
    const { runs, unknown } = await importTraces([place]);
    expect(runs.map(({ sessionId }) => sessionId)).toEqual(['found']);
    expect(unknown).toEqual([{ file: join(deep, '..'), reason: expect.stringContaining('40 folders deep') }]);
  });

  it('a run that left a file written again is said to be gone, by name', async () => {
    const place = await folder();
    const file = join(place, 's.jsonl');
    const chat = { 'gen_ai.operation.name': 'chat' };
    // A span and one below it, since spans that all stand alone are taken for one run.
    const trace = (traceId: string) => [
      { traceId, spanId: `${traceId}1`, attributes: chat },
      { traceId, spanId: `${traceId}2`, parentSpanId: `${traceId}1`, attributes: chat },
    ];
    await writeFiles(place, { 's.jsonl': jsonLines(...trace('a'), ...trace('b')) });
    const { runs } = await importTraces([file]);
    await writeFiles(place, { 's.jsonl': jsonLines(...trace('b'), ...trace('a')) });
    expect(runs.map(({ sessionId }) => sessionId)).toEqual(['a', 'b']);
    for (const run of runs) {
      const reader = await openTrace(run);
      expect(JSON.parse(await reader.raw(1))).toMatchObject({ traceId: run.sessionId });
      await reader.close();
    }
    await writeFiles(place, { 's.jsonl': 'no trace any more\n' });
    await expect(openTrace(runs[0] ?? (await importOne(file)))).rejects.toThrow(`${file} is no longer a trace`);
  });
});
