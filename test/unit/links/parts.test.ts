import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Checkout, driftOf, driftText, linkOneStep, linkRun, siteTouches } from '../../../src/core/links';
import { partsOf, recordsIn } from '../../../src/core/links/stepParts';
import { rootsOf } from '../../../src/core/links/traceRoots';
import { call, Harness, readerOf, result, run, step } from './helpers';

describe('parts of a step', () => {
  it('name the voice of each, number them by their kind, and leave out what is empty', () => {
    const parts = partsOf(
      step({
        kind: 'agent',
        text: 'I look.',
        reasoning: ' ',
        calls: [call('read', {}), call('edit', { path: 'a.py', edits: [{ old: 'b', at: 3 }] }), call('bash', 'ls')],
        results: [result(''), result('fine', 'call-edit', true)],
      }),
      {},
    );
    expect(parts.map(({ of, at, voice, exact }) => [of, at, voice, exact])).toEqual([
      ['text', 0, 'model', true],
      ['call', 1, 'arguments', false],
      ['call', 2, 'arguments', true],
      ['result', 1, 'harness', true],
    ]);
    expect(parts[1]?.text).toBe('a.py\nb');
    expect(parts[3]).toMatchObject({ tool: 'edit', failed: true });
  });

  it('of other steps are all of the harness; a result is of the call in the run before that in the step', () => {
    const parts = partsOf(step({ kind: 'user', text: 'Go.', calls: [call('a')], results: [result('x', 'call-a')] }), {
      toolOfCall: new Map([['call-a', 'b']]),
    });
    expect(parts).toMatchObject([
      { of: 'text', voice: 'harness' },
      { of: 'result', tool: 'b' },
    ]);
  });

  const beside = (record: string) =>
    partsOf(step({ text: 'This is shown to everyone already.' }), { record }).find(({ of }) => of === 'record')?.text;

  it.each<[string, unknown]>([
    ['what the step shows', { note: 'This is shown to everyone already.' }],
    ['what a tool is said to do', { tools: [{ description: 'Reads a file of words.' }] }],
    ['what the model wrote', { response: { text: 'The model wrote these words.' } }],
    ['ids and times', { call_id: 'id of some long words', created_time: 'at some time of the day' }],
    ['single words', { state: 'a-long-word-without-any-space' }],
    ['few letters', { state: 'ok so' }],
  ])('beside it there is nothing in %s', (_, record) => {
    expect(beside(JSON.stringify(record))).toBeUndefined();
  });

  it('beside it the records of several lines are read, those that are no JSON left out', () => {
    const lines = ['{"hint": "The first hint of two."}', 'no json', '{"hint": "And the other of them."}'];
    expect(beside(lines.join('\n'))).toBe('The first hint of two.\n\nAnd the other of them.');
    expect(beside('{"hint": "torn in the mid')).toBeUndefined();
  });

  it('records come back from whatever lines they are written in', () => {
    fc.assert(
      fc.property(fc.array(fc.dictionary(fc.string(), fc.jsonValue()), { minLength: 2 }), (records) => {
        const plain: unknown[] = records.map((record) => JSON.parse(JSON.stringify(record)));
        expect(recordsIn(plain.map((record) => JSON.stringify(record)).join('\n'))).toEqual(plain);
        expect(recordsIn(JSON.stringify(plain, null, 2))).toEqual([plain]);
      }),
    );
  });
});

describe('roots found in a run', () => {
  const frame = (path: string, line = 3, name = 'f') => result(`  File "${path}", line ${line}, in ${name}\n`);
  const index = new Harness()
    .node('function', 'pkg/a.py', 'f', 1, 9)
    .node('function', 'pkg/sub/b.py', 'f', 1, 9)
    .index();
  const found = (...paths: [string, number?, string?][]) =>
    rootsOf(index, readerOf([step({ results: paths.map(([path, line, name]) => frame(path, line, name)) })]));

  it('are counted by frames, the one of most first', async () => {
    const roots = await found(['/one/pkg/a.py'], ['/two/pkg/a.py'], ['/two/pkg/sub/b.py']);
    expect(roots).toEqual([
      { prefix: '/two', folder: '', from: 'found', frames: 2 },
      { prefix: '/one', folder: '', from: 'found', frames: 1 },
    ]);
  });

  it('lie at the folder that both paths still have in common', async () => {
    expect(await found(['/venv/lib/b.py'])).toMatchObject([{ prefix: '/venv/lib', folder: 'pkg/sub' }]);
  });

  it.each<[string, [string, number?, string?]]>([
    ['a relative path', ['pkg/a.py']],
    ['a package that was installed', ['/x/node_modules/pkg/a.py']],
    ['a line outside of the function', ['/x/pkg/a.py', 99]],
    ['another function', ['/x/pkg/a.py', 3, 'g']],
    ['a file that the harness does not have', ['/x/pkg/c.py']],
  ])('do not come from %s', async (_, path) => {
    expect(await found(path)).toEqual([]);
  });

  it('lead frames of other steps whose function has another name', async () => {
    const steps = [
      step({ n: 1, results: [frame('/srv/pkg/a.py')] }),
      step({ n: 2, results: [frame('/srv/pkg/sub/b.py', 5, 'lambda')] }),
    ];
    const [link] = await linkOneStep(index, readerOf(steps), 2);
    expect(link).toMatchObject({ kind: 'frame', file: 'pkg/sub/b.py', start: 5 });
    expect(link?.reason).toContain('as /srv is the harness');
  });
});

describe('another version of the harness', () => {
  const commit = 'c'.repeat(40);
  const checkout = (change: Partial<Checkout> = {}): Checkout => ({
    version: null,
    names: ['tinker'],
    commit,
    tags: new Map([
      ['1.2', commit],
      ['v1.3', 'd'.repeat(40)],
    ]),
    ...change,
  });
  const drift = (agentVersion: string, one = checkout(), agent = 'Tinker CLI') =>
    driftOf(run({ agent, agentVersion }), one);

  it('is told by the tag of the commit where no package states one', () => {
    expect(drift('v1.2')).toBeNull();
    expect(drift('1.3')).toEqual({
      trace: 'version 1.3',
      checkout: `version ${commit.slice(0, 12)}`,
      revision: 'v1.3',
    });
  });

  it('is not told where nothing is known of the checkout, or names are too short to be compared', () => {
    expect(drift('1.3', checkout({ commit: null, tags: new Map() }))).toBeNull();
    expect(drift('1.3', checkout({ names: ['ti'] }))).toBeNull();
    expect(drift('1.3', checkout(), 'ti')).toBeNull();
  });

  it('takes digits alone for a version, not for a commit', () => {
    expect(drift('20250101', checkout({ version: '20250102' }))).toMatchObject({ trace: 'version 20250101' });
  });

  it('says how to resolve it only where there is a revision', () => {
    expect(driftText(drift('1.3')!)).toMatch(/; --at-commit v1\.3 resolves/);
    expect(driftText(drift('9.9')!)).not.toContain('--at-commit');
  });
});

describe('links of one step and of the run', () => {
  it('are the same, with the tool of a call that was made earlier', async () => {
    const index = new Harness()
      .node('function', 'src/read.py', 'read_file', 10, 40)
      .node('tool', 'src/tools.py', 'read_file', 1, 5)
      .edge('implements-tool', 'tool:read_file', 'src/read.py#read_file')
      .index();
    const steps = [
      step({ n: 1, kind: 'agent', calls: [call('read_file')] }),
      step({ n: 2, results: [result('some text', 'call-read_file')] }),
      step({ n: 3, results: [result('some text', 'call-unknown')] }),
    ];
    const all = await linkRun(index, readerOf(steps));
    for (const { n } of steps)
      expect(await linkOneStep(index, readerOf(steps), n)).toEqual(all.filter((one) => one.step === n));
    expect(all.filter(({ step: n }) => n === 2)).toMatchObject([
      { kind: 'tool', symbol: 'read_file', start: 10, part: { of: 'result', at: 0 } },
      { kind: 'tool', file: 'src/tools.py' },
    ]);
    expect(all.some(({ step: n }) => n === 3)).toBe(false);
    const touched = siteTouches([{ run: run({ task: 't' }), links: all }]);
    expect(touched[0]).toMatchObject({ symbol: 'read_file', start: 10, failingRuns: 0, passingRuns: 0 });
    expect(touched[0]?.steps.map(({ step: n }) => n)).toEqual([1, 2]);
  });
});
