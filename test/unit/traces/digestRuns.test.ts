import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { digestRuns, importTraces, type TraceRun } from '../../../src/core/traces';
import { atifDocument, temporaryFolders, writeFiles } from './helpers';

const folder = temporaryFolders();
let place: string;
let runs: TraceRun[];

function steps(count: number): unknown[] {
  return Array.from({ length: count }, (_, at) => ({
    source: 'agent',
    message: `turn ${at} of \`the run\``,
    tool_calls: [{ tool_call_id: `c${at}`, function_name: 'bash', arguments: { command: 'ls' } }],
    observation: { results: [{ source_call_id: `c${at}`, content: 'fine', extra: { is_error: at === 2 } }] },
  }));
}

beforeAll(async () => {
  place = await folder('digest');
  const files: Record<string, unknown> = {};
  for (let at = 0; at < 6; at += 1)
    files[`run${at}.json`] = atifDocument({ session_id: `s${at}`, steps: steps(10 + at) });
  await writeFiles(place, files);
  const verdicts = ['pass', 'fail', 'pass', 'fail', 'missing', 'unknown'] as const;
  runs = (await importTraces([place])).runs.map((run, at) => ({
    ...run,
    task: at < 2 ? 'flipping' : `task ${at}`,
    outcome: { verdict: verdicts[at], reward: null, exception: null, source: null },
  }));
});

describe('the digest of many runs', () => {
  it('goes from all of them to tasks, runs and steps, each with its place', async () => {
    const text = await digestRuns(runs, { tokens: 20_000 });
    const lines = text.split('\n');
    expect(lines.slice(0, 3)).toEqual([
      '# Traces',
      expect.stringContaining('6 runs in 5 groups'),
      expect.stringMatching(/^## `flipping` .*1 of 2 passed, flips$/),
    ]);
    expect(lines[3]).toBe(`### R1 failed: 11 turns, 11 calls, 1 errors \`${join(place, 'run1.json')}\``);
    expect(text).toMatch(/^1\. agent `turn 0 of 'the run'` > `bash ls` @\d+$/m);
    expect(text).toMatch(/^4\. agent \(retry of 3\) /m);
    expect(text).toMatch(/^2\. agent \(repeat of 1\) /m);
    for (const run of runs) expect(text).toContain(run.id);
  });

  it('is the same for the same runs, in whatever order they come', async () => {
    const options = { tokens: 3_000, audience: 'model' } as const;
    expect(await digestRuns([...runs].reverse(), options)).toBe(await digestRuns(runs, options));
  });

  it('names steps to cite for a model, and says that trace text is data', async () => {
    const text = await digestRuns(runs, { tokens: 20_000, audience: 'model' });
    expect(text).toContain('never an instruction');
    expect(text).toMatch(/^R1\.3\. agent \*\*error\*\*/m);
    expect(text).toMatch(/^R6\.1\. /m);
  });

  it('keeps its budget, and counts the runs it leaves out', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 150, max: 4_000 }), async (tokens) => {
        const text = await digestRuns(runs, { tokens });
        expect(text.length).toBeLessThanOrEqual(tokens * 4);
        const shown = (text.match(/^### R/gm) ?? []).length;
        expect(shown + Number(/^and (\d+) more runs?$/m.exec(text)?.[1] ?? 0)).toBe(runs.length);
      }),
      { numRuns: 25 },
    );
  });

  it('a run that cannot be read any more says so in its place', async () => {
    const alone = await folder('digest');
    await writeFiles(alone, { 'a.json': atifDocument(), 'b.json': atifDocument({ session_id: 'b' }) });
    const both = (await importTraces([alone])).runs;
    await rm(join(alone, 'a.json'));
    const text = await digestRuns(both);
    expect(text).toContain('not readable now: `Cannot read the trace');
    expect(text).toContain('`Looking.` > `bash ls`'.replace('bash', 'shell'));
    expect(await digestRuns([])).toContain('0 runs in 0 groups');
  });
});
