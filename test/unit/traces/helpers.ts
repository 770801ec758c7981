import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { importTraces, openTrace, type Step, type TraceRun } from '../../../src/core/traces';
import { rowOf } from './rows';

export const fixtures = fileURLToPath(new URL('../../fixtures/traces/', import.meta.url));

/** A folder that is removed after the tests of the file. */
export function temporaryFolders(): (name?: string) => Promise<string> {
  const made: string[] = [];
  afterAll(async () => {
    for (const folder of made) await rm(folder, { recursive: true, force: true });
  });
  return async (name = 'traces') => {
    const folder = await mkdtemp(join(tmpdir(), `harnessmith-${name}-`));
    made.push(folder);
    return folder;
  };
}

/** Writes files below a folder; values that are no text or bytes are written as JSON. */
export async function writeFiles(folder: string, files: Record<string, unknown>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    const file = join(folder, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(
      file,
      typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
    );
  }
}

/** Imports one file that must be a trace. */
export async function importOne(file: string): Promise<TraceRun> {
  const { runs, unknown } = await importTraces([file]);
  const run = runs[0];
  if (run === undefined) throw new Error(`not imported: ${unknown[0]?.reason}`);
  return run;
}

/** All steps of a run. */
export async function stepsOf(run: TraceRun): Promise<Step[]> {
  const reader = await openTrace(run);
  const steps: Step[] = [];
  for (let n = 1; n <= reader.stepCount; n += 1) steps.push(await reader.step(n));
  await reader.close();
  return steps;
}

/** Writes a trace into a folder of its own, imports it, and gives its run and the rows of its steps. */
export function traceRows(folder: () => Promise<string>) {
  return async (name: string, content: unknown): Promise<{ run: TraceRun; rows: string[] }> => {
    const place = await folder();
    await writeFiles(place, { [name]: content });
    const run = await importOne(join(place, name));
    return { run, rows: (await stepsOf(run)).map(rowOf) };
  };
}

/** A small ATIF document with one tool call that is answered, and one closing message. */
export function atifDocument(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    schema_version: 'ATIF-v1.6',
    session_id: 'session-1',
    agent: { name: 'tinker', version: '1.0', model_name: 'small-model' },
    steps: [
      { step_id: 1, source: 'system', message: 'You fix things.' },
      { step_id: 2, source: 'user', message: 'Fix it.', timestamp: '2026-01-02T03:04:05Z' },
      {
        step_id: 3,
        source: 'agent',
        timestamp: '2026-01-02T03:04:06Z',
        message: 'Looking.',
        tool_calls: [{ tool_call_id: 'c1', function_name: 'shell', arguments: { command: 'ls' } }],
        observation: { results: [{ source_call_id: 'c1', content: 'a.txt' }] },
        metrics: { prompt_tokens: 10, completion_tokens: 2, cached_tokens: 4, cost_usd: 0.5 },
      },
      { step_id: 4, source: 'agent', message: 'Done.', timestamp: '2026-01-02T03:04:09Z' },
    ],
    ...change,
  };
}

export function jsonLines(...records: unknown[]): string {
  return records.map((record) => `${JSON.stringify(record)}\n`).join('');
}

/** One line of a Claude Code session. */
export function claudeLine(
  number: number,
  type: 'user' | 'assistant',
  content: unknown,
  more: object = {},
): Record<string, unknown> {
  const message =
    type === 'user'
      ? { role: 'user', content }
      : {
          role: 'assistant',
          id: `msg_${number}`,
          model: 'claude-x',
          content,
          usage: { input_tokens: 3, output_tokens: number },
        };
  return {
    type,
    uuid: `u${number}`,
    parentUuid: number === 1 ? null : `u${number - 1}`,
    sessionId: 's-1',
    isSidechain: false,
    version: '2.1',
    timestamp: new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString(),
    message,
    ...more,
  };
}
