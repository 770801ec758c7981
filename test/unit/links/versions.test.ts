import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { openHarness } from '../../../src/core/harness';
import { buildLinkIndex, type Checkout, checkoutOf, driftOf, driftText, linkRun } from '../../../src/core/links';
import { temporaryFolders, writeFiles } from '../traces/helpers';
import { Harness, readerOf, run, step } from './helpers';

const folder = temporaryFolders();
const hash = (letter: string) => letter.repeat(40);
const checkout: Checkout = {
  version: '2.4.6',
  names: ['miniagent'],
  commit: hash('c'),
  tags: new Map([['v1.14.4', hash('a')]]),
};
const made = (agentVersion: string | null, agent: string | null = 'mini-agent') => run({ agent, agentVersion });

describe('the version of a trace', () => {
  it('that is another than that of the checkout is told, with the revision to resolve against', () => {
    const drift = driftOf(made('1.14.4'), checkout);
    expect(drift).toEqual({ trace: 'version 1.14.4', checkout: 'version 2.4.6', revision: 'v1.14.4' });
    expect(drift && driftText(drift)).toContain('--at-commit v1.14.4');
    expect(driftOf(made('0.9'), checkout)).toMatchObject({ revision: null });
  });

  it.each([
    ['is the same', made('v2.4.6')],
    ['is not told', made(null)],
    ['is that of another agent', made('1.0', 'other')],
    ['comes without the name of an agent', made('1.0', null)],
    ['is the commit that is checked out', made(hash('c').slice(0, 9))],
  ])('that %s is no drift', (_, one) => {
    expect(driftOf(one, checkout)).toBeNull();
  });

  it('may be a commit, of the trace or of its recording', () => {
    expect(driftOf(made('abc1234'), checkout)).toMatchObject({ trace: 'commit abc1234', revision: 'abc1234' });
    expect(driftOf(made('2.4.6'), checkout, { commit: hash('d') })).toMatchObject({ revision: hash('d') });
    expect(driftOf(made('1.0'), checkout, { commit: hash('c') })).toBeNull();
  });

  it('stands on every link of the run', async () => {
    const harness = new Harness()
      .node('function', 'a.py', 'say', 1, 5)
      .literal('a.py', 'a.py#say', 2, 2, 'You are a careful engineer who reads files before any change');
    const { graph, places } = harness.index();
    const text = 'You are a careful engineer who reads files before any change';
    const links = await linkRun(
      buildLinkIndex(graph, places.map, { checkout }),
      readerOf([step({ kind: 'system', text })], { agent: 'mini-agent', agentVersion: '1.14.4' }),
    );
    expect(links[0]?.drift).toContain('version 1.14.4');
  });
});

describe('the version of a checkout', () => {
  const graph = () =>
    new Harness().node('variable', 'src/pkg/__init__.py', '__version__', 1, 1, { detail: '"3.1.0"' }).index().graph;

  it('comes from the package, else from the module', async () => {
    const root = await folder();
    await writeFiles(root, { 'package.json': '{\n  "name": "@me/mini-agent",\n  "version": "1.2.3"\n}\n' });
    const harness = await openHarness(root);
    expect(await checkoutOf(harness, graph())).toMatchObject({ version: '1.2.3', commit: null });
    expect((await checkoutOf(harness, graph())).names).toContain('miniagent');
    await writeFiles(root, {
      'package.json': '{}',
      'pyproject.toml': '[project]\nname = "mini-agent"\ndynamic = ["version"]\n',
    });
    expect(await checkoutOf(harness, graph())).toMatchObject({ version: '3.1.0' });
  });

  it('knows the commit and the tags of git', async () => {
    const root = await folder();
    await writeFiles(root, { 'a.py': '' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-C', root, '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        encoding: 'utf8',
      }).trim();
    git('init', '-q');
    git('add', '-A');
    git('commit', '-qm', 'one');
    git('tag', '-a', 'v1', '-m', 'annotated');
    const found = await checkoutOf(await openHarness(root), new Harness().index().graph);
    expect(found.commit).toBe(git('rev-parse', 'HEAD'));
    expect([...found.tags]).toEqual([['v1', git('rev-parse', 'HEAD')]]);
  });
});
