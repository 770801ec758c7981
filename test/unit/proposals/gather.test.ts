import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Finding, FlawRecord } from '../../../src/core/diagnosis';
import { indexHarness } from '../../../src/core/graph';
import { buildHandbook } from '../../../src/core/handbook';
import { openHarness } from '../../../src/core/harness';
import { decideHunks, gatherProposal } from '../../../src/core/proposals';
import { importTraces } from '../../../src/core/traces';
import { decision, replace } from './sampleProposal';
import { storeProposal, temporaryFolder } from './temporaryHarness';

const source = `import { readFileSync } from 'node:fs';

export const retryLimit = 3;

/** Says what was wrong with a reply. */
export function formatError(reason: string): string {
  return readFileSync('prompts/format_error.md', 'utf8').replace('{{reason}}', reason);
}
`;

function trace(task: string) {
  const step = (n: number, feedback: string) => ({
    step_id: n,
    source: 'agent',
    message: `try ${n} of ${task}`,
    observation: { results: [{ content: feedback }] },
  });
  const steps = [1, 2, 3, 4].map((n) => step(n, 'Wrong. Reply again.'));
  return JSON.stringify({ schema_version: 'ATIF-v1.6', session_id: task, agent: { name: 'a', version: '1' }, steps });
}

async function sources() {
  const root = await temporaryFolder({
    'src/errors.ts': source,
    'prompts/format_error.md': 'Wrong. Reply again.\n',
    'traces/a/trajectory.json': trace('a'),
    'traces/b/trajectory.json': trace('b'),
  });
  const harness = await openHarness(root);
  const { graph } = await indexHarness(harness);
  const { runs } = await importTraces([join(root, 'traces')]);
  return { harness, graph, map: await buildHandbook(graph, harness), runs };
}

function finding(run: { id: string }, over: Partial<Finding> = {}): Finding {
  return {
    id: `n-${run.id}`,
    detector: 'format-violation',
    why: 'format_violation',
    run: run.id,
    task: run.id,
    steps: [1, 2, 3],
    unit: null,
    site: { file: 'src/errors.ts', symbol: 'formatError', start: 6, end: 8 },
    explanation: 'x',
    confidence: 0.9,
    runFailed: true,
    ...over,
  };
}

function flawOf(findings: readonly Finding[]): FlawRecord {
  return {
    id: 'f-00000001',
    where: null,
    whereTitle: 'prompts/format_error.md',
    why: 'format_violation',
    title: 'Replies that cannot be read',
    findings: findings.map((one) => one.id),
    failingRuns: 2,
    passingRuns: 0,
    runsLookedAt: 2,
    tasks: [],
    site: { file: 'prompts/format_error.md', symbol: '', start: 1, end: 1 },
    state: 'suspected',
  };
}

describe('gatherProposal', () => {
  it('takes a few steps of different runs for a flaw, and the places its findings name', async () => {
    const given = await sources();
    expect(given.runs).toHaveLength(2);
    const findings = given.runs.map((run) => finding(run));
    const stranger = finding({ id: 'another flaw' });
    const input = await gatherProposal(given, { flaw: flawOf(findings), findings: [...findings, stranger] });
    expect(input.flaw!.id).toBe('f-00000001');
    expect(input.steps!.map(({ run, step }) => [run, step])).toEqual(
      findings.flatMap(({ run }) => [
        [run, 1],
        [run, 2],
      ]),
    );
    expect(input.steps![0]!.text).toMatch(/^try 1 of [ab]\nresult: Wrong\. Reply again\.$/);
    expect(input.sites).toEqual([{ file: 'src/errors.ts', symbol: 'formatError', start: 6, end: 8 }]);
    expect(await input.syntaxErrors!('a.ts', 'const = ;')).not.toEqual([]);
  });

  it('takes units, sites and premises of a request from locate', async () => {
    const given = await sources();
    const input = await gatherProposal(given, {
      request: 'say the reason in formatError, and raise retryLimit from 8 to 10',
    });
    expect(input.sites!.map((site) => site.file)).toContain('src/errors.ts');
    expect(input.unitIds!.length).toBeGreaterThan(0);
    expect(input.premises!.some((one) => one.mention.includes('formatError') && one.found)).toBe(true);
  });

  it('gives what people rejected, with their reasons', async () => {
    const given = await sources();
    const { root } = given.harness;
    const stored = await storeProposal(root, [decision('d1', replace('prompts/format_error.md', 'Wrong.', 'Bad.'))]);
    await decideHunks(root, stored.proposal.id, [1], 'rejected', 'ann', 'says nothing new');
    const input = await gatherProposal(given, { request: 'say the reason in formatError' });
    expect(input.rejected).toEqual([{ title: 'Say what was wrong', reason: 'says nothing new' }]);
  });

  it('says so when nothing in the harness fits the request', async () => {
    const gathering = gatherProposal(await sources(), { request: 'xyzzy plugh' });
    await expect(gathering).rejects.toMatchObject({ code: 'request-unplaced', exitCode: 2 });
  });
});
