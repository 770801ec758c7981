import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSources } from '../../../src/core/handbook';
import { locate } from '../../../src/core/locate';
import { checkPremises } from '../../../src/core/locate/premises';
import { type BuiltHarness, built, builtFixture } from '../../fixtureHarness';
import { temporaryFolder } from '../proposals/temporaryHarness';

let pebble: BuiltHarness;
let premisesOf: (request: string) => ReturnType<typeof checkPremises>;
beforeAll(async () => {
  pebble = await builtFixture('pebble');
  const sources = await loadSources(pebble.graph, pebble.harness, {});
  premisesOf = (request) => checkPremises(request, pebble.graph, sources);
});
afterAll(() => pebble.remove());

describe('values a request takes for granted', () => {
  // config/default.yaml line 11 says `step_limit: 30`.
  it.each([
    ['the step limit is currently 30, make it 60', true],
    ['change the step limit from 30 to 60', true],
    ['change the step limit from 29 to 60', false],
    ['the step limit is currently 31, make it 60', false],
  ])('%s: %s', (request, found) => {
    const about = premisesOf(request).find((premise) => premise.file === 'config/default.yaml');
    expect(about).toMatchObject({ found, value: '30', line: 11 });
  });

  it('are not read into a request that states none', () => {
    for (const premise of premisesOf('raise the step limit')) expect(premise.found).toBe(true);
  });
});

describe('names and quoted text', () => {
  it.each(['"truncate_output"', '`truncate_output`', "'truncate_output'", '“truncate_output”'])(
    '%s is a quote',
    (text) => {
      expect(premisesOf(`look at ${text} please`)).toContainEqual(
        expect.objectContaining({ mention: 'truncate_output', found: true, file: 'pebble/environment.py', line: 16 }),
      );
    },
  );

  it('may be a path or the end of one', () => {
    expect(premisesOf('in pebble/agent.py')[0]).toMatchObject({ found: true, file: 'pebble/agent.py', line: 1 });
    expect(premisesOf('in `agent.py`')[0]).toMatchObject({ found: true, file: 'pebble/agent.py', line: 1 });
    expect(premisesOf('in pebble/missing.py')[0]).toMatchObject({ found: false, file: '', line: 0, value: '' });
  });

  it('are not words of ordinary speech', () => {
    expect(premisesOf("don't stop when it's done, e.g. after a retry")).toEqual([]);
  });

  it('are each shown once, and at most ten of them', () => {
    expect(premisesOf('`truncate_output` and `truncate_output` and truncate_output')).toHaveLength(1);
    const many = Array.from({ length: 40 }, (_, n) => `\`name_${n}\``).join(' ');
    expect(premisesOf(many)).toHaveLength(10);
  });
});

describe('the answer', () => {
  it('names tests and documents that speak of the place', async () => {
    const own = await built(
      await temporaryFolder({
        'agent.py': 'def shorten_output(text):\n    return text[:100]\n',
        'tests/test_agent.py': 'import agent\n\n\ndef test_it():\n    assert agent.shorten_output("a") == "a"\n',
        'README.md': '# Tool\n\nOutput goes through shorten_output.\n',
      }),
    );
    const { alsoLookAt, sites } = await locate('shorten output', own);
    expect(sites[0]).toMatchObject({ file: 'agent.py', symbol: 'shorten_output', start: 1, end: 2, state: 'fresh' });
    expect(alsoLookAt).toContainEqual({
      file: 'tests/test_agent.py',
      line: 5,
      reason: 'test that names `shorten_output`',
    });
  });

  it('is asked again of a new index after a rebuild', async () => {
    const own = await built(await temporaryFolder({ 'agent.py': 'def old_way():\n    return 1\n' }));
    expect((await locate('old way', own)).sites[0]?.symbol).toBe('old_way');
    const { writeFile } = await import('node:fs/promises');
    await writeFile(`${own.folder}/agent.py`, 'def other_path():\n    return 1\n');
    const after = await own.rebuild();
    expect((await locate('other path', after)).sites[0]?.symbol).toBe('other_path');
    expect((await locate('old way', after)).sites.map((site) => site.symbol)).not.toContain('old_way');
  });

  it('stops when cancelled', async () => {
    const signal = AbortSignal.abort();
    await expect(locate('retry the call', { ...pebble, signal })).rejects.toMatchObject({ exitCode: 130 });
  });

  it('keeps its order and its limit for any limit', async () => {
    const all = (await locate('write the trace after every step', { ...pebble, limit: 50 })).sites;
    for (const limit of [1, 3, 7]) {
      const some = (await locate('write the trace after every step', { ...pebble, limit })).sites;
      expect(some).toEqual(all.slice(0, limit));
    }
  });
});
