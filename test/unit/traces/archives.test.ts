import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importTraces, openTrace } from '../../../src/core/traces';
import { importOne, temporaryFolders, writeFiles } from './helpers';
import { inspectSample } from './samples/benchmarks';
import { type Member, zip } from './zip';

const folder = temporaryFolders();
const header = { version: 2, status: 'success', eval: { model: 'p/m', task: 't' }, results: { total_samples: 1 } };
const log = (method: Member['method'], ...more: Member[]): Member[] => [
  { name: '_journal/start.json', content: { eval: header.eval }, method },
  { name: 'samples/7_epoch_2.json', content: inspectSample, method },
  ...more,
];

async function written(members: readonly Member[]): Promise<string> {
  const place = await folder();
  await writeFiles(place, { 'log.eval': zip(members) });
  return join(place, 'log.eval');
}

describe('Inspect archives', () => {
  it.each(['stored', 'deflate', 'zstd'] as const)('%s members are read, also the steps', async (method) => {
    const run = await importOne(await written(log(method, { name: 'header.json', content: header, method })));
    expect(run).toMatchObject({ sessionId: '7/2', title: 'The whole task', model: 'p/m', warnings: [] });
    expect(run.counts).toMatchObject({ modelTurns: 2, toolCalls: 1, resultsLinked: 1 });
    const reader = await openTrace(run);
    const step = await reader.step(2);
    expect(step).toMatchObject({ kind: 'user', text: 'The whole task', raw: { part: 'samples/7_epoch_2.json' } });
    expect(JSON.parse((await reader.raw(2)).split('\n')[0] ?? '')).toMatchObject({ role: 'user' });
    await reader.close();
  });

  it('killed before the header was written: what the journal tells is used, with a warning', async () => {
    const run = await importOne(await written(log('deflate')));
    expect(run.model).toBe('p/m');
    expect(run.warnings.join()).toContain('the evaluation was killed');
  });

  it('tells of samples that the header counts and the archive lacks', async () => {
    const short = { ...header, results: { total_samples: 790 } };
    const run = await importOne(await written(log('deflate', { name: 'header.json', content: short })));
    expect(run.warnings.join()).toContain('790 samples, 1 are in the archive');
  });

  it('a member that occurs twice: the last one counts', async () => {
    const again = { ...inspectSample, scores: { match: { value: 'I' } } };
    const run = await importOne(await written(log('deflate', { name: 'samples/7_epoch_2.json', content: again })));
    expect(run.outcome.verdict).toBe('fail');
  });

  it('chunked samples: sequences over several members, attachments by number', async () => {
    const { events, messages: _, attachments: __, ...shell } = inspectSample;
    const place = 'samples/7_epoch_2';
    const refer = JSON.parse(JSON.stringify(events).replaceAll('attachment://long', 'attachment://1'));
    const run = await importOne(
      await written([
        { name: 'header.json', content: header },
        { name: `${place}/sample.json`, content: shell, method: 'zstd' },
        { name: `${place}/events/3.json`, content: refer.slice(3), method: 'zstd' },
        { name: `${place}/events/0.json`, content: refer.slice(0, 3), method: 'zstd' },
        { name: `${place}/events/stats.json`, content: {} },
        { name: `${place}/attachments/0.json`, content: ['other', 'The whole task'] },
      ]),
    );
    expect(run.counts).toMatchObject({ modelTurns: 2, toolCalls: 1, resultsLinked: 1, userMessages: 1 });
    expect(run.title).toBe('The whole task');
  });

  it('pooled messages: prompts that refer to the pool by number', async () => {
    const pooled = {
      ...inspectSample,
      message_pool: [
        { role: 'system', content: 'Rules', id: 'm0' },
        { role: 'user', content: 'From the pool', id: 'm1' },
      ],
      events: inspectSample.events.map((event) =>
        'input' in event && event.span_id === 's1' ? { ...event, input: [], input_refs: [[0, 2]] } : event,
      ),
    };
    const run = await importOne(
      await written([
        { name: 'samples/1_epoch_1.json', content: pooled },
        { name: 'header.json', content: header },
      ]),
    );
    expect(run).toMatchObject({ title: 'From the pool', counts: { userMessages: 1 } });
  });
});

describe('hostile archives', () => {
  it('names that lead outside are not read and nothing is written', async () => {
    const members = log(
      'deflate',
      { name: '../../evil.json', content: 'x' },
      { name: '/etc/evil', content: 'x' },
      { name: 'samples\\..\\evil.json', content: {} },
    );
    const file = await written(members);
    const run = await importOne(file);
    expect(run.warnings.join()).toContain('3 members have names that lead out of the archive');
    expect(await readdir(join(file, '..'))).toEqual(['log.eval']);
  });

  it('a bomb: a member that unpacks to more than the cap is refused, others are read', async () => {
    const bomb = Buffer.alloc(257 * 1024 * 1024, ' ');
    const file = await written(
      log('deflate', { name: 'samples/9_epoch_1.json', content: bomb, method: 'zstd', claims: 10 }),
    );
    const { runs } = await importTraces([file]);
    expect(runs.flatMap((run) => run.warnings).join()).toMatch(/9_epoch_1\.json.*more than 256 MB/);
    expect(runs.find((run) => run.sessionId === '7/2')?.counts.modelTurns).toBe(2);
  });

  it('an archive that is no Inspect log is listed with the reason', async () => {
    const { unknown } = await importTraces([await written([{ name: 'a.txt', content: 'x' }])]);
    expect(unknown[0]?.reason).toContain('not an Inspect log');
  });

  it('any bytes changed or cut: never throws, and says why', async () => {
    const place = await folder();
    const whole = zip(log('zstd', { name: 'header.json', content: header }));
    const change = fc.record({ at: fc.nat(whole.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(
        fc.array(change, { maxLength: 8 }),
        fc.integer({ min: 0, max: whole.length }),
        async (changes, length) => {
          const bytes = Buffer.from(whole);
          for (const { at, byte } of changes) bytes[at] = byte;
          await writeFiles(place, { 'x.eval': bytes.subarray(0, length) });
          const { runs, unknown } = await importTraces([join(place, 'x.eval')]);
          expect(runs.length + unknown.length).toBeGreaterThan(0);
          for (const { reason } of unknown) expect(reason.length).toBeGreaterThan(10);
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('one run of many', () => {
  it('is opened without reading the others, and found again when the file was written anew', async () => {
    const sample = (id: number) => ({ ...inspectSample, id, scores: { match: { value: 'C' } } });
    const members = (...ids: number[]): Member[] => [
      { name: 'header.json', content: header },
      ...ids.map((id) => ({ name: `samples/${id}_epoch_2.json`, content: sample(id) })),
    ];
    const file = await written(members(1, 2, 3));
    const { runs } = await importTraces([file]);
    const second = runs[1];
    if (second === undefined) throw new Error('not imported');
    expect([second.id, second.sessionId]).toEqual([`${file}#1`, '2/2']);
    for (const content of [zip(members(1, 2, 3)), zip(members(3, 1, 2)), zip(members(9, 2))]) {
      await writeFiles(join(file, '..'), { 'log.eval': content });
      const reader = await openTrace(second);
      expect(reader.stepCount).toBe(second.counts.steps);
      expect(await reader.raw(3)).toContain('Look');
      expect((await reader.step(2)).raw?.part).toBe('samples/2_epoch_2.json');
      await reader.close();
    }
  });
});
