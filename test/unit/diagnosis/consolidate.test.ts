import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { consolidate, type Finding, FlawRecord, WhyLabel } from '../../../src/core/diagnosis';
import { fakeRun, map } from './fakeTrace';

const verdicts = ['pass', 'fail', 'missing', 'unknown'] as const;
const units = [...map.units.map((unit) => unit.id), null];

interface Sample {
  findings: Finding[];
  runs: ReturnType<typeof fakeRun>[];
}

const samples: fc.Arbitrary<Sample> = fc
  .record({
    verdicts: fc.array(fc.constantFrom(...verdicts), { minLength: 1, maxLength: 6 }),
    findings: fc.array(
      fc.record({
        run: fc.nat(5),
        why: fc.constantFrom(...WhyLabel.options.slice(0, 4)),
        unit: fc.constantFrom(...units),
      }),
      { maxLength: 20 },
    ),
  })
  .map((sample) => {
    const runs = sample.verdicts.map((verdict, index) =>
      fakeRun({
        id: `r${index}`,
        task: `t${index % 2}`,
        outcome: { verdict, reward: null, exception: null, source: null },
      }),
    );
    const findings = sample.findings
      .filter(({ run }) => run < runs.length)
      .map(({ run, why, unit }, index) => ({
        id: `n${index}`,
        detector: why,
        why,
        run: `r${run}`,
        task: runs[run]!.task,
        steps: [1],
        unit,
        site: unit === null ? null : { file: `${unit}.ts`, symbol: unit, start: 1, end: 2 },
        explanation: '',
        confidence: 0.5,
        runFailed: runs[run]!.outcome.verdict === 'fail',
      }));
    return { runs, findings };
  });

describe('flaw records of random findings', () => {
  it('hold every finding once, under its where and why', () => {
    fc.assert(
      fc.property(samples, ({ findings, runs }) => {
        const records = consolidate(findings, runs, map);
        expect(records.flatMap((record) => record.findings).sort()).toEqual(findings.map((one) => one.id).sort());
        expect(new Set(records.map((record) => record.id)).size).toBe(records.length);
        for (const record of records) {
          FlawRecord.parse(record);
          for (const finding of findings.filter((one) => record.findings.includes(one.id))) {
            expect([finding.why, finding.unit]).toEqual([record.why, record.where]);
          }
        }
      }),
    );
  });

  it('count runs, not findings, and never more than there are', () => {
    fc.assert(
      fc.property(samples, ({ findings, runs }) => {
        for (const record of consolidate(findings, runs, map)) {
          const own = new Set(findings.filter((one) => record.findings.includes(one.id)).map((one) => one.run));
          const failing = runs.filter((run) => own.has(run.id) && run.outcome.verdict === 'fail').length;
          expect(record.failingRuns).toBe(failing);
          expect(record.failingRuns).toBeLessThanOrEqual(record.failingRunsLookedAt!);
          expect(record.passingRuns).toBeLessThanOrEqual(record.passingRunsLookedAt!);
          expect(record.failingRuns + record.passingRuns).toBeLessThanOrEqual(own.size);
          expect(record.runsLookedAt).toBe(runs.length);
        }
      }),
    );
  });

  it('come in the same order whatever the order of the findings', () => {
    fc.assert(
      fc.property(samples, ({ findings, runs }) => {
        const ids = consolidate(findings, runs, map).map((record) => record.id);
        expect(consolidate([...findings].reverse(), [...runs].reverse(), map).map((record) => record.id)).toEqual(ids);
      }),
    );
  });

  it('have a title for every label', () => {
    for (const why of WhyLabel.options) {
      const [record] = consolidate([{ ...finding, why }], [fakeRun({ id: 'r' })], map);
      expect(record!.title).toMatch(/^[A-Z][a-z ]+.*: Shell tool$/);
    }
  });
});

const finding: Finding = {
  id: 'n',
  detector: 'd',
  why: 'format_violation',
  run: 'r',
  task: null,
  steps: [1],
  unit: 'u-shell',
  site: null,
  explanation: '',
  confidence: 1,
  runFailed: true,
};

describe('the place of a flaw record', () => {
  it('is the site most of its findings name', () => {
    const at = (id: string, start: number) => ({
      ...finding,
      id,
      site: { file: 'a.ts', symbol: 'f', start, end: start },
    });
    const records = consolidate([at('1', 1), at('2', 9), at('3', 9)], [fakeRun({ id: 'r' })], map);
    expect(records).toMatchObject([{ site: { file: 'a.ts', start: 9 } }]);
  });

  it('is named by the unit, also one that the map does not have any more', () => {
    const [record] = consolidate([{ ...finding, unit: 'u-gone' }], [fakeRun({ id: 'r' })], map);
    expect(record).toMatchObject({ where: 'u-gone', whereTitle: 'u-gone' });
  });

  it('counts no run that is not among those looked at', () => {
    const [record] = consolidate([{ ...finding, run: 'elsewhere' }], [fakeRun({ id: 'r' })], map);
    expect(record).toMatchObject({ failingRuns: 0, passingRuns: 0, runsLookedAt: 1 });
  });
});
