import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { HunkState } from '../../../src/core/proposals';
import type { Outcome } from '../../../src/core/traces';
import { chooseHarness, relativeTo } from '../../../src/host/harness/harnessChoice';
import { secretName } from '../../../src/host/models/modelChoice';
import { proposalTree, standing, stateWords } from '../../../src/host/review/proposalTree';
import { hunkAtLine, nextUndecided, proposedRange } from '../../../src/host/review/reviewOrder';
import { traceTree } from '../../../src/host/traces/traceTree';
import { count, dollars, duration, runSeconds } from '../../../src/host/traces/words';
import { findNode, type TreeNode } from '../../../src/host/tree/treeNode';
import { hunkOf, proposalOf, runOf } from './fakes';

const every = (nodes: readonly TreeNode[]): TreeNode[] =>
  nodes.flatMap((node) => [node, ...every(node.children?.() ?? [])]);

const states: HunkState[] = ['open', 'accepted', 'rejected', 'stale', 'conflicting', 'applied'];
const someHunks = fc
  .array(fc.record({ state: fc.constantFrom(...states), file: fc.constantFrom('a.ts', 'b.ts') }), { maxLength: 8 })
  .map((all) => all.map((over, at) => hunkOf(at + 1, { ...over, decision: at % 2 ? 'd1' : 'd2' })));

describe('words of figures', () => {
  it('never say 60 seconds or 60 minutes', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (seconds) => {
        expect(duration(seconds)).not.toMatch(/\b60 (s|min)/);
      }),
    );
    expect([duration(59.7), duration(119.6), duration(3599.9)]).toEqual(['1 min 0 s', '2 min 0 s', '1 h 0 min']);
    expect([duration(0), duration(9.96), duration(38.2), duration(250), duration(3900)]).toEqual([
      '0 s',
      '10 s',
      '38 s',
      '4 min 10 s',
      '1 h 5 min',
    ]);
  });

  it('never call a cost nothing that was something', () => {
    fc.assert(
      fc.property(fc.double({ min: Number.MIN_VALUE, max: 1e5, noNaN: true }), (cost) => {
        expect(dollars(cost)).toMatch(/[1-9]/);
      }),
    );
    expect([dollars(0), dollars(0.0042), dollars(0.12), dollars(3)]).toEqual(['$0', '$0.0042', '$0.12', '$3.00']);
  });

  it('have the singular for one only', () => {
    expect([count(0, 'step'), count(1, 'step'), count(12000, 'step')]).toEqual(['0 steps', '1 step', '12,000 steps']);
  });

  it('give no time for a run whose clock is missing or went backwards', () => {
    const started = '2026-01-02T10:00:00Z';
    expect(runSeconds({ started, ended: '2026-01-02T10:01:30Z' })).toBe(90);
    for (const ended of [null, 'yesterday', '2026-01-02T09:59:00Z']) expect(runSeconds({ started, ended })).toBeNull();
  });
});

describe('the traces tree', () => {
  const verdicts: Outcome['verdict'][] = ['pass', 'fail', 'missing', 'unknown'];
  const someRuns = fc
    .array(
      fc.record({
        task: fc.constantFrom('a', 'b', 'c', null),
        verdict: fc.constantFrom(...verdicts),
        started: fc.constantFrom('2026-01-02T10:00:00Z', '2026-01-03T10:00:00Z', null),
      }),
      { maxLength: 10 },
    )
    .map((all) =>
      all.map(({ task, verdict, started }, at) =>
        runOf({
          id: `r${at}`,
          trial: `run ${at}`,
          task,
          started,
          outcome: { verdict, reward: null, exception: null, source: null },
        }),
      ),
    );

  it('shows every run once, under whatever heading, and each id once', () => {
    fc.assert(
      fc.property(someRuns, fc.constantFrom('task', 'time', 'outcome'), (runs, grouping) => {
        const catalog = { runs, unknown: [] };
        const nodes = every(traceTree({ catalog, findings: [], map: null, grouping, filter: '' }));
        const shown = nodes.flatMap(({ target }) => (target?.kind === 'run' ? [target.run] : []));
        expect([...shown].sort()).toEqual(runs.map((run) => run.id).sort());
        expect(new Set(nodes.map((node) => node.id)).size).toBe(nodes.length);
      }),
    );
  });

  it('opens exactly the tasks that both passed and failed', () => {
    fc.assert(
      fc.property(someRuns, (runs) => {
        const catalog = { runs, unknown: [] };
        for (const group of traceTree({ catalog, findings: [], map: null, grouping: 'task', filter: '' })) {
          const own = runs.filter((run) => (run.task ?? 'no task recorded') === group.label);
          const said = new Set(own.map((run) => run.outcome.verdict));
          expect(group.state === 'expanded').toBe(said.has('pass') && said.has('fail'));
        }
      }),
    );
  });

  it('finds no more with a longer filter', () => {
    fc.assert(
      fc.property(
        someRuns,
        fc.constantFrom('a', 'run', 'failed', 'verdict'),
        fc.constantFrom('1', 'b', 'tinker'),
        (runs, one, two) => {
          const shown = (filter: string) =>
            every(
              traceTree({ catalog: { runs, unknown: [] }, findings: [], map: null, grouping: 'task', filter }),
            ).flatMap(({ target }) => (target?.kind === 'run' ? [target.run] : []));
          const wide = shown(one);
          for (const run of shown(`${one} ${two}`)) expect(wide).toContain(run);
        },
      ),
    );
  });
});

describe('the review', () => {
  it('visits each undecided hunk once before it comes back, in both directions', () => {
    fc.assert(
      fc.property(someHunks, fc.constantFrom(1 as const, -1 as const), (hunks, direction) => {
        const open = hunks.filter((hunk) => hunk.state === 'open').map((hunk) => hunk.number);
        const visited: number[] = [];
        let at: number | null = null;
        for (let step = 0; step < open.length; step++) {
          at = nextUndecided(hunks, at, direction)!.number;
          visited.push(at);
        }
        expect(visited).toEqual(direction === 1 ? open : [...open].reverse());
        expect(nextUndecided(hunks, at, direction)?.number).toBe(visited[0]);
      }),
    );
  });

  it('finds a hunk again from the line it is shown on', () => {
    fc.assert(
      fc.property(someHunks, (hunks) => {
        for (const hunk of hunks) {
          const { start } = proposedRange(hunk, hunks);
          expect(hunkAtLine(hunks, hunk.file, start)?.number).toBe(hunk.number);
        }
      }),
    );
  });

  it('shows every hunk once in the tree, with its state in words', () => {
    fc.assert(
      fc.property(someHunks, (hunks) => {
        const nodes = every(proposalTree([proposalOf(hunks)], []));
        const shown = nodes.flatMap((node) =>
          node.target?.kind === 'hunk' ? [{ node, number: node.target.hunk }] : [],
        );
        expect(shown.map(({ number }) => number).sort()).toEqual(hunks.map((hunk) => hunk.number).sort());
        for (const { node, number } of shown) {
          expect(node.description).toContain(stateWords[hunks[number - 1]!.state]);
          expect(findNode(nodes, node.id)?.target).toEqual(node.target);
        }
      }),
    );
  });

  it('says decided only when nothing is open', () => {
    fc.assert(
      fc.property(someHunks, (hunks) => {
        const open = hunks.filter((hunk) => hunk.state === 'open').length;
        expect(standing(proposalOf(hunks)).includes('undecided')).toBe(open > 0);
      }),
    );
  });
});

describe('keys and folders', () => {
  it('give a key to one origin only, whatever its path', () => {
    const provider = 'openai-compatible' as const;
    const host = fc.domain();
    fc.assert(
      fc.property(host, host, fc.webPath(), (one, two, path) => {
        const name = secretName(provider, `https://${one}${path}`);
        expect(name).toBe(secretName(provider, `https://${one}/v1`));
        expect(name === secretName(provider, `https://${two}/v1`)).toBe(one.toLowerCase() === two.toLowerCase());
        expect(name).not.toBe(secretName(provider, undefined));
        expect(name).not.toBe(secretName(provider, `http://${one}/v1`));
        expect(name).not.toBe(secretName(provider, `https://${one}:8443/v1`));
      }),
    );
    // A name before the @ is no part of the address that the key goes to.
    expect(secretName(provider, 'https://api.good.example@evil.example/v1')).toBe(
      secretName(provider, 'https://evil.example'),
    );
  });

  it('choose a folder only when there is a reason for that one', () => {
    const folders = fc.uniqueArray(
      fc.record({ root: fc.constantFrom('/a', '/b', '/c'), name: fc.constant('n'), configured: fc.boolean() }),
      { selector: (folder) => folder.root },
    );
    fc.assert(
      fc.property(folders, fc.option(fc.constantFrom('/a', '/z'), { nil: undefined }), (all, remembered) => {
        const choice = chooseHarness(all, remembered);
        const configured = all.filter((folder) => folder.configured);
        if (choice.kind === 'noFolder') expect(all).toEqual([]);
        else if (choice.kind === 'ambiguous') expect(choice.folders.length).toBeGreaterThan(1);
        else {
          const reasons = [choice.folder.root === remembered, configured.length === 1 && choice.folder.configured];
          expect(reasons.includes(true) || all.length === 1).toBe(true);
        }
      }),
    );
  });

  it('name a file by its way from the root, with either kind of slash', () => {
    expect(relativeTo('/a/b', '/a/b/c/d.ts')).toBe('c/d.ts');
    expect(relativeTo('C:\\h\\', 'C:\\h\\src\\x.ts')).toBe('src/x.ts');
    expect([relativeTo('/a/b', '/a/bc/d.ts'), relativeTo('/a/b', '/a/b')]).toEqual([null, null]);
  });
});
