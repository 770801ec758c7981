import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BehaviourMap,
  checkHandbook,
  type HandbookProblem,
  readMap,
  renderPages,
  unitPagePath,
  writePages,
} from '../../../src/core/handbook';
import { lineDifferences } from '../../../src/core/handbook/check/differences';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let pebble: BuiltHarness;
let clean: string;
let folder: string;
beforeAll(async () => {
  pebble = await builtFixture('pebble');
  clean = join(pebble.folder, '.harnessmith', 'cache', 'handbook');
  folder = join(pebble.folder, '.harnessmith', 'cache', 'planted!');
  await writePages(renderPages(pebble.map, pebble.graph, clean), pebble.map, clean);
});
afterAll(() => pebble.remove());

const loop = 'unit:main_loop:pebble/agent.py#Agent.run';

/** What the check says after one lie was planted into a fresh copy of the written handbook. */
async function afterLie(plant: (folder: string) => Promise<void>): Promise<HandbookProblem[]> {
  await rm(folder, { recursive: true, force: true });
  await cp(clean, folder, { recursive: true });
  await plant(folder);
  return (await checkHandbook(pebble.harness, folder)).problems;
}

/** Changes the text of one page; fails when the change changes nothing. */
function inPage(path: string, change: (text: string) => string): (folder: string) => Promise<void> {
  return async (where) => {
    const file = join(where, path);
    const text = await readFile(file, 'utf8');
    const changed = change(text);
    expect(changed).not.toBe(text);
    await writeFile(file, changed);
  };
}

function inMap(change: (map: BehaviourMap) => void): (folder: string) => Promise<void> {
  return async (where) => {
    const map = await readMap(where);
    change(map);
    await writeFile(join(where, 'map.json'), JSON.stringify(map));
  };
}

/** Adds a line below a heading of a page. */
function addLine(heading: string, line: string): (text: string) => string {
  return (text) => text.replace(`## ${heading}\n\n`, `## ${heading}\n\n${line}\n`);
}

const messages = (problems: readonly HandbookProblem[]) => problems.map((problem) => problem.message);

describe('the check of a written handbook', () => {
  it('finds nothing wrong with pages that nobody touched', async () => {
    expect(await afterLie(async () => undefined)).toEqual([]);
    const { pages } = await checkHandbook(pebble.harness, clean);
    expect(pages).toBe(1 + pebble.map.stages.length + pebble.map.units.length);
  });

  it('finds a wrong line number', async () => {
    const problems = await afterLie(
      inPage(unitPagePath(loop), (text) =>
        text.replace('agent.py:21-33', 'agent.py:22-34').replace('#L21-L33', '#L22-L34'),
      ),
    );
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatchObject({ file: 'pebble/agent.py', line: 22, page: unitPagePath(loop) });
    expect(problems[0]?.message).toMatch(/does not bear out: .*agent\.py:22-34.*The source gives: .*agent\.py:21-33/);
  });

  it('finds a line behind the end of a file', async () => {
    const [problem] = await afterLie(inPage(unitPagePath(loop), (text) => text.replace('#L21-L33', '#L21-L3300')));
    expect(problem?.message).toMatch(/leads to line 3300 of pebble\/agent\.py, which has \d+ lines/);
  });

  it('finds a marker that is nowhere in the code', async () => {
    const truncation = pebble.map.units.find((unit) => unit.kind === 'truncation')?.id ?? '';
    const problems = await afterLie(
      inPage(unitPagePath(truncation), (text) =>
        text.replace('\n## Where', '\nCut text ends with `[... cut here ...]`.\n\n## Where'),
      ),
    );
    expect(messages(problems)).toEqual([expect.stringContaining('[... cut here ...]')]);
  });

  it('finds an invented caller, on the page and in the map', async () => {
    const invented = '- called by [Entry point: main](../index.md) at [pebble/cli.py:1](../../../../pebble/cli.py#L1)';
    const retry = pebble.map.units.find((unit) => unit.kind === 'retry')?.id ?? '';
    const onPage = await afterLie(inPage(unitPagePath(retry), addLine('Runs when', invented)));
    expect(messages(onPage)).toEqual([expect.stringMatching(/"Runs when": the source does not bear out: - called by/)]);
    const inIt = await afterLie(inMap((map) => map.units.find((unit) => unit.id === retry)?.callers.push(loop)));
    expect(messages(inIt)).toEqual([expect.stringContaining(`callers differ: no longer ${loop}`)]);
  });

  it('finds a caller that was left out', async () => {
    const retry = pebble.map.units.find((unit) => unit.kind === 'retry')?.id ?? '';
    const problems = await afterLie(inPage(unitPagePath(retry), (text) => text.replace(/- called by .*\n/, '')));
    expect(messages(problems)).toEqual([expect.stringContaining('leaves out: - called by')]);
  });

  it('finds a call that is not made and one at another place of the order', async () => {
    const swapped = await afterLie(
      inPage(unitPagePath(loop), (text) => text.replace(/1\. (.*)\n2\. (.*)\n/, '1. $2\n2. $1\n')),
    );
    expect(messages(swapped).join(' ')).toContain('"Main path"');
    const twice = await afterLie(inPage(unitPagePath(loop), (text) => text.replace(/(1\. .*\n)/, '$1$1')));
    expect(messages(twice)).toEqual([expect.stringContaining('"Main path": the source does not bear out')]);
  });

  it('finds a wrong access of a register, on the page and in the map', async () => {
    const unit = pebble.map.units.find((one) => one.registers.length > 0 && one.kind === 'main_loop')?.id ?? '';
    const onPage = await afterLie(inPage(unitPagePath(unit), (text) => text.replace(/: read \[line/, ': write [line')));
    expect(messages(onPage)).toEqual([expect.stringContaining('"State"')]);
    const inIt = await afterLie(
      inMap((map) => {
        const access = map.registers[0]?.sites.find((site) => site.access === 'read');
        if (access) access.access = 'reset';
      }),
    );
    expect(messages(inIt)).toEqual([
      expect.stringMatching(/there is no reset at /),
      expect.stringMatching(/leaves out read at /),
    ]);
  });

  it('finds a dead link', async () => {
    const problems = await afterLie(
      inPage('index.md', (text) => text.replace(/\(stages\/loop-[0-9a-f]+\.md\)/, '(stages/loop-000000.md)')),
    );
    expect(messages(problems)).toEqual([
      expect.stringContaining('a link leads to stages/loop-000000.md, which does not exist'),
    ]);
  });

  it('finds a missing page', async () => {
    const problems = await afterLie((where) => rm(join(where, unitPagePath(loop))));
    expect(messages(problems)).toEqual([expect.stringContaining('is missing')]);
  });

  it('finds a page of a unit that is no more, and leaves notes of people alone', async () => {
    const problems = await afterLie(async (where) => {
      await writeFile(join(where, 'units', 'retry-old-abc123.md'), '# Retry\n');
      await writeFile(join(where, 'units', 'my notes.md'), 'mine\n');
    });
    expect(messages(problems)).toEqual(['units/retry-old-abc123.md is a page of something that does not exist.']);
  });

  it('finds a wrong count, on the first page and in the map', async () => {
    const onPage = await afterLie(inPage('index.md', (text) => text.replace(/(\d+) functions/, '999 functions')));
    expect(messages(onPage)).toEqual([expect.stringContaining('999 functions')]);
    const inIt = await afterLie(inMap((map) => Object.assign(map.counts, { functions: 999 })));
    expect(messages(inIt)).toEqual([expect.stringMatching(/counts 999 functions; there are \d+/)]);
  });

  it('finds a wrong kind, summary, stage or place in the map', async () => {
    const problems = await afterLie(
      inMap((map) => {
        const unit = map.units.find((one) => one.kind === 'retry');
        Object.assign(unit ?? {}, { kind: 'limits', summary: 'Never waits.', stage: 'finish' });
      }),
    );
    expect(messages(problems)).toEqual([expect.stringContaining('something else for kind, summary, stage')]);
    const elsewhere = await afterLie(
      inMap((map) => {
        const site = map.units.find((one) => one.kind === 'retry')?.sites[0];
        Object.assign(site ?? {}, { symbol: 'Somebody.else' });
      }),
    );
    expect(messages(elsewhere)).toEqual([expect.stringContaining('something else for sites')]);
  });

  it('finds a limit with another value', async () => {
    const problems = await afterLie(inPage('index.md', (text) => text.replace('= `30`', '= `300`')));
    expect(messages(problems)).toEqual([expect.stringMatching(/"Limits": .*`300` The source gives: .*`30`/)]);
  });

  it('finds what is said not to exist and does', async () => {
    const problems = await afterLie(
      inMap((map) => {
        map.notFound.push('No agent loop.');
      }),
    );
    expect(messages(problems)).toEqual(['No longer true: No agent loop.']);
  });
});

describe('lineDifferences', () => {
  it('sees a line that only stands at another place', () => {
    expect(lineDifferences('a\nb\nc\n', 'a\nc\nb\n')).toEqual([{ line: 2, section: '', said: 'b', instead: 'c' }]);
  });

  it('never calls two different texts the same', () => {
    for (const [said, right] of [
      ['a\n\nb', 'a\nb'],
      ['## S\n\nx', '## T\n\nx'],
      ['a\na', 'a'],
      ['', 'a'],
    ] as const)
      expect(lineDifferences(said, right).length).toBeGreaterThan(0);
  });
});
