import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { IndexSession, loadGraph } from '../../../src/core/graph';
import { HeldCache } from '../../../src/core/graph/heldCache';
import { openHarness } from '../../../src/core/harness';
import { storePaths } from '../../../src/core/store';

let root: string;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'held-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(root, { recursive: true, force: true });
});

it('gives the open cache again until its time is over', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const held = new HeldCache(root);
  const first = await held.open();
  held.leave(1000);
  vi.advanceTimersByTime(900);
  expect(await held.open()).toBe(first);
  held.leave(1000);
  vi.advanceTimersByTime(1001);
  expect(() => first.files()).toThrow();
  expect(await held.open()).not.toBe(first);
  held.leave(0);
});

it('does not write to a file that was removed', async () => {
  const held = new HeldCache(root);
  const first = await held.open();
  held.leave(10_000);
  await rm(storePaths(root).cache, { recursive: true });
  const second = await held.open();
  expect(second).not.toBe(first);
  second.update([{ path: 'a.py', bytes: 1, mtimeMs: 1, hash: 'h', record: '{}', body: '' }], []);
  held.leave(0);
  expect(existsSync(storePaths(root).indexDatabase)).toBe(true);
  expect([...(await held.open()).files().keys()]).toEqual(['a.py']);
  held.leave(0);
});

it('a saved file after the cache was removed still gives its graph, and it can be stored', async () => {
  await writeFile(join(root, 'a.py'), 'def one():\n    two()\n\ndef two():\n    pass\n');
  await writeFile(join(root, 'b.py'), 'from a import one\n\ndef main():\n    one()\n');
  const session = new IndexSession(await openHarness(root));
  await session.refresh();
  await session.prepare();
  await writeFile(join(root, 'a.py'), 'def one():\n    three()\n\ndef three():\n    pass\n');
  await session.update(['a.py']);
  await rm(storePaths(root).cache, { recursive: true });
  await writeFile(join(root, 'b.py'), 'from a import three\n\ndef main():\n    three()\n');
  const updated = await session.update(['b.py']);
  expect(updated?.graph.out('b.py#main', 'calls').map(({ to }) => to)).toEqual(['a.py#three']);
  await session.store();
  const stored = await loadGraph(await openHarness(root));
  expect(stored?.out('b.py#main', 'calls').map(({ to }) => to)).toEqual(['a.py#three']);
});
