import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importTraces } from '../../../src/core/traces';
import { surveyOf } from '../../../src/host/traces/survey';
import { RunReaders } from '../../../src/host/work/runReaders';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'harnessmith-live-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const line = (n: number, role: string, text: string) =>
  `${JSON.stringify({ uuid: `u${n}`, parentUuid: `u${n - 1}`, sessionId: 's', type: role, message: { id: `m${n}`, role, content: [{ type: 'text', text }] } })}\n`;

async function opened(padding: number) {
  const file = join(folder, 'session.jsonl');
  writeFileSync(file, line(1, 'user', 'x') + line(2, 'assistant', 'a'.repeat(padding)) + line(3, 'user', 'b'));
  const run = (await importTraces([file])).runs[0]!;
  const readers = new RunReaders();
  const reader = await readers.open(run, {});
  return { file, run, readers, reader };
}

describe('an open run whose file grows', () => {
  it('is read again when it is small, with its last record', async () => {
    const { file, run, readers } = await opened(10);
    expect(await readers.grow(run, {})).toBe('same');
    appendFileSync(file, line(4, 'assistant', 'c'));
    expect(await readers.grow(run, {})).toBe('grew');
    expect((await readers.get(run.id)).stepCount).toBe(4);
    expect(await readers.grow(run, {})).toBe('same');
    expect(await readers.settle(run, {})).toBe('same');
    await readers.close(run.id);
  });

  it('is read on where it grew when it is large, and to its very end once it is quiet', async () => {
    const { file, run, readers, reader } = await opened(9 * 1024 * 1024);
    expect(await surveyOf(reader)).toHaveLength(3);
    appendFileSync(file, line(4, 'assistant', 'c') + line(5, 'user', 'd'));
    expect(await readers.grow(run, {})).toBe('grew');
    const followed = await readers.get(run.id);
    expect(followed.stepCount).toBe(5);
    expect(await surveyOf(followed)).toHaveLength(5);
    appendFileSync(file, line(6, 'assistant', 'last'));
    expect(await readers.grow(run, {})).toBe('grew');
    expect(await readers.get(run.id)).toBe(followed);
    expect(followed.stepCount).toBe(5);
    expect(await readers.settle(run, {})).toBe('grew');
    expect((await readers.get(run.id)).stepCount).toBe(6);
    await readers.close(run.id);
  });

  it('is nobody\u2019s business when it is not open, and keeps what was read when the file goes', async () => {
    const { file, run, readers } = await opened(10);
    rmSync(file);
    await expect(readers.grow(run, {})).rejects.toThrow(/Cannot read|ENOENT/);
    expect((await readers.get(run.id)).stepCount).toBe(3);
    await readers.close(run.id);
    expect(await readers.grow(run, {})).toBe('same');
  });
});

it('a run that was closed for others is opened again when it is asked for', async () => {
  const { run, readers } = await opened(10);
  for (let at = 0; at < 9; at++) {
    const file = join(folder, `other${at}.jsonl`);
    writeFileSync(file, line(1, 'user', 'x') + line(2, 'assistant', 'a'));
    await readers.open((await importTraces([file])).runs[0]!, {});
  }
  expect((await readers.get(run.id)).stepCount).toBe(3);
  await readers.close(run.id);
  expect(() => readers.get(run.id)).toThrow(/not open/);
});
