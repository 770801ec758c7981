import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { connectTo, type TaskQueue, type TaskRecord } from '../../../src/core/validation/queue/connection';
import { cancelId, parcelId } from '../../../src/core/validation/queue/messages';
import { ship, unpack, withdraw } from '../../../src/core/validation/queue/shipment';
import { packFiles, unpackFiles } from '../../../src/core/validation/queue/trialFiles';
import { commitAside, repository, runGit, temporaryFolder, writeFiles } from './repository';

/** A queue in memory, for what only keeps parcels. */
class Shelf implements TaskQueue {
  readonly jobs = new Map<string, TaskRecord>();
  async add(_name: string, data: unknown, { jobId }: { jobId: string }) {
    if (!this.jobs.has(jobId)) this.jobs.set(jobId, { data, returnvalue: null });
  }
  async getJob(id: string) {
    return this.jobs.get(id);
  }
  async remove(id: string) {
    return Number(this.jobs.delete(id));
  }
  async close() {}
}

const armsOf = (root: string, candidate: string) =>
  (['baseline', 'candidate'] as const).map((arm) => {
    const commit = arm === 'candidate' ? candidate : runGit(root, 'rev-parse', 'HEAD');
    return { arm, commit, tree: runGit(root, 'rev-parse', `${commit}^{tree}`), label: arm };
  });

describe('a shipment', () => {
  it('brings the exact files of both arms, without history, and leaves no reference behind', async () => {
    const root = repository({ 'sub/file': 'one', secret: 'kept' });
    writeFiles(root, { secret: 'gone in history' });
    runGit(root, 'commit', '--quiet', '--all', '-m', 'second');
    const arms = armsOf(root, commitAside(root, { 'sub/file': 'two' }));
    const shelf = new Shelf();
    const shipment = await ship(join(root, 'sub'), 'r-1', arms, shelf);
    expect(shipment.folder).toBe('sub');
    expect(runGit(root, 'for-each-ref', 'refs/harnessmith')).toBe('');

    const folder = join(temporaryFolder(), 'worker');
    await unpack('r-1', shipment, shelf, folder);
    const there = join(folder, 'repository');
    expect(runGit(there, 'rev-list', '--all', '--count')).toBe('2');
    expect(runGit(there, 'show', `${shipment.commits.candidate}:sub/file`)).toBe('two');
    expect(runGit(there, 'show', `${shipment.commits.baseline}:secret`)).toBe('gone in history');

    await withdraw('r-1', shipment, shelf);
    expect(shelf.jobs.size).toBe(0);
  });

  it('has the same hash for the same files', async () => {
    const root = repository({ file: 'one' });
    const arms = armsOf(root, commitAside(root, { file: 'two' }));
    const [first, second] = [await ship(root, 'r-1', arms, new Shelf()), await ship(root, 'r-1', arms, new Shelf())];
    expect(second.hash).toBe(first.hash);
  });

  it('that is not as it was sent is refused', async () => {
    const root = repository({ file: 'one' });
    const shelf = new Shelf();
    const shipment = await ship(root, 'r-1', armsOf(root, commitAside(root, { file: 'two' })), shelf);
    shelf.jobs.set(parcelId('r-1', 0), { data: { data: 'AAAA' }, returnvalue: null });
    await expect(unpack('r-1', shipment, shelf, temporaryFolder())).rejects.toMatchObject({ code: 'shipment-damaged' });
    shelf.jobs.clear();
    await expect(unpack('r-1', shipment, shelf, temporaryFolder())).rejects.toMatchObject({ code: 'shipment-damaged' });
  });
});

describe('files of a trial', () => {
  it('come back as they were', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), fc.uint8Array({ maxLength: 500 })),
        async (files) => {
          const [from, to] = [temporaryFolder(), temporaryFolder()];
          writeFiles(
            from,
            Object.fromEntries(
              Object.keys(files).map((name) => [`out/${name}`, Buffer.from(files[name] ?? []).toString('latin1')]),
            ),
          );
          expect(await unpackFiles(await packFiles(from), to)).toEqual([]);
          for (const name of Object.keys(files)) {
            expect(readFileSync(join(to, 'out', name))).toEqual(readFileSync(join(from, 'out', name)));
          }
        },
      ),
      { numRuns: 20 },
    );
  });

  it('do not leave the folder of the trial, and do not unpack without end', async () => {
    const folder = join(temporaryFolder(), 'trial');
    mkdirSync(folder);
    const text = gzipSync('x').toString('base64');
    const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024)).toString('base64');
    const refused = await unpackFiles(
      { '../outside': text, '/etc/outside': text, 'a/../../outside': text, bomb, broken: 'AAAA', 'a/b': text },
      folder,
    );
    expect(refused.sort()).toEqual(['../outside', '/etc/outside', 'a/../../outside', 'bomb', 'broken']);
    expect(existsSync(join(folder, '..', 'outside'))).toBe(false);
    expect(readFileSync(join(folder, 'a', 'b'), 'utf8')).toBe('x');
  });
});

describe('the address of a queue', () => {
  it('is shown without its password', () => {
    expect(connectTo('redis://me:secret@host:6379').shown).not.toContain('secret');
    expect(connectTo('postgres://me:secret@host/db').shown).not.toContain('secret');
  });

  it.each(['http://host', 'host:6379', '', 'file:///etc/passwd'])('%j is refused', (address) => {
    expect(() => connectTo(address)).toThrowError(expect.objectContaining({ code: 'queue-address' }));
  });

  it('that is refused is named without its password', () => {
    expect(() => connectTo('http://me:secret@host')).toThrowError(expect.not.stringContaining('secret') as never);
  });
});

it('ids of jobs hold no colon, which the queue refuses', () => {
  expect([parcelId('a:b', 1), cancelId('a:b')].join()).not.toContain(':');
});
