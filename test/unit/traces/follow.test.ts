import { appendFileSync, mkdtempSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { type FollowedTrace, followTrace, importTraces, openTrace, type TraceRun } from '../../../src/core/traces';

const folders: string[] = [];
const followed: FollowedTrace[] = [];
afterEach(async () => {
  for (const one of followed.splice(0)) await one.close();
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Records of a Claude Code session, whose turns may be spread over several lines. */
const record = (n: number, over: object) =>
  `${JSON.stringify({ uuid: `u${n}`, parentUuid: n > 1 ? `u${n - 1}` : null, sessionId: 's', timestamp: '2026-01-02T10:00:00Z', ...over })}\n`;
const user = (n: number, content: unknown) => record(n, { type: 'user', message: { role: 'user', content } });
const agent = (n: number, id: string, text: string) =>
  record(n, { type: 'assistant', message: { id, role: 'assistant', model: 'm', content: [{ type: 'text', text }] } });

async function started(text: string): Promise<{ file: string; run: TraceRun }> {
  const folder = mkdtempSync(join(tmpdir(), 'harnessmith-follow-trace-'));
  folders.push(folder);
  const file = join(folder, 'session.jsonl');
  writeFileSync(file, text);
  const { runs } = await importTraces([file]);
  return { file, run: runs[0]! };
}

async function follow(run: TraceRun): Promise<FollowedTrace> {
  const one = await followTrace(run);
  followed.push(one);
  return one;
}

const begin = user(1, 'Fix it.') + agent(2, 'a', 'First.') + user(3, 'Go on.');

describe('a trace that is still written', () => {
  it('gets the steps that are added, and only those are read', async () => {
    const { file, run } = await started(begin);
    const trace = await follow(run);
    expect(trace.stepCount).toBe(3);
    expect(await trace.grow()).toBe('same');
    appendFileSync(file, agent(4, 'b', 'Second.') + user(5, 'More.'));
    expect(await trace.grow()).toBe('grew');
    expect(trace.stepCount).toBe(5);
    expect((await trace.step(4)).text).toBe('Second.');
    expect((await trace.summaries(5, 9)).map((one) => one.preview)).toEqual(['More.']);
    expect(trace.ranges(5)[0]!.offset).toBe(Buffer.byteLength(begin + agent(4, 'b', 'Second.')));
  });

  it('ends up as a reading of the whole file, however the pieces are cut', async () => {
    const rest = Array.from({ length: 12 }, (_, at) =>
      at % 2 === 0 ? agent(at + 4, `m${at}`, `Answer ${at} \u00e4\u{1F600}`) : user(at + 4, `Result ${at}`),
    ).join('');
    const bytes = Buffer.from(rest);
    for (const size of [1, 37, 500]) {
      const { file, run } = await started(begin);
      const trace = await follow(run);
      // Pieces end inside lines and inside characters.
      for (let at = 0; at < bytes.length; at += size * 7) {
        appendFileSync(file, bytes.subarray(at, at + size * 7));
        expect(await trace.grow()).toBe('grew');
      }
      const whole = await openTrace(run);
      expect(trace.stepCount).toBe(whole.stepCount);
      for (let n = 1; n <= whole.stepCount; n++) expect(await trace.step(n)).toEqual(await whole.step(n));
      await whole.close();
    }
  });

  it('waits for the end of a turn that is spread over records, and of a torn line', async () => {
    const { file, run } = await started(begin);
    const trace = await follow(run);
    const line = agent(4, 'b', 'Second.');
    appendFileSync(file, line.slice(0, 40));
    expect(await trace.grow()).toBe('grew');
    expect(trace.stepCount).toBe(3);
    appendFileSync(file, line.slice(40) + agent(5, 'b', 'And on.'));
    await trace.grow();
    expect(trace.stepCount).toBe(3);
    appendFileSync(file, user(6, 'Thanks.'));
    await trace.grow();
    expect(trace.stepCount).toBe(5);
    expect((await trace.step(4)).text).toContain('And on.');
  });

  it('says when the file is another one now', async () => {
    const { file, run } = await started(begin);
    const shorter = await follow(run);
    truncateSync(file, 30);
    expect(await shorter.grow()).toBe('rewritten');
    writeFileSync(file, begin);
    const replaced = await follow(run);
    writeFileSync(`${file}.new`, begin + user(4, 'x'));
    renameSync(`${file}.new`, file);
    expect(await replaced.grow()).toBe('rewritten');
    const changed = await follow(run);
    writeFileSync(file, `${begin.replace('Go on.', 'Go in.')}${user(4, 'x')}${user(5, 'y')}`);
    expect(await changed.grow()).toBe('rewritten');
    rmSync(file);
    expect(await changed.grow()).toBe('rewritten');
  });

  it('is refused for a document, which is written anew each time', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'harnessmith-follow-trace-'));
    folders.push(folder);
    const file = join(folder, 'chat.json');
    writeFileSync(
      file,
      JSON.stringify([
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ]),
    );
    const { runs } = await importTraces([file]);
    await expect(followTrace(runs[0]!)).rejects.toMatchObject({ code: 'trace-not-followed' });
  });

  it('can be closed at any time', async () => {
    const { file, run } = await started(begin);
    const trace = await followTrace(run);
    appendFileSync(file, agent(4, 'b', 'Second.'));
    await Promise.all([trace.grow(), trace.close()]);
  });
});
