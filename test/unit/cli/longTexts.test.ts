import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HunkWithState, proposalText } from '../../../src/cli/proposalTexts';
import { planText, verdictText } from '../../../src/cli/runTexts';
import { money } from '../../../src/cli/words';
import type { Hunk, Proposal } from '../../../src/core/proposals';
import { groupRuns, type Outcome, type TraceRun } from '../../../src/core/traces';
import { defaultRule, type TaskComparison, type Verdict } from '../../../src/core/validation';
import { manifestOf } from '../validation/trials';

const compared = (task: string, group: TaskComparison['group'], missing = 0): TaskComparison => ({
  task,
  group,
  baseline: { passed: 1, of: 2, missing: 0 },
  candidate: { passed: 2, of: 2, missing },
});

function verdictOf(over: Partial<Verdict> = {}): Verdict {
  return {
    schemaVersion: 1,
    run: 'r-1',
    verdict: 'undecided',
    rule: defaultRule(2),
    sentence: 'Undecided.',
    difference: 0,
    interval: [-0.1, 0.1],
    p: 1,
    detectable: null,
    moreTasks: null,
    up: 0,
    down: 0,
    coverage: { measured: 4, planned: 4 },
    tasks: [],
    regressions: [],
    cost: { baselineTokens: null, candidateTokens: null },
    ...over,
  };
}

describe('a verdict', () => {
  it('says the sentence first, then regressions, then tasks with those that flip first', () => {
    const tasks = [
      compared('steady', 'stable pass'),
      compared('up', 'flipped up'),
      compared('down-2', 'flipped down'),
      compared('down-1', 'flipped down'),
    ];
    const lines = verdictText(verdictOf({ tasks, regressions: ['down-1', 'down-2'] })).split('\n');
    expect(lines[0]).toBe('Undecided.');
    expect(lines[2]).toBe('Regressions: down-1, down-2');
    const table = lines.slice(lines.findIndex((line) => line.startsWith('task')) + 1);
    expect(table.slice(0, 4).map((line) => line.split(' ')[0])).toEqual(['down-1', 'down-2', 'up', 'steady']);
  });

  it('gives bounds only while trials are missing, and says which and why', () => {
    const whole = verdictText(verdictOf({ bounds: [-0.2, 0.3] }));
    expect(whole).not.toContain('If the missing trials');
    const text = verdictText(
      verdictOf({
        bounds: [-0.2, 0.3],
        coverage: { measured: 3, planned: 4 },
        missing: [{ arm: 'candidate', reason: 'Timeout', trials: 1 }],
        tasks: [compared('a', 'flaky', 1)],
      }),
    );
    expect(text).toContain('3 of 4 planned trials have a verdict.');
    expect(text).toContain('candidate: 1 without a verdict, Timeout');
    expect(text).toMatch(/If the missing trials went against or for the candidate: -20.* to .*30/);
    expect(text).toContain('2 of 2 (1 missing)');
  });

  it('keeps its columns straight for names of any length', () => {
    const names = fc.uniqueArray(fc.stringMatching(/^[a-z-]{1,30}$/), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(names, (all) => {
        const text = verdictText(verdictOf({ tasks: all.map((name) => compared(name, 'flaky')) }));
        const lines = text.split('\n');
        const head = lines.find((line) => line.startsWith('task'))!;
        for (const name of all) {
          const row = lines.find((line) => line.startsWith(`${name} `))!;
          expect(row.indexOf('1 of 2')).toBe(head.indexOf('baseline'));
          expect(row.indexOf('2 of 2')).toBe(head.indexOf('candidate'));
        }
      }),
    );
  });
});

describe('the plan of a run', () => {
  it('says how many trials it will make, with what, and the rule that was fixed', () => {
    const text = planText(
      manifestOf(['a', 'b', 'c'], 4, {
        suiteName: 'quick',
        arms: [
          { arm: 'baseline', commit: '0123456789abcdef', tree: 't', label: 'HEAD' },
          { arm: 'candidate', commit: 'fedcba9876543210', tree: 'u', label: 'p-1' },
        ],
        proposal: 'p-1',
        state: 'interrupted',
        warnings: ['The working tree has changes.'],
      }),
    );
    // 3 tasks x 4 trials x 2 arms
    expect(text).toContain('= 24 trials of suite "quick"');
    expect(text).toContain('baseline: HEAD (0123456789ab)');
    expect(text).toContain('alpha 0.05');
    expect(text).toContain('note: The working tree has changes.');
  });
});

function hunkOf(number: number, decision: string, over: Partial<Hunk> = {}): HunkWithState {
  const hunk = {
    number,
    decision,
    file: 'a.py',
    action: 'replace' as const,
    baseStart: 1,
    removed: ['old\n'],
    added: ['new\n'],
    oldText: 'old\n',
    newText: 'new\n',
    ...over,
  };
  return { hunk, state: 'open', line: 7 };
}

function proposalOf(over: Partial<Proposal> = {}): Proposal {
  const decision = (id: string) => ({ id, title: `Title ${id}`, rationale: `Reason ${id}`, evidence: [], edits: [] });
  return {
    schemaVersion: 1,
    id: 'p-00c0ffee',
    createdAt: '2026-01-02T00:00:00Z',
    title: 'Say more',
    request: 'r',
    flaw: null,
    base: { commit: null, files: {} },
    decisions: [decision('d1'), decision('d2')],
    declares: { modify: [], add: [], remove: [] },
    prediction: { fixes: [], atRisk: [], note: '' },
    gates: [],
    refused: [],
    model: { id: 'm', inputTokens: null, outputTokens: null, costUsd: null },
    ...over,
  };
}

describe('a proposal', () => {
  it('shows each hunk under its decision, with its reason', () => {
    const text = proposalText(proposalOf(), [hunkOf(1, 'd1'), hunkOf(2, 'd2'), hunkOf(3, 'd1')]);
    const parts = ['d1  Title d1   (2 hunks)', 'Reason d1', 'hunk 1', 'hunk 3', 'd2  Title d2   (1 hunk)', 'hunk 2'];
    const places = parts.map((part) => text.indexOf(part));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('cuts long hunks and says how much is missing', () => {
    const added = Array.from({ length: 40 }, (_, n) => `line ${n}\n`);
    const text = proposalText(proposalOf(), [hunkOf(1, 'd1', { removed: [], added })]);
    const shown = text.split('\n').filter((line) => /^ +\+line/.test(line)).length;
    const more = Number(/\.\.\. (\d+) more lines/.exec(text)![1]);
    expect(shown + more).toBe(40);
  });

  it('says what a gate found, what was refused, and what is not known', () => {
    const text = proposalText(
      proposalOf({
        gates: [
          { gate: 'parses', passed: true, problems: [] },
          { gate: 'secrets', passed: false, problems: [{ message: 'a key in a.py', file: 'a.py' }] },
        ] as Proposal['gates'],
        refused: [{ file: '../x', reason: 'outside' }],
      }),
      [],
    );
    expect(text).toContain('gate parses: passed');
    expect(text).toContain('gate secrets: objects');
    expect(text).toContain('refused: ../x: outside');
    expect(text).toContain('fixes nothing named; at risk nothing named');
    expect(text).toContain('? tokens in, ? out, no cost recorded');
  });

  it('names no line for a hunk that has no place any more', () => {
    const stale = { ...hunkOf(1, 'd1'), state: 'stale' as const, line: null, reason: 'the text is gone' };
    expect(proposalText(proposalOf(), [stale])).toContain('hunk 1  a.py  stale (the text is gone)');
  });
});

describe('groups of runs', () => {
  const someRuns = fc.array(
    fc.record({
      task: fc.constantFrom('a', 'b', 'c', null),
      verdict: fc.constantFrom<Outcome['verdict']>('pass', 'fail', 'missing', 'unknown'),
    }),
  );

  it('hold every run once, and never count a missing verdict as judged', () => {
    fc.assert(
      fc.property(someRuns, (all) => {
        const runs = all.map(({ task, verdict }) => ({ task, outcome: { verdict } }) as TraceRun);
        const groups = groupRuns(runs);
        expect(groups.flatMap((group) => group.runs)).toHaveLength(runs.length);
        for (const group of groups) {
          const said = group.runs.map((run) => run.outcome.verdict);
          expect(group.judged).toBe(said.filter((verdict) => verdict === 'pass' || verdict === 'fail').length);
          expect(group.passed).toBe(said.filter((verdict) => verdict === 'pass').length);
        }
        const flips = groups.map((group) => group.flips);
        expect(flips).toEqual([...flips].sort((a, b) => Number(b) - Number(a)));
      }),
    );
  });
});

it('never shows a cost that was recorded as nothing', () => {
  fc.assert(
    fc.property(fc.double({ min: Number.MIN_VALUE, max: 1e4, noNaN: true }), (usd) => {
      expect(money(usd)).toMatch(/[1-9]/);
    }),
  );
  expect(money(0)).toBe('$0');
});
