import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { diagnoseRuns } from '../../../src/core/diagnosis';
import { CancelledError, InputError } from '../../../src/core/errors';
import { importTraces, type TraceRun } from '../../../src/core/traces';
import { link, map } from './fakeTrace';

const traces = join(import.meta.dirname, '../../../examples/tinker/traces');
let folder: string;
let runs: TraceRun[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'runs-'));
  await cp(traces, folder, { recursive: true });
  runs = (await importTraces([folder])).runs.slice(0, 6);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const linksOf = async () => [link(1, 'u-format')];

describe('diagnoseRuns', () => {
  it('gives findings and links of every run', async () => {
    const all = await diagnoseRuns({ runs, map, linksOf });
    expect(all.skipped).toEqual([]);
    expect([...all.links.keys()]).toEqual(runs.map((run) => run.id));
    expect(all.findings.length).toBeGreaterThan(0);
  });

  it('leaves out a run that is gone, names it with the reason, and counts the others only', async () => {
    const whole = await diagnoseRuns({ runs: runs.slice(1), map, linksOf });
    await rm(runs[0]!.file);
    const rest = await diagnoseRuns({ runs, map, linksOf });
    expect(rest.skipped).toEqual([{ run: runs[0]!.id, reason: expect.stringMatching(/\w/) }]);
    expect(rest).toEqual({ ...whole, skipped: rest.skipped });
  });

  it('leaves out a run whose file became something else', async () => {
    await writeFile(runs[2]!.file, 'a note\n');
    const { skipped, links } = await diagnoseRuns({ runs, map, linksOf });
    expect(skipped.map(({ run }) => run)).toEqual([runs[2]!.id]);
    expect(links.has(runs[2]!.id)).toBe(false);
  });

  it('leaves out a run that turns out unreadable while it is read', async () => {
    const unreadable = new InputError('step 3 is damaged', { code: 'trace-unreadable', nextStep: 'Import it again.' });
    const { skipped, flaws } = await diagnoseRuns({ runs, map, linksOf: () => Promise.reject(unreadable) });
    expect(skipped).toEqual(runs.map(({ id }) => ({ run: id, reason: 'step 3 is damaged' })));
    expect(flaws).toEqual([]);
  });

  it('throws what is no matter of a trace', async () => {
    const broken = { runs, map, linksOf: () => Promise.reject(new TypeError('a mistake of ours')) };
    await expect(diagnoseRuns(broken)).rejects.toThrow(TypeError);
  });

  it('stops when it is cancelled', async () => {
    const controller = new AbortController();
    let count = 0;
    const stopping = async () => {
      count++;
      controller.abort();
      return [];
    };
    const work = { signal: controller.signal };
    await expect(diagnoseRuns({ runs, map, linksOf: stopping }, work)).rejects.toThrow(CancelledError);
    expect(count).toBe(1);
  });
});
