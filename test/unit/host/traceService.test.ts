import { describe, expect, it } from 'vitest';
import { HarnessService } from '../../../src/host/harness/harnessService';
import { TraceService } from '../../../src/host/traces/traceService';
import type { Diagnosis } from '../../../src/host/work/methods';
import { FakeLog, FakeWork, mapOf, runOf } from './fakes';

const nothing: Diagnosis = { touches: [], findings: [], flaws: [], skipped: [] };
const touching = (file: string): Diagnosis => ({
  ...nothing,
  touches: [{ file, symbol: 'run', start: 1, end: 2, steps: [], failingRuns: 0, passingRuns: 0 }],
});

/** A service whose diagnoses are answered by hand, in any order. */
function serviceWith() {
  const asked: { answer(diagnosis: Diagnosis): void; signal: AbortSignal | undefined }[] = [];
  const work = new FakeWork({
    openHarness: ({ root }) => ({ root, name: 'a', configFile: null, suites: [], model: null, applyTo: 'branch' }),
    buildHandbook: () => ({ map: mapOf(), fingerprint: 'f-1', seconds: 1, parsed: 1, files: 1 }),
    loadCatalog: () => ({ runs: [runOf()], unknown: [] }),
    diagnose: (_params, options) => new Promise((resolve) => asked.push({ answer: resolve, signal: options?.signal })),
  });
  const log = new FakeLog();
  const host = {
    folders: async () => [{ root: '/a', name: 'a', configured: true }],
    remembered: () => undefined,
    remember: () => {},
    withProgress: <T>(_title: string, task: (report: () => void, signal: AbortSignal) => Promise<T>) =>
      task(() => {}, new AbortController().signal),
  };
  const harness = new HarnessService(work, host, log);
  return { traces: new TraceService(work, harness, log), harness, asked, log };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the diagnosis of all traces', () => {
  it('shows the answer to the newest question, whichever comes first', async () => {
    const { traces, harness, asked } = serviceWith();
    const first = traces.ensure();
    await settled();
    await harness.refresh();
    expect(asked).toHaveLength(2);
    expect(asked[0]?.signal?.aborted).toBe(true);
    expect(asked[1]?.signal?.aborted).toBe(false);
    asked[1]?.answer(touching('src/new.ts'));
    asked[0]?.answer(touching('src/old.ts'));
    await first;
    expect(traces.diagnosis.touches.map((touch) => touch.file)).toEqual(['src/new.ts']);
  });

  it('is there when those who asked before a change go on', async () => {
    const { traces, harness, asked } = serviceWith();
    let ready = false;
    const first = traces.ensure().then(() => (ready = true));
    await settled();
    await harness.refresh();
    asked[0]?.answer(nothing);
    await settled();
    expect(ready).toBe(false);
    asked[1]?.answer(nothing);
    await first;
    expect(ready).toBe(true);
  });
});
