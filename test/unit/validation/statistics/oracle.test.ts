// An independent implementation as the judge: @stdlib, which the product itself does not use.

import stdlibQuantile from '@stdlib/stats-base-dists-normal-quantile';
import binomialTest from '@stdlib/stats-binomial-test';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { clopperPearson, exactMcNemar, normalQuantile } from '../../../../src/core/validation/statistics';
import { exact, near } from './near';

it('exact McNemar is the binomial test of a fair coin', () => {
  fc.assert(
    fc.property(fc.nat(300), fc.nat(300), (down, up) => {
      fc.pre(down + up > 0);
      near(exactMcNemar(down, up), binomialTest(up, down + up).pValue, exact);
    }),
  );
});

it('Clopper-Pearson is the interval of the binomial test', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 400 }), fc.double({ min: 0, max: 1, noNaN: true }), (total, share) => {
      const passed = Math.round(total * share);
      const { ci } = binomialTest(passed, total);
      const [low, high] = clopperPearson(passed, total);
      near(low, ci[0] ?? 0, 1e-9);
      near(high, ci[1] ?? 1, 1e-9);
      const strict = binomialTest(passed, total, { alpha: 0.2 }).ci;
      near(clopperPearson(passed, total, 0.8)[0], strict[0] ?? 0, 1e-9);
    }),
    { numRuns: 60 },
  );
});

it('normal quantiles agree from tail to tail', () => {
  fc.assert(
    fc.property(fc.double({ min: 1e-6, max: 1 - 1e-6, noNaN: true }), (p) => {
      near(normalQuantile(p), stdlibQuantile(p, 0, 1), 1e-10);
    }),
  );
  expect(stdlibQuantile(0.975, 0, 1)).toBeCloseTo(1.959963984540054, 14);
});
