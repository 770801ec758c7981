import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { plantedFlaws } from '../../support/flawCases';

it('names the place of planted flaws in three languages among the first three records', async () => {
  const cases = await plantedFlaws(resolve('test/fixtures/flawed'));
  expect(cases).toHaveLength(12);
  const first = cases.filter(({ rank }) => rank !== null && rank <= 3);
  const scoped = cases.filter(({ scopeRank }) => scopeRank !== null && scopeRank <= 3);
  // Figures of `npm run bench:flaws`; they may only rise.
  expect(first.length).toBeGreaterThanOrEqual(10);
  expect(scoped.length).toBeGreaterThanOrEqual(10);
}, 60_000);
