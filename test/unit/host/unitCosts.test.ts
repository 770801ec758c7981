import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../src/core/traces';
import { turnCosts, unitCosts } from '../../../src/host/work/unitCosts';

function turn(n: number, input: number | null, output: number | null, over: Partial<Step> = {}): Step {
  const tokens = { input, output, cached: null, inputIncludesCached: null };
  return { n, kind: 'agent', text: '', calls: [], results: [], tokens, ...over };
}

describe('what a turn used', () => {
  it('is what its step recorded; only turns of the model count, each once', () => {
    const steps = [turn(1, 100, 20, { costUsd: 0.5 }), turn(2, null, null), turn(3, 10, null, { copied: true })];
    steps.push(turn(4, 7, 7, { kind: 'tool' }));
    expect(turnCosts({ costUsd: 9 }, steps)).toEqual([
      { n: 1, tokens: 120, costUsd: 0.5 },
      { n: 2, tokens: null, costUsd: null },
    ]);
  });

  it('is its share of the run, by tokens, when only the run has a price', () => {
    const costs = turnCosts({ costUsd: 4 }, [turn(1, 10, 20), turn(3, 8, 2), turn(5, null, null)]);
    expect(costs.map((one) => one.costUsd)).toEqual([3, 1, null]);
    expect(turnCosts({ costUsd: 4 }, [turn(1, null, null)])[0]!.costUsd).toBeNull();
  });
});

describe('what a unit used', () => {
  const turns = [
    { n: 2, tokens: 10, costUsd: 1 },
    { n: 4, tokens: 5, costUsd: null },
  ];

  it('is that of the turns its steps belong to: the turn itself, or the one that has to read the step', () => {
    const links = [
      { step: 2, unit: 'a' },
      { step: 1, unit: 'a' },
      { step: 3, unit: 'a' },
      { step: 5, unit: 'a' },
      { step: 4, unit: 'b' },
      { step: 4, unit: null },
    ];
    expect(unitCosts([{ turns, links }])).toEqual([
      { unit: 'a', steps: 2, tokens: 15, costUsd: 1 },
      { unit: 'b', steps: 1, tokens: 5, costUsd: null },
    ]);
  });

  it('adds up runs, and never exceeds what all turns used', () => {
    const link = fc.record({ step: fc.integer({ min: 1, max: 6 }), unit: fc.constantFrom('a', 'b') });
    fc.assert(
      fc.property(fc.array(link, { maxLength: 12 }), (links) => {
        for (const cost of unitCosts([
          { turns, links },
          { turns, links },
        ])) {
          expect(cost.tokens!).toBeLessThanOrEqual(30);
          expect(cost.steps % 2).toBe(0);
        }
      }),
    );
  });
});
