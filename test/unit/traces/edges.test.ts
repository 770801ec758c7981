import { appendFile, readFile, symlink, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { importTraces, openTrace } from '../../../src/core/traces';
import { atifDocument, claudeLine, fixtures, importOne, jsonLines, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();

async function reasonOf(name: string, content: unknown): Promise<string> {
  const place = await folder();
  await writeFiles(place, { [name]: content });
  const { runs, unknown } = await importTraces([join(place, name)]);
  expect(runs).toEqual([]);
  return unknown[0]?.reason ?? '';
}

describe('files that are no traces come back with the reason', () => {
  it.each<[string, unknown, string]>([
    ['empty.json', '', 'empty'],
    ['blank.jsonl', ' \n\n', 'white space'],
    ['binary.json', new Uint8Array([0x7b, 0, 1, 2, 3, 0]), 'binary'],
    ['archive.eval', new Uint8Array([0x50, 0x4b, 3, 4, 0, 0]), 'zip'],
    ['database.db', Buffer.from('SQLite format 3\0rest'), 'SQLite'],
    ['wide.json', Buffer.from('\ufeff{"a": 1}', 'utf16le'), 'UTF-16'],
    ['text.json', '===== record 0001 =====\n', 'not JSON'],
    ['other.json', { name: 'package', version: '1.0.0' }, 'Looked for'],
  ])('%s', async (name, content, part) => {
    expect(await reasonOf(name, content)).toContain(part);
  });
});

describe('damaged traces are read as far as they go', () => {
  it('JSON lines cut in the last line', async () => {
    const place = await folder();
    const whole = await readFile(join(fixtures, 'claude/small.jsonl'));
    await writeFiles(place, { 'cut.jsonl': whole.subarray(0, whole.length - 700) });
    const run = await importOne(join(place, 'cut.jsonl'));
    expect(run.counts).toMatchObject({ modelTurns: 6, toolCalls: 3 });
    expect(run.endsTruncated).toBe(true);
    expect(run.warnings.join()).toContain('last line');
  });

  it('a bad line in the middle, a blank line and two objects on one line', async () => {
    const place = await folder();
    const glued =
      JSON.stringify(claudeLine(3, 'user', 'more')) +
      JSON.stringify({ type: 'summary', summary: 'A title', leafUuid: 'u1' });
    const lines = [
      JSON.stringify(claudeLine(1, 'user', 'go')),
      '{"type":"user", broken',
      '',
      glued,
      JSON.stringify(claudeLine(4, 'assistant', 'ok')),
    ];
    await writeFiles(place, { 's.jsonl': lines.join('\n') });
    const run = await importOne(join(place, 's.jsonl'));
    expect(run.counts).toMatchObject({ userMessages: 2, modelTurns: 1 });
    expect(run.title).toBe('A title');
    expect(run.warnings.join('\n')).toMatch(/Line 2: invalid JSON[\s\S]*Line 4: 2 JSON objects on one line/);
    expect(run.endsTruncated).toBe(false);
  });

  it('a document cut in the middle of a step', async () => {
    const place = await folder();
    const text = JSON.stringify(atifDocument());
    await writeFiles(place, { 't.json': text.slice(0, text.indexOf('Done.')) });
    const run = await importOne(join(place, 't.json'));
    expect(run.counts.steps).toBe(3);
    expect(run.endsTruncated).toBe(true);
    expect(run.warnings.join()).toContain('inside "steps"');
  });

  it('NaN and Infinity, a byte order mark, CRLF and raw control characters', async () => {
    const place = await folder();
    const text = JSON.stringify(atifDocument(), null, 2)
      .replace('"prompt_tokens": 10', '"prompt_tokens": NaN')
      .replace('Looking.', 'Look\u0007ing\ting.');
    await writeFiles(place, { 't.jsonl': `\ufeff${text.replaceAll('\n', '\r\n')}` });
    const run = await importOne(join(place, 't.jsonl'));
    expect(run.counts.steps).toBe(4);
    expect(run.warnings.join()).toContain('NaN read as null');
    expect(run.warnings.join()).toContain('control characters');
    const reader = await openTrace(run);
    expect((await reader.step(3)).text).toBe('Look\u0007ing\ting.');
    expect((await reader.summaries(3, 3))[0]?.preview).toBe('Looking ing.');
    await reader.close();
  });

  it('U+2028 inside a string does not end a line, CRLF does', async () => {
    const place = await folder();
    const text = jsonLines(claudeLine(1, 'user', 'one\u2028two'), claudeLine(2, 'assistant', 'ok')).replaceAll(
      '\n',
      '\r\n',
    );
    await writeFiles(place, { 's.jsonl': `\ufeff${text}` });
    const run = await importOne(join(place, 's.jsonl'));
    expect(run.warnings).toEqual([]);
    const reader = await openTrace(run);
    expect((await reader.step(1)).text).toBe('one\u2028two');
    expect(JSON.parse(await reader.raw(2))).toMatchObject({ uuid: 'u2' });
    await reader.close();
  });

  it('a line over the cap is reported and the rest is read', async () => {
    const place = await folder();
    const file = join(place, 's.jsonl');
    await writeFiles(place, { 's.jsonl': jsonLines(claudeLine(1, 'user', 'go')) });
    const piece = 'x'.repeat(1024 * 1024);
    await appendFile(file, '{"type":"user","message":{"content":"');
    for (let index = 0; index < 33; index += 1) await appendFile(file, piece);
    await appendFile(file, `"}}\n${JSON.stringify(claudeLine(2, 'assistant', 'ok'))}\n`);
    const run = await importOne(file);
    expect(run.counts).toMatchObject({ userMessages: 1, modelTurns: 1 });
    expect(run.warnings.join()).toContain('Line 2 is 33 MB long');
  });

  it('duplicate ids: a call shown twice counts once, equal ids in one step are all shown', async () => {
    const place = await folder();
    const use = [{ type: 'tool_use', id: 't', name: 'Bash', input: {} }];
    await writeFiles(place, {
      's.jsonl': jsonLines(
        claudeLine(1, 'user', 'go'),
        claudeLine(2, 'assistant', use),
        claudeLine(2, 'assistant', use),
        claudeLine(3, 'assistant', use),
      ),
    });
    expect((await importOne(join(place, 's.jsonl'))).counts).toMatchObject({ toolCalls: 1, modelTurns: 2 });
  });

  it('a file that changed or shrank after the import is read as it is now', async () => {
    const place = await folder();
    const file = join(place, 's.jsonl');
    await writeFiles(place, { 's.jsonl': jsonLines(claudeLine(1, 'user', 'go'), claudeLine(2, 'assistant', 'ok')) });
    const run = await importOne(file);
    await truncate(file, 20);
    const reader = await openTrace(run).catch((error: unknown) => error);
    expect(reader).toMatchObject({ code: 'trace-unreadable' });
  });
});

describe('folders', () => {
  it('are searched without following loops, skipping node_modules, naming what was not read', async () => {
    const place = await folder();
    await writeFiles(place, {
      'a/one.txt.json': atifDocument(),
      'b/wrong-name.traj': atifDocument({ session_id: 'two' }),
      'node_modules/x/trace.json': atifDocument(),
      '.git/trace.json': atifDocument(),
      'b/notes.md': '# notes',
      'b/c/package.json': { name: 'x' },
    });
    await symlink(place, join(place, 'b/loop'));
    await symlink(join(place, 'nowhere'), join(place, 'b/broken.json'));
    const { runs, unknown } = await importTraces([place]);
    expect(runs.map((run) => run.sessionId).sort()).toEqual(['session-1', 'two']);
    const reasons = unknown.map((entry) => entry.reason).join('\n');
    expect(reasons).toMatch(/1 file with another ending \(\.md\)|\d+ files with other endings \(\.md\)/);
    expect(reasons).toContain('broken link');
    expect(unknown.some((entry) => entry.file.endsWith('package.json'))).toBe(true);
  });

  it('report progress and stop when cancelled', async () => {
    const place = await folder();
    await writeFiles(place, { 'a.json': atifDocument(), 'b.json': atifDocument(), 'c.json': atifDocument() });
    const done: number[] = [];
    await importTraces([place], { progress: (report) => done.push(report.done ?? -1) });
    expect(done).toEqual([0, 1, 2, 3]);
    const stop = new AbortController();
    const work = importTraces([place], { signal: stop.signal, progress: () => stop.abort() });
    await expect(work).rejects.toMatchObject({ code: 'cancelled', exitCode: 130 });
  });

  it('a missing path is an error that names it', async () => {
    await expect(importTraces(['/nowhere/at/all.json'])).rejects.toMatchObject({ code: 'path-missing', exitCode: 2 });
  });
});
