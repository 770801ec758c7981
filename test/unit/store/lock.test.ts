import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { acquireLock, type Lock, LockedError } from '../../../src/core/store';

let folder: string;
let file: string;
const deadProcess = spawnSync(process.execPath, ['-e', '']).pid;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'));
  file = join(folder, 'lock');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function abandoned(): Promise<void> {
  const owner = { owner: 'dead', pid: deadProcess, host: hostname(), since: new Date(0).toISOString() };
  await writeFile(file, JSON.stringify(owner));
}

describe('the take-over of an abandoned lock', () => {
  it('is won by one taker of many', async () => {
    for (let round = 0; round < 25; round++) {
      await abandoned();
      const takers = Array.from({ length: 8 }, (_, at) => acquireLock(file, { owner: `taker ${at}` }));
      const outcomes = await Promise.allSettled(takers);
      const won = outcomes.filter((one): one is PromiseFulfilledResult<Lock> => one.status === 'fulfilled');
      expect(won).toHaveLength(1);
      const winner = outcomes.findIndex((one) => one.status === 'fulfilled');
      expect(JSON.parse(await readFile(file, 'utf8')).owner).toBe(`taker ${winner}`);
      for (const one of outcomes) if (one.status === 'rejected') expect(one.reason).toBeInstanceOf(LockedError);
      expect(await readdir(folder)).toEqual(['lock']);
      await won[0]!.value.release();
      expect(await readdir(folder)).toEqual([]);
    }
  });

  it('is left to the process that is about it', async () => {
    await abandoned();
    await writeFile(`${file}.takeover`, '');
    await expect(acquireLock(file, { owner: 'late' })).rejects.toThrow(LockedError);
    expect(JSON.parse(await readFile(file, 'utf8')).owner).toBe('dead');
  });

  it('goes on when the process that was about it died', async () => {
    await abandoned();
    await writeFile(`${file}.takeover`, '');
    await utimes(`${file}.takeover`, new Date(0), new Date(0));
    const lock = await acquireLock(file, { owner: 'next' });
    expect(await readdir(folder)).toEqual(['lock']);
    await lock.release();
  });
});

describe('a lock that was taken over from a living owner', () => {
  it('is neither removed nor kept alive by that owner', async () => {
    const first = await acquireLock(file, { owner: 'slow' });
    // No heartbeat for longer than anybody waits.
    await utimes(file, new Date(0), new Date(0));
    const second = await acquireLock(file, { owner: 'quick' });
    const { ino } = await stat(file);
    // Locks of one process are told apart by their time.
    await writeFile(file, (await readFile(file, 'utf8')).replace(/"since":"[^"]*"/, '"since":"later"'));
    await first.release();
    expect((await stat(file)).ino).toBe(ino);
    expect(JSON.parse(await readFile(file, 'utf8')).owner).toBe('quick');
    await second.release();
  });
});
