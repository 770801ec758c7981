import { describe, expect, it } from 'vitest';
import { HarnessConfig } from '../../../src/core/harness';
import { withheldTasks } from '../../../src/core/validation';

function harnessWith(splits: unknown) {
  const suite = { tasks: ['a', 'b', 'c'], command: ['run'], ...(splits ? { splits } : {}) };
  return { root: '/nowhere', name: 'h', configFile: null, config: HarnessConfig.parse({ suites: { s: suite } }) };
}

describe('withheldTasks', () => {
  it('are those of the selection and sealed splits', async () => {
    const harness = harnessWith({ search: ['a'], selection: ['b'], sealed: ['c'] });
    expect((await withheldTasks(harness)).sort()).toEqual(['b', 'c']);
  });

  it('are none without splits', async () => {
    expect(await withheldTasks(harnessWith(undefined))).toEqual([]);
  });
});
