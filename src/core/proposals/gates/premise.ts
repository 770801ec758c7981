import type { Gate } from './gate';

/** What the request takes for granted is so: what it names exists and has the value it says. */
export const premise: Gate = {
  id: 'premise',
  check({ premises }) {
    if (premises.length === 0) return null;
    return premises
      .filter((one) => !one.found)
      .map(({ mention, value, file, line }) => {
        if (!value) return { message: `the request speaks of "${mention}", which was not found in the harness` };
        const message = `the request says "${mention}", but the source says ${value}`;
        return { message, ...(file ? { file } : {}), ...(line ? { line } : {}) };
      });
  },
};
