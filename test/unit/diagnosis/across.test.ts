import { describe, expect, it } from 'vitest';
import { checkSteps, confirmFlaws, consolidate, type Finding, promptTexts } from '../../../src/core/diagnosis';
import { acrossDetectors } from '../../../src/core/diagnosis/detectors';
import { viewOf } from '../../../src/core/diagnosis/diagnoseRun';
import { componentOf, moduleOf } from '../../../src/core/diagnosis/labels';
import { settleParties } from '../../../src/core/diagnosis/parties';
import { tellingWords } from '../../../src/core/diagnosis/seenWords';
import { call, fakeReader, fakeRun, map } from './fakeTrace';

const outcome = (verdict: 'pass' | 'fail') => ({ ...fakeRun().outcome, verdict });

function finding(over: Partial<Finding> = {}): Finding {
  return {
    id: `n-${Math.abs(JSON.stringify(over).length)}-${over.run}-${over.why}`,
    detector: 'd',
    why: 'reasoning_error',
    run: 'r1',
    task: 'a',
    steps: [2],
    unit: 'u-shell',
    site: { file: 'src/shell.ts', symbol: 'run', start: 1, end: 9 },
    explanation: 'x',
    confidence: 0.7,
    runFailed: true,
    party: 'model',
    ...over,
  };
}

describe('cost outliers', () => {
  const [outlier] = acrossDetectors;
  const head = (id: string, over: object) => ({ run: fakeRun({ id, ...over }), lastStep: 9 });
  const others = [1, 1.1, 0.9, 1.2, 1].map((costUsd, n) => head(`o${n}`, { costUsd }));
  it('are far above the middle and the spread of the others', () => {
    const [found] = outlier!.detect(head('x', { costUsd: 4 }), others);
    expect(found!.explanation).toMatch(/used 4 US dollars; the middle of 5 other runs of this task is 1/);
    expect(outlier!.detect(head('x', { costUsd: 2 }), others)).toEqual([]);
    expect(outlier!.detect(head('x', { costUsd: 4 }), others.slice(0, 3))).toEqual([]);
  });
  it('are not looked for beside another harness', () => {
    expect(outlier!.detect(head('x', { costUsd: 4, format: 'codex' }), others)).toEqual([]);
  });
});

describe('settleParties', () => {
  const runs = [
    ...['h1', 'h2', 'h3'].map((id) => fakeRun({ id, task: 'hopeless', outcome: outcome('fail') })),
    fakeRun({ id: 'p', task: 'other', outcome: outcome('pass') }),
  ];
  const all = ['h1', 'h2', 'h3'].map((run) => finding({ run, task: 'hopeless' }));
  it('lays to the task what all its runs show and no other run does', () => {
    expect(settleParties(all, runs).map(({ party }) => party)).toEqual(['task', 'task', 'task']);
    expect(settleParties(all, runs)[0]!.partyReason).toMatch(/all 3 runs of this task/);
  });
  it('leaves alone what another run shows, what the harness did, and single failures', () => {
    expect(settleParties([...all, finding({ run: 'p', task: 'other' })], runs)[0]!.party).toBe('model');
    expect(
      settleParties(
        all.map((one) => ({ ...one, party: 'harness' as const })),
        runs,
      )[0]!.party,
    ).toBe('harness');
    expect(settleParties(all.slice(0, 2), runs)[0]!.party).toBe('model');
    expect(settleParties(all, runs.slice(0, 3))[0]!.party).toBe('model');
  });
});

describe('flaw records', () => {
  const runs = [
    fakeRun({
      id: 'f1',
      task: 'a',
      outcome: outcome('fail'),
      costUsd: 2,
      tokens: { ...fakeRun().tokens, input: 100, output: 10 },
    }),
    fakeRun({ id: 'f2', task: 'a', outcome: outcome('fail'), costUsd: 1 }),
    fakeRun({ id: 'f3', task: 'b', outcome: outcome('fail') }),
    fakeRun({ id: 'p1', task: 'a', outcome: outcome('pass') }),
    fakeRun({ id: 'p2', task: 'c', outcome: outcome('pass') }),
  ];
  const findings = [
    finding({ run: 'f1', confidence: 0.6 }),
    finding({ run: 'f2', confidence: 0.9 }),
    finding({ run: 'f3', task: 'b', confidence: 0.5 }),
  ];
  const [flaw] = consolidate(findings, runs, map);
  it('show the best evidence first, one task after the other', () => {
    expect(flaw!.exemplars!.map(({ run }) => run)).toEqual(['f2', 'f3', 'f1']);
  });
  it('name passing runs of the same tasks, the cost, and what a repair may touch', () => {
    expect(flaw).toMatchObject({
      counterExamples: ['p1'],
      cost: { runs: 3, tokens: 110, usd: 3 },
      repair: { operators: ['no harness edit', 'add instruction'], files: ['src/shell.ts'], units: ['u-shell'] },
      party: 'model',
      state: 'suspected',
      failingRuns: 3,
      failingRunsLookedAt: 3,
      passingRunsLookedAt: 2,
    });
  });
  it('stay suspected until a measurement speaks for a repair', () => {
    expect(confirmFlaws([flaw!], [])[0]!.state).toBe('suspected');
    const [confirmed] = confirmFlaws([flaw!], [{ flaw: flaw!.id, by: 'run r-1 accepted a repair' }]);
    expect(confirmed).toMatchObject({ state: 'confirmed', confirmedBy: 'run r-1 accepted a repair' });
  });
});

describe('checkSteps', () => {
  it('says where what a call needs came from, and which instructions it follows', async () => {
    const steps = [
      { kind: 'system' as const, text: 'Read a file before you edit it. Use exactly one tool in a turn.' },
      { kind: 'user' as const, text: 'Repair parser_v2.py' },
      call('read', { path: 'parser_v2.py' }, 'imports helper_7.py'),
      { kind: 'event' as const, event: 'compaction', text: 'shortened' },
      call('edit', { path: 'helper_7.py', text: 'new_name_9' }, 'no such file', true),
    ];
    const run = fakeRun();
    const view = await viewOf({ run, reader: fakeReader(run, steps), links: [], map });
    const [first, second] = checkSteps(view);
    expect(first).toMatchObject({
      step: 3,
      failed: false,
      needed: [{ word: 'parser_v2.py', state: 'shown', step: 2 }],
    });
    expect(first!.instructions).toEqual([
      { id: 'one call in a turn', quote: expect.any(String), followed: true },
      { id: 'read before an edit', quote: expect.any(String), followed: true },
    ]);
    expect(second).toMatchObject({ step: 5, failed: true });
    expect(second!.needed).toEqual([
      { word: 'helper_7.py', state: 'shortened away', step: 3 },
      { word: 'new_name_9', state: 'nowhere', step: null },
    ]);
    expect(second!.instructions.find(({ id }) => id === 'read before an edit')!.followed).toBe(false);
  });
});

describe('words and labels', () => {
  it('takes names that nobody writes by chance', () => {
    expect([...tellingWords('see src/parser.ts and item_42, not words or 1234')]).toEqual(['parser.ts', 'item_42']);
  });
  it('knows module and component of kinds and files', () => {
    expect([moduleOf('tool_submit'), moduleOf('tool_edit'), moduleOf('truncation'), moduleOf('trajectory')]).toEqual([
      'Task Completion Detection',
      'Tool Use',
      'Observation Management',
      undefined,
    ]);
    const site = (file: string) => ({ file, symbol: '', start: 1, end: 1 });
    expect(componentOf('system_prompt', site('prompts/a.md'))).toBe('system prompt');
    expect(componentOf('tool_edit', site('src/edit.ts'))).toBe('tool implementation');
    expect(componentOf(undefined, site('tools/edit.yaml'))).toBe('tool description');
    expect(componentOf('limits', site('src/a.ts'))).toBe('middleware');
  });
  it('takes only texts that tell something for prompts', () => {
    const long = 'Always run the tests of the project before you submit your work to us.';
    const facts = [
      { file: 'a', parts: [long, null] },
      { file: 'b', parts: ['short text'] },
    ];
    expect(promptTexts(facts)).toEqual([{ file: 'a', text: `${long} ` }]);
  });
});
