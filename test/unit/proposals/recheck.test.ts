import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHarness } from '../../../src/core/harness';
import { importDiff, openProposal, recheckGates } from '../../../src/core/proposals';
import { temporaryRepository } from './temporaryHarness';

const patch = `--- a/limit.ts
+++ b/limit.ts
@@ -1 +1 @@
-export const limit = 3;
+export const limit = 5;
`;

it('checks a stored proposal against the files as they are now, and writes nothing', async () => {
  const root = await temporaryRepository({ 'limit.ts': 'export const limit = 3;\n' });
  const harness = await openHarness(root);
  const { id } = await importDiff(harness, patch, { title: 'Raise the limit from 3 to 5' });
  const passed = await recheckGates(harness, id);
  expect(passed.find(({ gate }) => gate === 'stale')).toEqual({ gate: 'stale', passed: true, problems: [] });
  expect(passed.find(({ gate }) => gate === 'premise')!.passed).toBe(true);
  const before = await openProposal(root, id);
  await writeFile(join(root, 'limit.ts'), 'export const limit = 4;\n');
  const objects = await recheckGates(harness, id);
  expect(objects.find(({ gate }) => gate === 'stale')).toMatchObject({
    passed: false,
    problems: [{ file: 'limit.ts' }],
  });
  expect(await openProposal(root, id)).toEqual(before);
});
