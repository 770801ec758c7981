import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { importTraces, openTrace, summaryOf } from '../../../src/core/traces';
import { childOf, childrenOf } from '../../../src/core/traces/reading/children';
import { TraceSource } from '../../../src/core/traces/reading/source';
import { atifDocument, importOne, jsonLines, temporaryFolders, writeFiles } from './helpers';
import { at } from './samples/sample';

const folder = temporaryFolders();
const turn = (second: number, id: string) => ({
  step_id: second,
  source: 'agent',
  timestamp: at(second),
  message: `Turn ${second}`,
  tool_calls: [{ tool_call_id: id, function_name: 'shell', arguments: {} }],
  observation: { results: [{ source_call_id: id, content: 'ok' }] },
});

describe('traces that contradict themselves', () => {
  it('a clock that goes back, and calls that share an id', async () => {
    const place = await folder();
    await writeFiles(place, { 't.json': atifDocument({ steps: [turn(50, 'a'), turn(10, 'a'), turn(60, 'b')] }) });
    const run = await importOne(join(place, 't.json'));
    expect(run.warnings).toContain('The clock goes back once, first at step 2.');
    expect(run.warnings).toContain('1 call has the id of an earlier call.');
    expect(run).toMatchObject({ started: at(10), ended: at(60) });
  });

  it('moments apart are no contradiction', async () => {
    const place = await folder();
    const steps = [turn(1, 'a'), { ...turn(2, 'b'), timestamp: new Date(Date.parse(at(1)) - 900).toISOString() }];
    await writeFiles(place, { 't.json': atifDocument({ steps }) });
    expect((await importOne(join(place, 't.json'))).warnings).toEqual([]);
  });

  it('a tree with a cycle or a lost parent ends and is shown as far as it goes', async () => {
    const place = await folder();
    const entry = (id: string, parentId: string | null, text: string) => ({
      type: 'message',
      id,
      parentId,
      message: { role: 'user', content: text },
    });
    const head = { type: 'session', version: 3, id: 's', cwd: '/' };
    await writeFiles(place, {
      'cycle.jsonl': jsonLines(head, entry('a', 'b', 'A'), entry('b', 'a', 'B')),
      'lost.jsonl': jsonLines(head, entry('a', 'gone', 'A'), entry('b', 'a', 'B')),
    });
    expect((await importOne(join(place, 'cycle.jsonl'))).counts.steps).toBe(2);
    const lost = await importOne(join(place, 'lost.jsonl'));
    expect(lost.counts.steps).toBe(2);
    expect(lost.warnings.join()).toContain('The parent gone of an entry is not in the file');
  });

  it('spans that are their own parents, and spans whose parent is missing', async () => {
    const place = await folder();
    const span = (id: string, parent: string) => ({
      traceId: 't',
      spanId: id,
      parentSpanId: parent,
      startTimeUnixNano: '1',
      attributes: { 'gen_ai.operation.name': 'chat' },
    });
    await writeFiles(place, { 's.json': [span('a', 'a'), span('b', 'c'), span('c', 'b'), span('d', 'gone')] });
    const run = await importOne(join(place, 's.json'));
    expect(run.counts.modelTurns).toBe(4);
    expect(run.warnings.join()).toContain('1 spans have a parent that is not in the file');
  });
});

describe('files that change or mislead', () => {
  it('a file that grew since it was opened is known to have changed', async () => {
    const place = await folder();
    await writeFiles(place, { 'a.jsonl': '{}\n' });
    const source = await TraceSource.open(join(place, 'a.jsonl'));
    expect(await source.changed()).toBe(false);
    await appendFile(join(place, 'a.jsonl'), '{}\n');
    expect(await source.changed()).toBe(true);
    await source.close();
  });

  it('an identifier that leads elsewhere reads nothing there', async () => {
    const place = await folder();
    await writeFiles(place, {
      'secret.json': { role: 'user', time: { created: 1 } },
      'storage/session/p/ses.json': { id: '../..', projectID: 'p', directory: '/', title: 'x', time: {} },
    });
    const run = await importOne(join(place, 'storage/session/p/ses.json'));
    expect(run.counts.steps).toBe(0);
    expect(run.partFiles).toBeUndefined();
  });

  it('a log that sets prototypes changes nothing but its own session', async () => {
    const place = await folder();
    const sets = ['__proto__', 'constructor', 'prototype'].map((key) => ({ kind: 1, k: [key, 'polluted'], v: true }));
    await writeFiles(place, {
      'log.jsonl': jsonLines({ kind: 0, v: { requests: [{ message: { text: 'Go' } }] } }, ...sets),
    });
    expect((await importOne(join(place, 'log.jsonl'))).counts.userMessages).toBe(1);
    expect(Object.getOwnPropertyDescriptor(Object.prototype, 'polluted')).toBeUndefined();
  });

  it('direction marks and terminal sequences do not reach a row; markup stays text', async () => {
    const place = await folder();
    const message = 'safe\u202egnp.exe \u001b[31mred\u001b[0m <img src=x onerror=alert(1)> [run](command:evil)';
    await writeFiles(place, { 't.json': atifDocument({ steps: [{ source: 'user', message }] }) });
    const reader = await openTrace(await importOne(join(place, 't.json')));
    const { preview } = summaryOf(await reader.step(1));
    expect(preview).toBe('safegnp.exe red <img src=x onerror=alert(1)> [run](command:evil)');
    await reader.close();
  });
});

describe('any content', () => {
  const json = fc.jsonValue({ maxDepth: 5 }).map((value) => JSON.stringify(value));
  const keys = fc.constantFrom(
    'messages',
    'steps',
    'type',
    'payload',
    'role',
    'parts',
    'kind',
    'v',
    'requests',
    'observations',
    'history',
    'samples',
    'eval',
    'status',
    'id',
    'content',
    'resourceSpans',
    'post',
    'trajectory',
    'info',
    'traj',
    'reward',
    'sessionId',
    'projectHash',
    'data',
    'source',
    'action',
    'event',
    'message',
    'uuid',
    'schema_version',
    'tool_calls',
    'results',
    'evalId',
  );
  const words = fc.constantFrom(
    'user',
    'assistant',
    'session',
    'message',
    'ATIF-v1.6',
    'response_item',
    'message_start',
    'session.start',
    'item.completed',
    'system',
    'tool',
    'model',
    'GENERATION',
    'requests',
    '1',
  );
  const shaped = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 2 }),
      words,
      tie('record'),
      fc.array(tie('record'), { maxLength: 4 }),
    ),
    record: fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
  })).record;

  it.each<[string, fc.Arbitrary<string>]>([
    ['JSON', json],
    ['the keys that readers look for, with anything in them', shaped.map((value) => JSON.stringify(value))],
    ['lists of such records', fc.array(shaped, { maxLength: 6 }).map((value) => JSON.stringify(value))],
    [
      'lines of such records',
      fc.array(shaped, { maxLength: 6 }).map((values) => values.map((value) => JSON.stringify(value)).join('\n')),
    ],
    ['bytes', fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes).toString('latin1'))],
  ])('%s: a run whose steps open, or a reason', async (_, content) => {
    const place = await folder();
    const file = join(place, 'any.json');
    await fc.assert(
      fc.asyncProperty(content, async (text) => {
        await writeFiles(place, { 'any.json': text });
        const { runs, unknown } = await importTraces([file]);
        expect(runs.length + unknown.length).toBeGreaterThan(0);
        for (const { reason } of unknown) expect(reason).not.toBe('');
        for (const run of runs) {
          const reader = await openTrace(run);
          expect(await reader.summaries(1, run.counts.steps + 1)).toHaveLength(run.counts.steps);
          await reader.close();
        }
      }),
      { numRuns: 120 },
    );
  });

  it('places of values inside values: those of JSON.parse, at any depth', async () => {
    const place = await folder();
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.constantFrom(undefined, 2),
        async (written, indent) => {
          const text = JSON.stringify(written, null, indent);
          await writeFiles(place, { 'c.json': text });
          const source = await TraceSource.open(join(place, 'c.json'));
          const check = async (
            value: unknown,
            range: { offset: number; length: number },
            depth: number,
          ): Promise<void> => {
            expect((await source.value(range))?.value).toEqual(value);
            if (typeof value !== 'object' || value === null || depth > 4) return;
            const children = await childrenOf(source, range);
            const names = Object.keys(value);
            expect(children.map((child) => child.key).sort()).toEqual([...names].sort());
            for (const [key, inner] of Object.entries(value)) {
              const child = childOf(children, key);
              if (child !== undefined) await check(inner, child, depth + 1);
            }
          };
          await check(JSON.parse(text), { offset: 0, length: Buffer.byteLength(text) }, 0);
          await source.close();
        },
      ),
      { numRuns: 60 },
    );
  });
});
