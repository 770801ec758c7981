import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';
import { documentOf, textOf } from './documents';

let pebble: BuiltHarness;
beforeAll(async () => {
  pebble = await builtFixture('pebble');
});
afterAll(() => pebble.remove());

describe('locate', () => {
  it('says where a premise of the request is wrong', async () => {
    const { text, exitCode } = await textOf(
      pebble.folder,
      'locate',
      'raise the step limit from 8 to 50, see `no_such_name`',
    );
    expect(exitCode).toBe(0);
    expect(text).toContain('"step_limit is 8" is not so: the value is 30 at config/default.yaml:11');
    expect(text).toContain('"no_such_name" was not found in the code');
  });

  it('says where a premise is right', async () => {
    const { text } = await textOf(pebble.folder, 'locate', 'shorten `truncate_output`');
    expect(text).toMatch(/^"truncate_output" is .+ at pebble\/environment\.py:16$/m);
  });

  it('gives as many places as asked, the first ones of the longer answer', async () => {
    const request = 'show the head and tail of long output';
    const two = (await documentOf('locate', pebble.folder, 'locate', request, '-k', '2')).document.sites;
    const five = (await documentOf('locate', pebble.folder, 'locate', request, '-k', '5')).document.sites;
    expect(two).toEqual(five.slice(0, 2));
    for (const wrong of ['0', 'x', '2.5']) {
      expect((await documentOf('locate', pebble.folder, 'locate', request, '-k', wrong)).exitCode).toBe(2);
    }
  });

  it('is a no when no word of the request is in the harness', async () => {
    const { text, exitCode } = await textOf(pebble.folder, 'locate', 'zzyzx qwxv');
    expect(exitCode).toBe(1);
    expect(text).toContain('the harness knows none of these words');
    expect((await textOf(pebble.folder, 'locate', 'f1_2')).exitCode).toBe(1);
  });

  it('asks for a model only with --llm, and says how to set one', async () => {
    const { document, exitCode } = await documentOf('error', pebble.folder, 'locate', 'the retry limit', '--llm');
    expect(document.error.code).toBe('model-missing');
    expect(exitCode).toBe(2);
    expect((await documentOf('error', pebble.folder, 'locate', 'x', '--llm', '--budget', '0')).exitCode).toBe(2);
  });
});

describe('index and handbook', () => {
  it('index counts by language only when asked, and the parts add up', async () => {
    const plain = (await documentOf('index', pebble.folder, 'index')).document;
    expect(plain.perLanguage).toBeUndefined();
    const { document } = await documentOf('index', pebble.folder, 'index', '--stats');
    const languages = Object.values(document.perLanguage) as { functions: number }[];
    expect(languages.reduce((sum, one) => sum + one.functions, 0)).toBe(document.functions);
  });

  it('index of a folder without code says what to check', async () => {
    const empty = join(pebble.folder, 'empty');
    await cp(join(pebble.folder, 'config'), empty, { recursive: true });
    const { text, exitCode } = await textOf(empty, 'index');
    await rm(empty, { recursive: true });
    expect(exitCode).toBe(0);
    expect(text).toContain('Check "roots" and "exclude"');
  });

  it('handbook writes to the folder that is named, and the check reads there', async () => {
    const out = join(pebble.folder, 'pages');
    const { document } = await documentOf('handbook', pebble.folder, 'handbook', '--out', out);
    expect(document.folder).toBe(out);
    expect(document.loops[0].file).toBe('pebble/agent.py');
    const check = await documentOf('handbook-check', pebble.folder, 'handbook', '--check', '--out', out);
    expect(check.exitCode).toBe(0);
    expect(check.document.checked).toBeGreaterThan(0);
    expect(check.document.problems).toEqual([]);
  });
});
