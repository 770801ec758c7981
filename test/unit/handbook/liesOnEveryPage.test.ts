/** One lie of every sort on every kind of page and in every list of the map: the check must find each, and name its page. */
import { cp, readdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type BehaviourMap,
  checkHandbook,
  type HandbookProblem,
  type Page,
  readMap,
  renderPages,
  Unit,
  writePages,
} from '../../../src/core/handbook';
import { pageProblems } from '../../../src/core/handbook/check/pages';
import { relationProblems } from '../../../src/core/handbook/check/relations';
import { Texts } from '../../../src/core/handbook/check/texts';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let kite: BuiltHarness;
let pages: Page[];
let clean: string;
let folder: string;
beforeAll(async () => {
  kite = await builtFixture('kite');
  clean = join(kite.folder, '.harnessmith', 'cache', 'handbook');
  folder = join(kite.folder, '.harnessmith', 'cache', 'planted!');
  pages = renderPages(kite.map, kite.graph, clean);
  await writePages(pages, kite.map, clean);
});
afterAll(() => kite.remove());

/** What the pages on disk say wrongly, after one of them got another text. */
async function problemsWith(path: string, markdown: string): Promise<HandbookProblem[]> {
  const file = join(clean, path);
  const right = await readFile(file, 'utf8');
  await writeFile(file, markdown);
  try {
    const texts = new Texts(kite.harness);
    return await pageProblems(clean, pages, { texts, stale: new Set(), root: kite.folder, signal: undefined });
  } finally {
    await writeFile(file, right);
  }
}

const kindOf = (page: Page) => (page.path === 'index.md' ? 'index' : page.path.startsWith('units/') ? 'unit' : 'stage');
const isProse = (line: string) => line.trim() !== '';

describe.each(['index', 'stage', 'unit'])('on any page of kind %s', (kind) => {
  const page = fc.nat().map((n) => {
    const some = pages.filter((one) => kindOf(one) === kind);
    return some[n % some.length] as Page;
  });
  const spot = fc.nat();

  /** Applies a lie to one line of a page and expects that the check names this page and nothing else. */
  async function expectFound(change: (line: string) => string | null): Promise<number> {
    let planted = 0;
    await fc.assert(
      fc.asyncProperty(page, spot, async (one, n) => {
        const lines = one.markdown.split('\n');
        const usable = lines.flatMap((line, at) => (isProse(line) && change(line) !== null ? [at] : []));
        const at = usable[n % Math.max(1, usable.length)];
        if (at === undefined) return;
        const lie = change(lines[at] ?? '') ?? '';
        expect(lie).not.toBe(lines[at]);
        const problems = await problemsWith(one.path, [...lines.slice(0, at), lie, ...lines.slice(at + 1)].join('\n'));
        expect(problems.length).toBeGreaterThan(0);
        expect(new Set(problems.map((problem) => problem.page))).toEqual(new Set([one.path]));
        planted++;
      }),
      { numRuns: 10 },
    );
    return planted;
  }

  it('a changed word is found', async () => {
    expect(await expectFound((line) => (/[a-z]{4}/.test(line) ? line.replace(/[a-z]{4}/, 'lied') : null))).toBe(10);
  });

  it('a line that was taken out is found', async () => {
    expect(await expectFound(() => '')).toBe(10);
  });

  it('a line said twice is found', async () => {
    expect(await expectFound((line) => `${line}\n${line}`)).toBe(10);
  });

  it('a changed number is found', async () => {
    const change = (line: string) =>
      /\d/.test(line) ? line.replace(/\d+/, (digits) => `${Number(digits) + 1}`) : null;
    expect(await expectFound(change)).toBeGreaterThan(0);
  });

  it('a link that leads elsewhere is found, whatever its words', async () => {
    const change = (line: string) => (line.includes('](') ? line.replace(/\]\([^)]*\)/, '](elsewhere.md)') : null);
    expect(await expectFound(change)).toBeGreaterThan(0);
  });

  it('a changed quote is found', async () => {
    const change = (line: string) => (/`[^`]+`/.test(line) ? line.replace(/`[^`]+`/, '`never_there`') : null);
    expect(await expectFound(change)).toBeGreaterThan(0);
  });
});

describe('pages as files', () => {
  it('that are empty, cut off or swapped are found', async () => {
    const [first, second] = pages.filter((page) => kindOf(page) === 'unit') as [Page, Page];
    expect(await problemsWith(first.path, '')).not.toEqual([]);
    expect(await problemsWith(first.path, first.markdown.slice(0, -20))).not.toEqual([]);
    expect((await problemsWith(first.path, second.markdown)).length).toBeGreaterThan(1);
  });

  it('with other line ends or blank lines say the same words but are named', async () => {
    const [index] = pages as [Page];
    const problems = await problemsWith(index.path, index.markdown.replaceAll('\n', '\r\n'));
    expect(problems.map((problem) => problem.message)).toEqual([
      expect.stringContaining('another layout of blank lines'),
    ]);
  });

  it('that lie in many lines are told a few and how many more', async () => {
    const long = [...pages].sort((a, b) => b.markdown.length - a.markdown.length)[0] as Page;
    const lied = long.markdown.replace(/[a-z]{4,}/g, 'lied');
    const problems = await problemsWith(long.path, lied);
    expect(problems.length).toBeLessThanOrEqual(9);
    expect(problems.at(-1)?.message).toMatch(/\d+ more lines differ/);
  });

  it('have links that cannot lead the check out of the repository', async () => {
    const [index] = pages as [Page];
    const lie = '- [secret](../../../../../../../../etc/passwd#L1)';
    const problems = await problemsWith(index.path, `${index.markdown}${lie}\n`);
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toMatch(/leads to [./]*etc\/passwd, which does not exist/);
    expect(JSON.stringify(problems)).not.toContain('root:');
  });

  it('are read although a name in them is no valid address', async () => {
    const [index] = pages as [Page];
    const problems = await problemsWith(index.path, `${index.markdown}- [x](%E0%A4%A.md)\n`);
    expect(problems.map((problem) => problem.message)).toEqual([expect.stringMatching(/does not exist|bear out/)]);
  });
});

describe('in the map', () => {
  type List = { [Key in keyof Unit]-?: NonNullable<Unit[Key]> extends string[] ? Key : never }[keyof Unit];
  // Taken from the shape of a unit, so that the check cannot forget a list; reasons are compared as words.
  const lists = Object.entries(Unit.shape)
    .filter(([key, shape]) => key !== 'reasons' && shape.safeParse(['id']).success)
    .map(([key]) => key as List);
  const problemsOf = (change: (map: BehaviourMap) => void) => {
    const map = structuredClone(kite.map);
    change(map);
    return relationProblems(map, kite.map, new Set());
  };
  const victims = () => kite.map.units.slice(0, 12);

  it('nothing is wrong when nothing was changed', () => {
    expect(problemsOf(() => undefined)).toEqual([]);
  });

  it.each(lists)('one more and one less in %s is found for every unit', (list) => {
    for (const { id } of victims()) {
      const unitIn = (map: BehaviourMap) => map.units.find((unit) => unit.id === id) as Unit;
      const more = problemsOf((map) => {
        unitIn(map)[list] = [...(unitIn(map)[list] ?? []), 'invented'];
      });
      expect(more.map((problem) => problem.message)).toEqual([
        expect.stringContaining(`${list} differ: no longer invented`),
      ]);
      const [first, ...rest] = unitIn(kite.map)[list] ?? [];
      if (first === undefined) continue;
      const less = problemsOf((map) => {
        unitIn(map)[list] = rest;
      });
      expect(less.map((problem) => problem.message)).toEqual([expect.stringContaining(`now also ${first}`)]);
    }
  });

  it('another order of calls is found, as it is the path through the unit', () => {
    const unit = kite.map.units.find((one) => one.calls.length > 1) as Unit;
    const problems = problemsOf((map) => map.units.find((one) => one.id === unit.id)?.calls.reverse());
    expect(problems.map((problem) => problem.message)).toEqual([expect.stringContaining(unit.title)]);
  });

  it.each(['kind', 'title', 'summary', 'stage', 'order', 'reasons', 'failures'] as const)(
    'another %s is found',
    (word) => {
      const values = { kind: 'stop', title: 'x', summary: 'x', stage: 'x', order: 99, reasons: ['x'], failures: [] };
      const unit = kite.map.units.find((one) => one[word] !== undefined && JSON.stringify(one[word]) !== '[]');
      const problems = problemsOf((map) => {
        Object.assign(map.units.find((one) => one.id === unit?.id) ?? {}, { [word]: values[word] });
      });
      expect(problems.map((problem) => problem.message).join(' ')).toContain(word);
    },
  );

  it('a unit, register, loop, stage or finding that is invented or left out is found', () => {
    const lies: [RegExp, (map: BehaviourMap) => void][] = [
      [/no such unit any more/, (map) => map.units.push({ ...(map.units[0] as Unit), id: 'unit:other:invented' })],
      [/does not have this unit/, (map) => map.units.pop()],
      [/no such register any more/, (map) => map.registers.push({ ...map.registers[0]!, id: 'register:invented' })],
      [/does not have this register/, (map) => map.registers.pop()],
      [/no agent loop any more/, (map) => map.loops.push('unit:other:invented')],
      [/No longer true: No brakes/, (map) => map.notFound.push('No brakes.')],
      [/The handbook does not say/, (map) => map.notFound.pop()],
      [/counts \d+ tools/, (map) => Object.assign(map.counts, { tools: map.counts.tools + 1 })],
      [/does not say that .* is an agent loop/, (map) => map.loops.splice(0)],
      [/does not have the stage/, (map) => map.stages.pop()],
      [/no stage invented any more/, (map) => map.stages.push({ ...map.stages[0]!, id: 'invented' })],
      [/The stage \S+ has other units/, (map) => map.stages[0]?.units.pop()],
      [/stages stand in another order/, (map) => map.stages.reverse()],
      [/steps of the loop/, (map) => map.steps?.pop()],
      [/its owner is/, (map) => Object.assign(map.registers[0]!, { owner: 'Nobody' })],
      [/its scope is/, (map) => Object.assign(map.registers[0]!, { scope: 'file' })],
      [/lines without a home/, (map) => map.unassigned.push({ file: 'src/loop.ts', start: 1, end: 2 })],
    ];
    for (const [message, lie] of lies) {
      const said = problemsOf((map) => void lie(map)).map((problem) => problem.message);
      expect([String(message), said.some((text) => message.test(text))]).toEqual([String(message), true]);
    }
  });
});

describe('the map as a file', () => {
  it('that is cut off or of another form is refused by name, before anything is compared', async () => {
    for (const spoil of [
      (file: string) => truncate(file, 200),
      (file: string) => writeFile(file, '{"schemaVersion": 2}'),
      (file: string) => writeFile(file, ''),
      (file: string) => rm(file),
    ]) {
      await rm(folder, { recursive: true, force: true });
      await cp(clean, folder, { recursive: true });
      await spoil(join(folder, 'map.json'));
      await expect(readMap(folder)).rejects.toThrow(/map\.json/);
      await expect(checkHandbook(kite.harness, folder)).rejects.toThrow(/map\.json/);
    }
  });

  it('changes nothing by being checked', async () => {
    const listing = async () =>
      Promise.all(
        (await readdir(join(clean, 'units'))).sort().map((name) => readFile(join(clean, 'units', name), 'utf8')),
      );
    const before = await listing();
    await checkHandbook(kite.harness, clean);
    expect(await listing()).toEqual(before);
  });
});
