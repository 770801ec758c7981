import { afterAll, beforeAll, expect, test } from 'vitest';
import { openWorkbench, type Workbench } from '../../scripts/editor/index.mjs';

let workbench: Workbench;

beforeAll(async () => {
  workbench = await openWorkbench(null);
});

afterAll(async () => {
  await workbench?.close();
});

test('an empty window shows the workbench', async () => {
  expect(await workbench.page.locator('.activitybar').count()).toBe(1);
});
