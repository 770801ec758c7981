import { describe, expect, it } from 'vitest';
import type { Finding } from '../../../src/core/diagnosis';
import type { SiteTouches } from '../../../src/core/links';
import { failureNodes, handbookTree } from '../../../src/host/handbook/handbookTree';
import { lensesOf, touchesOfUnit } from '../../../src/host/handbook/touches';
import { proposalTree, standing } from '../../../src/host/review/proposalTree';
import { traceTree } from '../../../src/host/traces/traceTree';
import { findNode, type TreeNode } from '../../../src/host/tree/treeNode';
import { failed, hunkOf, mapOf, proposalOf, runOf, unitOf } from './fakes';

const labels = (nodes: readonly TreeNode[]) => nodes.map((node) => `${node.label} | ${node.description ?? ''}`);
const under = (nodes: readonly TreeNode[], id: string) => findNode(nodes, id)!.children!();

function touch(over: Partial<SiteTouches> = {}): SiteTouches {
  const step = (run: string, n: number, failing: boolean, task = 'a') => ({
    run,
    task,
    step: n,
    failing,
    kind: 'literal' as const,
  });
  return {
    file: 'src/parser.ts',
    symbol: 'parseReply',
    start: 24,
    end: 37,
    steps: [step('r1', 3, true), step('r1', 5, true), step('r2', 4, true, 'b'), step('r3', 2, false)],
    failingRuns: 2,
    passingRuns: 1,
    ...over,
  };
}

describe('the traces tree', () => {
  const runs = [
    runOf({ id: 'p1', task: 'always', trial: 'run 1' }),
    runOf({ id: 'f1', task: 'flip', trial: 'run 1' }),
    failed({ id: 'f2', task: 'flip', trial: 'run 2' }),
    failed({ id: 'n1', task: 'never', trial: 'run 1' }),
    runOf({
      id: 'u1',
      task: null,
      trial: 'run 9',
      outcome: { verdict: 'unknown', reward: null, exception: null, source: null },
    }),
  ];
  const input = {
    catalog: { runs, unknown: [{ file: '/t/x.bin', reason: 'binary' }] },
    findings: [],
    map: null,
    grouping: 'task' as const,
    filter: '',
  };

  it('puts flipping tasks first, then failing ones, unknown files last', () => {
    expect(labels(traceTree(input))).toEqual([
      'flip | 1 of 2 passed  flips',
      'never | 0 of 1 passed',
      'no task recorded | 1 no verdict',
      'always | 1 of 1 passed',
      '1 file not recognised (why?) | ',
    ]);
  });

  it('says outcome in words, then steps, cost and time', () => {
    const [first] = under(traceTree(input), 'task:never');
    expect(first).toMatchObject({
      label: 'run 1',
      description: 'failed  31 steps  $0.12  38 s',
      icon: { name: 'error' },
      command: { id: 'harnessmith.openTrace', arguments: [{ run: 'n1' }] },
    });
  });

  it('names the first finding with the unit it leads to, and opens there', () => {
    const finding: Finding = {
      id: 'n-1',
      detector: 'no-action',
      why: 'no_action_turn',
      run: 'n1',
      task: 'never',
      steps: [16, 18],
      unit: 'u-parse',
      site: null,
      explanation: 'four turns without a call',
      confidence: 0.8,
      runFailed: true,
    };
    const [row] = under(traceTree({ ...input, findings: [finding], map: mapOf() }), 'task:never');
    expect(row!.description).toContain('no action turn  -> Response parsing');
    expect(row!.target).toEqual({ kind: 'run', run: 'n1', step: 16 });
  });

  it('filters by every word and groups by outcome and by day', () => {
    expect(labels(traceTree({ ...input, filter: 'flip failed' }))[0]).toBe('flip | 0 of 1 passed');
    const byOutcome = traceTree({ ...input, grouping: 'outcome' }).map((node) => node.label);
    expect(byOutcome).toEqual(['failed', 'no verdict recorded', 'passed', '1 file not recognised (why?)']);
    expect(traceTree({ ...input, grouping: 'time' })[0]!.label).toBe('2026-01-02');
  });

  it('tells files with equal names apart by their folder', () => {
    const same = runOf({ id: '/t/one/trajectory.json', file: '/t/one/trajectory.json', trial: null, task: 'x' });
    const catalog = { runs: [same], unknown: [] };
    expect(under(traceTree({ ...input, catalog }), 'task:x')[0]!.label).toBe('one');
  });
});

describe('the handbook tree', () => {
  const units = [
    unitOf(),
    unitOf({
      id: 'u-two',
      title: 'Two places',
      order: 5,
      sites: [unitOf().sites[0]!, { ...unitOf().sites[0]!, start: 60, end: 61 }],
    }),
  ];
  const tree = handbookTree({
    map: mapOf(units),
    touches: [touch()],
    states: new Map(),
    refreshed: 'refreshed just now',
  });

  it('shows the harness with its counts, stages, registers, prompts and gaps', () => {
    expect(labels(tree)).toEqual([
      'tinker | 69 functions, 6 prompts, 6 tools, refreshed just now',
      'Iterate | src/parser.ts  3 failing steps',
      'State registers | 1',
      'Prompts | 6',
      'Tools | 6',
      'Configuration | 14',
      'Unassigned | 4 of 900 lines',
      'Looked for, not found | 1',
    ]);
  });

  it('leads from a unit to its first site and shows further ones below', () => {
    const [parse, two] = under(tree, 'stage:loop');
    expect(parse).toMatchObject({
      label: '4 Response parsing',
      description: 'src/parser.ts:24-37  3 failing',
      state: 'leaf',
      command: { id: 'harnessmith.openSite', arguments: [{ file: 'src/parser.ts', start: 24, end: 37 }] },
    });
    expect(two!.children!().map((site) => site.description)).toEqual(['src/parser.ts:24-37', 'src/parser.ts:60-61']);
  });

  it('lists accesses of a register and users of a prompt', () => {
    expect(under(tree, 'register:r1').map((node) => node.label)).toEqual(['init  Agent', 'write  Agent.run']);
    const prompt = findNode(tree, 'item:prompt:prompts/format_error.md')!;
    expect(prompt).toMatchObject({
      description: 'used by 2 units',
      command: { arguments: [{ file: 'prompts/format_error.md' }] },
    });
  });

  it('has an id for every node only once', () => {
    const ids: string[] = [];
    const walk = (nodes: readonly TreeNode[]): void => {
      for (const node of nodes) {
        ids.push(node.id);
        if (node.children) walk(node.children());
      }
    };
    walk(tree);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('offers the ways on when there is no map', () => {
    const nodes = failureNodes('harness.json is wrong.', 'Correct line 3.');
    expect(nodes.map((node) => node.label)).toEqual([
      'harness.json is wrong.',
      'Correct line 3.',
      'Try again',
      'Show the log',
    ]);
  });
});

describe('touches', () => {
  it('count a failing step once even when it touches two sites of a unit', () => {
    const unit = unitOf();
    const touches = [touch(), touch({ start: 30, end: 31 })];
    expect(touchesOfUnit(unit, touches).failingSteps).toEqual(['r1#3', 'r1#5', 'r2#4']);
    expect(touchesOfUnit(unit, [touch({ file: 'src/other.ts' })]).steps).toEqual([]);
    expect(touchesOfUnit(unit, touches)).toBe(touchesOfUnit(unit, touches));
    expect(touchesOfUnit({ ...unit, sites: [] }, touches).steps).toEqual([]);
  });

  it('make one lens a line, failing steps first, and none for code only passing runs touched', () => {
    const passing = touch({ start: 50, end: 51, steps: [touch().steps[3]!] });
    const lenses = lensesOf('src/parser.ts', [touch(), touch({ symbol: 'inner' }), passing]);
    expect(lenses.map((lens) => [lens.start, lens.words])).toEqual([[24, '3 failing steps in 2 tasks | 1 passing']]);
    expect(lenses[0]!.steps.map((step) => step.failing)).toEqual([true, true, true, false]);
  });
});

describe('the proposals tree', () => {
  const view = proposalOf([
    hunkOf(1, { state: 'accepted' }),
    hunkOf(2),
    hunkOf(3, { decision: 'd2', file: 'prompts/a.md', state: 'stale', reason: 'line 3 was changed' }),
  ]);

  it('goes from proposal to decision to file to hunk', () => {
    const tree = proposalTree([view], []);
    expect(labels(tree)).toEqual(['Say what was wrong | 1 of 3 undecided, predicted +3 tasks']);
    expect(labels(tree[0]!.children!())).toEqual(['Decision d1 | 2 hunks, gates ok', 'Decision d2 | 1 hunk, gates ok']);
    const hunks = under(tree, 'proposal:p-00c0ffee/d1/src/parser.ts');
    expect(labels(hunks)).toEqual([
      'hunk 1 of 2 | accepted  line 10, +2 -1',
      'hunk 2 of 2 | undecided  line 20, +2 -1',
    ]);
    expect(hunks.map((node) => node.context)).toEqual(['hunk.accepted', 'hunk.open']);
    expect(under(tree, 'proposal:p-00c0ffee/d2/prompts/a.md')[0]!.description).toContain('changed since');
  });

  it('shows failed gates at the decision they are about', () => {
    const gates = [{ gate: 'premise', passed: false, problems: [{ message: 'is 3 today', file: 'prompts/a.md' }] }];
    const [first, second] = proposalTree([proposalOf(view.hunks, { gates })], [])[0]!.children!();
    expect(first!.description).toContain('gates ok');
    expect(second).toMatchObject({ description: '1 hunk, gate: premise', icon: { name: 'warning' } });
    expect(second!.tooltip).toContain('premise: is 3 today');
  });

  it('says where a proposal stands', () => {
    expect(standing(proposalOf([hunkOf(1, { state: 'accepted' }), hunkOf(2, { state: 'rejected' })]))).toBe(
      'decided, 1 of 2 accepted',
    );
    expect(standing(proposalOf([hunkOf(1, { state: 'rejected' })]))).toBe('nothing accepted');
    const applied = proposalOf([hunkOf(1, { state: 'applied' })]);
    applied.review.appliedTo = 'harnessmith/p-00c0ffee';
    expect(standing(applied)).toBe('applied to harnessmith/p-00c0ffee');
  });

  it('lists suspected flaws with their denominators', () => {
    const flaw = {
      id: 'f1',
      where: 'u-parse',
      whereTitle: 'Response parsing',
      why: 'format_violation' as const,
      title: 'Replies that cannot be read',
      findings: [],
      failingRuns: 9,
      passingRuns: 2,
      runsLookedAt: 40,
      tasks: ['a'],
      site: { file: 'src/parser.ts', symbol: 'parseReply', start: 24, end: 37 },
      state: 'suspected' as const,
    };
    const [node] = under(proposalTree([], [flaw]), 'flaws');
    const seen = {
      ...flaw,
      exemplars: [{ finding: 'n1', run: '/t/a/b.json', step: 7 }],
      counterExamples: ['/t/a/c.json'],
    };
    expect(under(proposalTree([], [seen]), 'flaw:f1')).toMatchObject([
      { description: 'step 7', command: { arguments: [{ run: '/t/a/b.json', step: 7 }] } },
      { description: 'passes without it', target: { kind: 'run', run: '/t/a/c.json' } },
    ]);
    expect(node).toMatchObject({
      description: '9 failing, 2 passing of 40 runs',
      context: 'flaw',
      target: { flaw: 'f1' },
    });
  });
});
