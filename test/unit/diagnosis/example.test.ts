import { cp, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { consolidate, diagnoseRun, type Finding } from '../../../src/core/diagnosis';
import { indexHarness } from '../../../src/core/graph';
import { buildHandbook } from '../../../src/core/handbook';
import { openHarness } from '../../../src/core/harness';
import { buildLinkIndex, linkRun } from '../../../src/core/links';
import { importTraces, openTrace } from '../../../src/core/traces';

it('finds the flaws of the example in its recorded runs, each at the file that has it', async () => {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'harnessmith-test-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  // A copy, because the index is kept in the harness.
  await cp(resolve('examples/tinker'), root, { recursive: true });
  const harness = await openHarness(root);
  const { graph } = await indexHarness(harness);
  const map = await buildHandbook(graph, harness);
  const index = buildLinkIndex(graph, map);
  const { runs } = await importTraces([join(root, 'traces')]);
  const findings: Finding[] = [];
  for (const run of runs) {
    const reader = await openTrace(run);
    findings.push(...(await diagnoseRun({ run, reader, links: await linkRun(index, reader), map })));
    await reader.close();
  }
  const flaws = consolidate(findings, runs, map);
  const placeOf = (why: Finding['why']) => flaws.find((flaw) => flaw.why === why)?.site?.file;
  expect(placeOf('format_violation')).toBe('prompts/format_error.md');
  expect(placeOf('observation_truncated')).toBe('src/truncation.ts');
  expect(placeOf('lost_in_compaction')).toMatch(/compaction/);
  expect(placeOf('missing_verification')).toMatch(/completion|submit/);
  for (const flaw of flaws) expect(flaw.failingRuns + flaw.passingRuns).toBeLessThanOrEqual(flaw.runsLookedAt);
});
