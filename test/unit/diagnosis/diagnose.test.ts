import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consolidate, diagnoseRun, Finding, FlawRecord } from '../../../src/core/diagnosis';
import { fakeReader, fakeRun, idle, link, map } from './fakeTrace';

const malformed = () => idle('x', 'Your reply could not be parsed.');

async function diagnose(runId: string, verdict: 'pass' | 'fail' | 'missing', links = [link(1, 'u-format')]) {
  const outcome = { verdict, reward: null, exception: null, source: null };
  const run = fakeRun({ id: runId, task: `task of ${runId}`, outcome });
  return { run, findings: await diagnoseRun({ run, reader: fakeReader(run, [malformed()]), links, map }) };
}

describe('diagnoseRun', () => {
  it('takes unit and site from the links of the evidence steps, of the kind that is expected', async () => {
    const links = [
      link(1, 'u-shell', { confidence: 0.99 }),
      link(1, 'u-parser', { confidence: 0.9 }),
      link(1, 'u-format', { confidence: 0.4, file: 'prompts/error.md', symbol: '', start: 1, end: 2 }),
    ];
    const { findings } = await diagnose('r', 'fail', links);
    expect(findings).toMatchObject([
      { unit: 'u-format', site: { file: 'prompts/error.md', symbol: '', start: 1, end: 2 } },
    ]);
  });

  it('does not let a place win by several weak links of one step', async () => {
    const links = [
      link(1, 'u-format', { confidence: 0.8 }),
      link(1, 'u-format-2', { confidence: 0.7 }),
      link(1, 'u-format-2', { confidence: 0.3 }),
    ];
    const outcome = { verdict: 'fail' as const, reward: null, exception: null, source: null };
    const run = fakeRun({ outcome });
    const units = [...map.units, { id: 'u-format-2', kind: 'format_error', title: 'Other' }];
    const [finding] = await diagnoseRun({ run, reader: fakeReader(run, [malformed()]), links, map: { units } });
    expect(finding!.unit).toBe('u-format');
  });

  it('takes the place with the most weight when no kind is expected, and none without links', async () => {
    const links = [link(1, null, { confidence: 0.3, file: 'a.ts' }), link(1, null, { confidence: 0.6, file: 'b.ts' })];
    expect((await diagnose('r', 'fail', links)).findings[0]).toMatchObject({ unit: null, site: { file: 'b.ts' } });
    expect((await diagnose('r', 'fail', [link(9, 'u-format')])).findings[0]).toMatchObject({ unit: null, site: null });
  });

  it('names the only code that can have done it when the text shows no trace of it, and says so', async () => {
    const result = `Output of read (200 lines):\n${'a line of the log\n'.repeat(60)}`;
    const id = 'c1';
    const step = { calls: [{ id, name: 'read', args: {} }], results: [{ callId: id, text: result, isError: false }] };
    const cut = {
      id: 'u-cut',
      kind: 'truncation',
      title: 'Truncation',
      sites: [{ file: 'src/cut.ts', symbol: 'cut', start: 2, end: 5 }],
    };
    const prompt = { ...cut, id: 'u-prompt', sites: [{ file: 'cut.md', symbol: '', start: 1, end: 1 }] };
    const run = fakeRun();
    const find = async (units: (typeof cut)[], links = [link(1, 'u-shell')]) =>
      (
        await diagnoseRun({
          run,
          reader: fakeReader(run, [step]),
          links,
          map: { units: [...map.units.slice(0, 3), ...units] },
        })
      )[0]!;
    expect(await find([cut, prompt])).toMatchObject({
      unit: 'u-cut',
      site: { file: 'src/cut.ts', symbol: 'cut' },
      explanation: expect.stringMatching(/Truncation is the only code of the harness that does this\.$/),
    });
    const caller = { ...cut, id: 'u-caller', calls: ['u-cut'] };
    expect(await find([caller, cut])).toMatchObject({ unit: 'u-cut' });
    const other = { ...cut, id: 'u-other' };
    expect(await find([cut, other])).toMatchObject({ unit: 'u-shell' });
    const linked = await find([cut, other], [link(1, 'u-shell'), link(1, 'u-other')]);
    expect(linked).toMatchObject({ unit: 'u-other', explanation: expect.not.stringMatching(/only code/) });
  });

  it('leaves copied context out, and stops when it is cancelled', async () => {
    const run = fakeRun();
    const reader = fakeReader(run, [{ ...malformed(), copied: true }]);
    expect(await diagnoseRun({ run, reader, links: [], map })).toEqual([]);
    const work = { signal: AbortSignal.abort() };
    await expect(diagnoseRun({ run, reader, links: [], map }, work)).rejects.toMatchObject({ code: 'cancelled' });
  });

  it('gives valid findings with steps of the run, whatever the trace holds', async () => {
    const text = fc.oneof(
      fc.string(),
      fc.constantFrom('could not be parsed', 'exit code 1', '[... truncated]', 'submit'),
    );
    const result = fc.record({ callId: fc.constantFrom('c', null), text, isError: fc.boolean() });
    const step = fc.record({
      kind: fc.constantFrom('system', 'user', 'agent', 'tool', 'event'),
      event: fc.option(fc.constantFrom('limit', 'compaction', 'exception', 'format_error', 'other'), {
        nil: undefined,
      }),
      text,
      calls: fc.array(fc.record({ id: fc.constant('c'), name: text, args: fc.jsonValue() }), { maxLength: 2 }),
      results: fc.array(result, { maxLength: 2 }),
      copied: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.constantFrom('pass', 'fail'), async (steps, verdict) => {
        const outcome = { verdict, reward: null, exception: 'TimeoutError', source: null };
        const run = fakeRun({ outcome });
        const findings = await diagnoseRun({ run, reader: fakeReader(run, steps), links: [], map });
        for (const finding of findings) {
          Finding.parse(finding);
          for (const n of finding.steps) expect(n >= 1 && n <= steps.length).toBe(true);
        }
        expect(new Set(findings.map((finding) => finding.id)).size).toBe(findings.length);
      }),
    );
  });
});

describe('consolidate', () => {
  it('counts runs where x why, with denominators', async () => {
    const all = await Promise.all([
      diagnose('r1', 'fail'),
      diagnose('r2', 'fail'),
      diagnose('r3', 'pass'),
      diagnose('r4', 'missing'),
      diagnose('r5', 'fail', []),
    ]);
    const quiet = [fakeRun({ id: 'r6', outcome: { verdict: 'pass', reward: 1, exception: null, source: null } })];
    const runs = [...all.map(({ run }) => run), ...quiet];
    const findings = all.flatMap((one) => one.findings);
    const records = consolidate(findings, runs, map);
    expect(records).toHaveLength(2);
    for (const record of records) FlawRecord.parse(record);
    const record = records.find((one) => one.where !== null)!;
    const other = records.find((one) => one.where === null)!;
    expect(record).toMatchObject({
      where: 'u-format',
      whereTitle: 'Format error feedback',
      title: 'Replies that cannot be read: Format error feedback',
      why: 'format_violation',
      failingRuns: 2,
      passingRuns: 1,
      runsLookedAt: 6,
      failingRunsLookedAt: 3,
      passingRunsLookedAt: 2,
      tasks: ['task of r1', 'task of r2', 'task of r3', 'task of r4'],
      state: 'suspected',
    });
    expect(record.findings).toHaveLength(4);
    expect(other).toMatchObject({
      where: null,
      site: null,
      failingRuns: 1,
      whereTitle: 'no place in the harness known',
    });
  });

  it('gives ids that depend on where and why alone', async () => {
    const one = await diagnose('r1', 'fail');
    const other = await diagnose('r2', 'pass');
    const [a] = consolidate(one.findings, [one.run], map);
    const [b] = consolidate(other.findings, [other.run, one.run], map);
    expect(a!.id).toMatch(/^f-[0-9a-f]{8}$/);
    expect(b!.id).toBe(a!.id);
    expect(consolidate([], [one.run], map)).toEqual([]);
  });

  it('puts what failing runs have and passing runs have not first', async () => {
    const failing = await diagnose('r1', 'fail', []);
    const passing = await diagnose('r2', 'pass');
    const records = consolidate([...passing.findings, ...failing.findings], [failing.run, passing.run], map);
    expect(records.map((record) => record.where)).toEqual([null, 'u-format']);
  });

  it('names the site where no unit is known', async () => {
    const { findings, run } = await diagnose('r', 'fail', [link(1, null, { file: 'src/a.ts', symbol: 'parse' })]);
    expect(consolidate(findings, [run], map)).toMatchObject([{ where: null, whereTitle: 'parse in src/a.ts' }]);
  });
});
