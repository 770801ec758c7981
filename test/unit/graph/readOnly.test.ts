import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { EnvironmentError } from '../../../src/core/errors';
import { IndexSession, indexHarness } from '../../../src/core/graph';
import { openHarness } from '../../../src/core/harness';
import { isReadOnly } from '../../../src/core/store';

// Tests may run as a user to whom no folder is read-only.
vi.mock('../../../src/core/store', async (original) => ({
  ...(await original<object>()),
  ensureStore: () => Promise.reject(refusal),
}));

let refusal: Error;
let root: string;

function refusedWith(code: string): Error {
  const cause = Object.assign(new Error(`${code}: mkdir`), { code });
  return new EnvironmentError('The folder cannot be made.', { code: 'store-unwritable', nextStep: 'None.', cause });
}

beforeEach(async () => {
  refusal = refusedWith('EROFS');
  root = await mkdtemp(join(tmpdir(), 'readonly-'));
  await writeFile(join(root, 'a.py'), 'def one():\n    two()\n\ndef two():\n    pass\n');
});
afterEach(() => rm(root, { recursive: true, force: true }));

it('a repository that can only be read is indexed in memory, which is said', async () => {
  const { graph, stats } = await indexHarness(await openHarness(root));
  expect(stats.inMemory).toBe(true);
  expect(graph.out('a.py#one', 'calls').map(({ to }) => to)).toEqual(['a.py#two']);
  expect(existsSync(join(root, '.harnessmith'))).toBe(false);
});

it('a session there keeps what it read from one save to the next', async () => {
  const session = new IndexSession(await openHarness(root));
  await session.refresh();
  await session.prepare();
  await session.store();
  await writeFile(join(root, 'a.py'), 'def one():\n    six()\n\ndef six():\n    pass\n');
  const updated = await session.update(['a.py']);
  expect(updated?.graph.out('a.py#one', 'calls').map(({ to }) => to)).toEqual(['a.py#six']);
  expect((await session.refresh()).stats).toMatchObject({ parsed: 0, reused: 1 });
});

it('what stands in the place of the folder is still told', async () => {
  refusal = refusedWith('EEXIST');
  await expect(indexHarness(await openHarness(root))).rejects.toBe(refusal);
});

it('knows the errors of files that can only be read, also as causes', () => {
  expect(isReadOnly(refusedWith('EACCES'))).toBe(true);
  expect(isReadOnly(new Error('x', { cause: new Error('attempt to write a readonly database') }))).toBe(true);
  expect(isReadOnly(new Error('database is locked'))).toBe(false);
});
