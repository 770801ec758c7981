import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { LocateAnswer, locate } from '../../../src/core/locate';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let pebble: BuiltHarness;
let kite: BuiltHarness;
beforeAll(async () => {
  pebble = await builtFixture('pebble');
  kite = await builtFixture('kite');
});
afterAll(async () => {
  await pebble.remove();
  await kite.remove();
});

async function firstSites(harness: BuiltHarness, request: string, limit = 3): Promise<string[]> {
  const answer = await locate(request, { ...harness, limit });
  return answer.sites.map((site) => `${site.file}#${site.symbol}`);
}

describe('locate', () => {
  it.each([
    ['show the head and tail of long output', 'pebble/environment.py#truncate_output'],
    ['ask again when the provider is overloaded', 'pebble/model.py#ChatModel._with_retry'],
    ['accept answers with two fenced code blocks', 'pebble/agent.py#Agent.parse_action'],
    ['write the trace after every step', 'pebble/agent.py#Agent.save_trajectory'],
    ['summarize the history earlier', 'pebble/agent.py#Agent.compact_history'],
  ])('%s', async (request, place) => {
    expect(await firstSites(pebble, request, 5)).toContain(place);
  });

  it('reads a request pasted from a terminal as if it had no colours', async () => {
    const plain = await locate('truncate output', pebble);
    const pasted = await locate('\u001b[31mtruncate\u001b[0m output', pebble);
    expect(pasted.sites).toEqual(plain.sites);
    expect(plain.sites.length).toBeGreaterThan(0);
  });

  it('says which words it takes when it knows none of the script', async () => {
    await expect(locate('\u622a\u65ad\u8f93\u51fa', pebble)).rejects.toMatchObject({
      nextStep: expect.stringContaining('English'),
    });
  });

  it('finds by kind what the code words differently', async () => {
    // No word of the request is in executeToolCall or its file.
    expect(await firstSites(kite, 'route an action to its handler', 5)).toContain(
      'src/tools/registry.ts#executeToolCall',
    );
  });

  it('fits its schema, says why, and names the unit', async () => {
    const answer = await locate('raise the step limit', { ...pebble, limit: 4 });
    expect(() => LocateAnswer.parse(answer)).not.toThrow();
    expect(answer.sites).toHaveLength(4);
    for (const site of answer.sites) expect(site.reason.length).toBeGreaterThan(5);
    expect(answer.units[0]?.unit.kind).toBe('limits');
    expect(answer.sites.map((site) => site.score)).toEqual(
      answer.sites.map((site) => site.score).sort((a, b) => b - a),
    );
  });

  it('gives the same answer twice', async () => {
    expect(await locate('retry the call', pebble)).toEqual(await locate('retry the call', pebble));
  });

  it('refuses a request without words to look for', async () => {
    await expect(locate('the of and', pebble)).rejects.toMatchObject({ code: 'usage', exitCode: 2 });
  });

  it('says when a site changed or moved after the index was made', async () => {
    const own = await builtFixture('kite');
    await locate('retry a failed call', own);
    const file = join(own.folder, 'src', 'model.ts');
    const text = await readFile(file, 'utf8');
    await writeFile(file, `// above\n${text.replace('500 * 2', '900 * 2')}`);
    const { sites } = await locate('repeat a failed call with pauses; send the conversation', { ...own, limit: 12 });
    expect(sites.find((site) => site.symbol === 'withRetry')?.state).toBe('stale');
    expect(sites.find((site) => site.symbol === 'complete')).toMatchObject({ state: 'moved', start: 12, end: 15 });
    await own.remove();
  });
});

describe('premises', () => {
  it('quotes the current value where the request is wrong', async () => {
    const { premises } = await locate('raise the step limit from 8 to 50', pebble);
    expect(premises).toEqual([
      { mention: 'step_limit is 8', found: false, value: '30', file: 'config/default.yaml', line: 11 },
    ]);
  });

  it('agrees where the request is right', async () => {
    const { premises } = await locate('lower the default max turns from 25 to 10', kite);
    expect(premises).toEqual([
      { mention: 'DEFAULT_MAX_TURNS is 25', found: true, value: '25', file: 'src/settings.ts', line: 9 },
    ]);
  });

  it('finds quoted text and names, or says that they are nowhere', async () => {
    const { premises } = await locate(
      'replace "[output was cut here]" in truncate_output and in `shorten_text`',
      pebble,
    );
    expect(premises.map((premise) => [premise.mention, premise.found, premise.file, premise.line])).toEqual([
      ['[output was cut here]', true, 'pebble/environment.py', 21],
      ['shorten_text', false, '', 0],
      ['truncate_output', true, 'pebble/environment.py', 16],
    ]);
  });
});

describe('fault 14: what a request takes for granted was not checked', () => {
  it('the current value is quoted, with its place, beside the plan that rests on it', async () => {
    const wrong = await locate('raise the step limit from 8 to 10', pebble);
    expect(wrong.premises[0]).toMatchObject({ mention: 'step_limit is 8', found: false, value: '30' });
    const { file, line } = wrong.premises[0] as { file: string; line: number };
    const text = await readFile(join(pebble.folder, file), 'utf8');
    expect(text.split('\n')[line - 1]).toMatch(/step_limit: 30/);
    expect(wrong.plan.modify.length).toBeGreaterThan(0);
  });

  it('the value follows the source', async () => {
    const own = await builtFixture('pebble');
    const path = join(own.folder, 'config', 'default.yaml');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('step_limit: 30', 'step_limit: 8'));
    const fresh = await own.rebuild();
    const { premises } = await locate('raise the step limit from 8 to 10', fresh);
    expect(premises[0]).toMatchObject({ mention: 'step_limit is 8', found: true, value: '8' });
    await own.remove();
  });
});

describe('the plan', () => {
  it('modifies what was found, and removes where that is asked', async () => {
    const change = await locate('change the truncation of output', pebble);
    expect(change.plan.modify[0]).toMatchObject({ file: 'pebble/environment.py', symbol: 'truncate_output' });
    expect(change.plan.remove).toEqual([]);
    const removal = await locate('remove the truncation of output', pebble);
    expect(removal.plan.remove[0]).toMatchObject({ symbol: 'truncate_output' });
    expect(removal.plan.modify).toEqual([]);
  });

  it('names registry and a sibling for a new tool', async () => {
    const { plan } = await locate('add a tool that lists a folder', kite);
    expect(plan.add.map((item) => item.symbol)).toEqual(expect.arrayContaining(['createToolRegistry']));
    expect(plan.add.length).toBeGreaterThan(1);
  });

  it('points at prompts and configuration beside the code', async () => {
    const { alsoLookAt } = await locate('build the first messages from the templates', { ...pebble, limit: 1 });
    expect(alsoLookAt.map((item) => item.file)).toContain('config/default.yaml');
  });
});
