import { appendFileSync, writeFileSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTraces, openTrace, relateRun } from '../../../src/core/traces';
import { atifDocument, claudeLine, importOne, jsonLines, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();
const lines = (count: number, from = 1) =>
  jsonLines(
    ...Array.from({ length: count }, (_, at) =>
      claudeLine(from + at, at % 2 === 0 ? 'user' : 'assistant', `turn ${at}`),
    ),
  );

/** Options whose signal is asked for often while reading; the first time in the middle of it, `act` is done. */
function whileReading(act: () => void, after = 3) {
  let asked = 0;
  return {
    get signal() {
      asked += 1;
      if (asked === after) act();
      return undefined;
    },
  };
}

describe('files that change while they are read', () => {
  it('a file that grows: what was there is read, and the run says so', async () => {
    const file = join(await folder('growing'), 's.jsonl');
    await writeFile(file, lines(60));
    const { runs } = await importTraces(
      [file],
      whileReading(() => appendFileSync(file, lines(2, 61))),
    );
    expect(runs[0]?.counts.steps).toBe(60);
    expect(runs[0]?.warnings).toContainEqual(expect.stringContaining('changed while it was read'));
    expect((await importOne(file)).counts.steps).toBe(62);
  });

  it('a file that is cut short: nothing is thrown, and the run says so', async () => {
    const file = join(await folder('shrinking'), 's.jsonl');
    await writeFile(file, lines(60));
    const { runs, unknown } = await importTraces(
      [file],
      whileReading(() => writeFileSync(file, lines(3))),
    );
    expect(runs.length + unknown.length).toBe(1);
    for (const { warnings } of runs) expect(warnings).toContainEqual(expect.stringContaining('changed while'));
    expect((await importOne(file)).counts.steps).toBe(3);
  });
});

describe('files of a size that no memory holds', () => {
  it('a line of almost a gigabyte is told of; what stands before it is shown', { timeout: 120_000 }, async () => {
    const file = join(await folder('large'), 's.jsonl');
    await writeFile(file, lines(60));
    // A hole, so that it takes no place on the disk.
    await truncate(file, 1024 ** 3);
    const before = process.memoryUsage().rss;
    const run = await importOne(file);
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 * 1024);
    expect(run.counts.steps).toBe(60);
    expect(run.warnings).toContainEqual(expect.stringMatching(/^Line 61 is 102\d MB long and was not read\.$/));
    const reader = await openTrace(run);
    expect((await reader.step(60)).n).toBe(60);
    await reader.close();
  });

  it('a document with one step over the cap shows the others', { timeout: 120_000 }, async () => {
    const file = join(await folder('large'), 't.json');
    const text = JSON.stringify(
      atifDocument({
        steps: [
          { source: 'user', message: 'Go.' },
          { source: 'agent', message: 'HERE' },
          { source: 'agent', message: 'Done.' },
        ],
      }),
    );
    await writeFile(file, text.replace('HERE', 'x'.repeat(33 * 1024 * 1024)));
    const run = await importOne(file);
    expect(run.counts.steps).toBe(2);
    expect(run.warnings).toContainEqual(expect.stringContaining('33 MB long and was not read'));
  });

  it('a folder of 10,000 files is searched, and each is a run, has a reason or is counted', {
    timeout: 180_000,
  }, async () => {
    const place = await folder('many');
    const one = JSON.stringify(atifDocument());
    for (let at = 0; at < 10_000; at += 1) {
      const text = at % 1000 === 0 ? one.replace('session-1', `session-${at}`) : '[]';
      writeFileSync(join(place, `f${at}.${at % 50 === 0 ? 'json' : 'png'}`), text);
    }
    const { runs, unknown } = await importTraces([place]);
    expect(runs).toHaveLength(10);
    expect(unknown).toHaveLength(191);
    expect(unknown.find(({ file }) => file === place)?.reason).toMatch(/^9800 files with other endings \(\.png\)/);
    expect(unknown.every(({ reason }) => reason !== '')).toBe(true);
  });
});

describe('texts that are made to mislead', () => {
  it('are values, marks and names like any others', async () => {
    const place = await folder('mislead');
    const hostile = '<img src=x onerror=alert(1)> [x](command:evil) \u202egnp.exe __proto__ constructor.prototype';
    const call = (id: string) => ({
      source: 'agent',
      message: hostile,
      tool_calls: [{ tool_call_id: id, function_name: '__proto__', arguments: { constructor: hostile } }],
      observation: { results: [{ source_call_id: id, content: `${hostile} [${'9'.repeat(40)} characters omitted]` }] },
    });
    await writeFiles(place, { 't.json': atifDocument({ steps: [call('__proto__'), call('constructor')] }) });
    const reader = await openTrace(await importOne(join(place, 't.json')));
    const { steps } = await relateRun(reader);
    await reader.close();
    expect(steps.find(({ step }) => step === 2)).toMatchObject({ repeatOf: 1 });
    expect(steps[0]?.context?.truncated?.[0]?.missing).toBeNull();
    expect(Object.getOwnPropertyDescriptor(Object.prototype, 'calls')).toBeUndefined();
  });
});
