import type { Gate } from './gate';

/** What the request takes for granted is so: every thing it names exists. */
export const premise: Gate = {
  id: 'premise',
  check({ premises }) {
    if (premises.length === 0) return null;
    return premises
      .filter((one) => !one.found)
      .map((one) => ({ message: `the request speaks of "${one.mention}", which was not found in the harness` }));
  },
};
