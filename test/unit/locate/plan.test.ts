import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { loadSources, type Sources } from '../../../src/core/handbook';
import { LocateAnswer, type LocatedSite, locate } from '../../../src/core/locate';
import { companions } from '../../../src/core/locate/companions';
import { planOf } from '../../../src/core/locate/plan';
import { type Prepared, prepare } from '../../../src/core/locate/prepare';
import { type BuiltHarness, builtFixture } from '../../fixtureHarness';

let kite: BuiltHarness;
let sources: Sources;
let prepared: Prepared;
beforeAll(async () => {
  kite = await builtFixture('kite');
  sources = await loadSources(kite.graph, kite.harness, {});
  prepared = await prepare(kite);
});
afterAll(() => kite.remove());

const site = (symbol: string, score: number, over: Partial<LocatedSite> = {}): LocatedSite => ({
  file: 'src/model.ts',
  symbol,
  start: 1,
  end: 2,
  score,
  reason: `matches ${symbol}`,
  state: 'fresh',
  ...over,
});
const names = (items: { symbol: string }[]) => items.map((item) => item.symbol);

describe('the plan', () => {
  const sites = [site('first', 10), site('second', 6), site('weak', 4.9)];

  it('leaves out what scores less than half of the best', () => {
    expect(names(planOf('change it', sites, [], kite.map).modify)).toEqual(['first', 'second']);
  });

  it('names at most five places, with the reason each was found for', () => {
    const many = Array.from({ length: 9 }, (_, n) => site(`s${n}`, 10));
    const { modify } = planOf('change it', many, [], kite.map);
    expect(modify).toHaveLength(5);
    expect(modify[0]).toEqual({ file: 'src/model.ts', symbol: 's0', why: 'matches s0' });
  });

  it.each(['remove it', 'Delete it', 'get rid of it', 'stop using it', 'deprecate it'])(
    '%s is a removal',
    (request) => {
      const plan = planOf(request, sites, [], kite.map);
      expect([names(plan.remove), plan.modify]).toEqual([['first', 'second'], []]);
    },
  );

  it('takes no word for a removal that only contains one', () => {
    expect(planOf('undeletedness of dropdowns', sites, [], kite.map).remove).toEqual([]);
  });

  it('puts a new part beside the best unit, and a new tool where tools are registered', () => {
    const unit = kite.map.units.find((one) => one.kind === 'limits') ?? kite.map.units[0]!;
    const { add } = planOf('add a second limit', sites, [{ unit, score: 1, reasons: [] }], kite.map);
    expect(add).toEqual([
      { file: unit.sites[0]!.file, symbol: unit.sites[0]!.symbol, why: `new parts belong beside "${unit.title}"` },
    ]);
    const tool = planOf('add a tool', sites, [{ unit, score: 1, reasons: [] }], kite.map).add;
    expect(tool[0]).toMatchObject({ file: 'src/tools/registry.ts', why: 'tools are registered here' });
  });

  it('is empty when nothing was found', () => {
    expect(planOf('change it', [], [], kite.map)).toEqual({ modify: [], add: [], remove: [] });
    expect(planOf('add it', [], [], kite.map).add).toEqual([]);
  });
});

describe('what to look at beside the sites', () => {
  it('holds no file twice, none of the sites themselves, and at most ten', () => {
    const sites = [site('complete', 5), site('run', 4, { file: 'src/loop.ts' })];
    const found = companions(sites, kite.map.units, kite.graph, prepared);
    const files = found.map((item) => item.file);
    expect(new Set(files).size).toBe(files.length);
    expect(files).not.toContain('src/model.ts');
    expect(files).not.toContain('src/loop.ts');
    expect(found.length).toBeLessThanOrEqual(10);
    for (const { file, line } of found) {
      expect(line).toBeGreaterThanOrEqual(1);
      expect(line).toBeLessThanOrEqual(sources.lines(file).length);
    }
  });

  it('is nothing for a site that nobody speaks of and no unit owns', () => {
    expect(companions([site('zz', 1)], [], kite.graph, prepared)).toEqual([]);
  });
});

it.each(['read a file', 'ask the model again', 'which tools are there', 'add a tool', 'remove the retry', 'x'])(
  'the answer to "%s" keeps to the schema, and every place is in the repository',
  async (request) => {
    const answer = await locate(request, kite).catch((error: { code: string }) => error);
    // One letter is no word to look for.
    if ('code' in answer) return expect([request, answer.code]).toEqual(['x', 'usage']);
    expect(LocateAnswer.safeParse(answer).success).toBe(true);
    for (const { file, start, end } of answer.sites) {
      expect(start).toBeLessThanOrEqual(end);
      expect(end).toBeLessThanOrEqual(sources.lines(file).length);
    }
  },
);
