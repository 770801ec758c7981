import { describe, expect, it } from 'vitest';
import { decideHunks, partGates } from '../../../src/core/proposals';
import { decision, replace } from './sampleProposal';
import { storeProposal, temporaryFolder } from './temporaryHarness';

const files = { 'src/a.ts': 'export const one = 1;\n// between\nexport const two = 2;\n', 'prompts/a.md': 'Hello.\n' };

async function stored() {
  const root = await temporaryFolder(files);
  const decisions = [
    // Only together do these two make a program again.
    decision(
      'd1',
      replace('src/a.ts', 'export const one = 1;', 'export const one = (\n  1'),
      replace('src/a.ts', 'export const two = 2;', ');\nexport const two = 2;'),
    ),
    decision('d2', replace('prompts/a.md', 'Hello.', 'Hello there.')),
  ];
  const declares = { modify: ['src/a.ts', 'prompts/a.md'], add: [], remove: [] };
  const { proposal, hunks } = await storeProposal(root, decisions, { declares });
  const harness = { root, config: { protected: [] } };
  const accept = (...numbers: number[]) => decideHunks(root, proposal.id, numbers, 'accepted', 'tester');
  const objecting = async () =>
    (await partGates(harness, proposal.id))?.filter((gate) => !gate.passed).map((gate) => gate.gate);
  return { accept, objecting, count: hunks.length };
}

describe('partGates', () => {
  it('finds that a part does not parse although the whole does', async () => {
    const { accept, objecting } = await stored();
    await accept(1);
    expect(await objecting()).toEqual(['parses']);
  });

  it('takes the declarations of the part alone, and is content with a part that stands alone', async () => {
    const { accept, objecting } = await stored();
    await accept(3);
    expect(await objecting()).toEqual([]);
  });

  it('has nothing to say about nothing and about the whole', async () => {
    const { accept, objecting, count } = await stored();
    expect(count).toBeGreaterThanOrEqual(2);
    expect(await objecting()).toBeUndefined();
    await accept(...Array.from({ length: count }, (_, index) => index + 1));
    expect(await objecting()).toBeUndefined();
  });
});
