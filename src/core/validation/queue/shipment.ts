import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { EnvironmentError } from '../../errors';
import { git } from '../../harness';
import type { Candidate } from '../model';
import { requireRepository } from '../worktrees';
import type { TaskQueue } from './connection';
import { Parcel, parcelId, type Shipment } from './messages';

const partBytes = 8 * 1024 * 1024;

/** The same tree makes the same commit at any time, so the bundle has a stable hash. */
const fixed = Object.fromEntries(
  ['AUTHOR', 'COMMITTER'].flatMap((role) => [
    [`GIT_${role}_NAME`, 'Harnessmith'],
    [`GIT_${role}_EMAIL`, 'harnessmith@localhost'],
    [`GIT_${role}_DATE`, '2000-01-01T00:00:00Z'],
  ]),
);

/** Puts the trees of the arms, without their history, into one git bundle and leaves it in the queue. */
export async function ship(
  root: string,
  run: string,
  arms: readonly Candidate[],
  parcels: TaskQueue,
): Promise<Shipment> {
  const { topLevel } = await requireRepository(root);
  const commits: Shipment['commits'] = {};
  const refs: string[] = [];
  const folder = await mkdtemp(join(tmpdir(), 'harnessmith-shipment-'));
  try {
    for (const { arm, tree } of arms) {
      const made = await git(root, ['commit-tree', tree, '-m', 'shipment'], { environment: fixed });
      commits[arm] = made.stdout.trim();
      const ref = `refs/harnessmith/shipments/${run}/${arm}`;
      await git(root, ['update-ref', ref, commits[arm]]);
      refs.push(ref);
    }
    const file = join(folder, 'bundle');
    await git(root, ['bundle', 'create', '--quiet', file, ...refs]);
    const bundle = await readFile(file);
    const parts = Math.ceil(bundle.length / partBytes);
    for (let part = 0; part < parts; part++) {
      const data = bundle.subarray(part * partBytes, (part + 1) * partBytes).toString('base64');
      await parcels.remove(parcelId(run, part));
      await parcels.add('parcel', { data }, { jobId: parcelId(run, part) });
    }
    const hash = createHash('sha256').update(bundle).digest('hex');
    return {
      hash,
      parts,
      commits,
      folder: relative(topLevel, await realpath(root))
        .split(sep)
        .join('/'),
    };
  } finally {
    for (const ref of refs) await git(root, ['update-ref', '-d', ref]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** Takes the bundle of a run out of the queue. */
export async function withdraw(run: string, { parts }: Shipment, parcels: TaskQueue): Promise<void> {
  for (let part = 0; part < parts; part++) await parcels.remove(parcelId(run, part));
}

/**
 * Makes a repository with the shipped commits in an empty folder.
 * @throws EnvironmentError when a part is missing or the content is not what was sent.
 */
export async function unpack(run: string, shipment: Shipment, parcels: TaskQueue, folder: string): Promise<void> {
  const buffers: Buffer[] = [];
  for (let part = 0; part < shipment.parts; part++) {
    const job = await parcels.getJob(parcelId(run, part));
    if (job) buffers.push(Buffer.from(Parcel.parse(job.data).data, 'base64'));
  }
  const bundle = Buffer.concat(buffers);
  if (createHash('sha256').update(bundle).digest('hex') !== shipment.hash) {
    throw new EnvironmentError(`The harness versions of run ${run} are not in the queue as they were sent.`, {
      code: 'shipment-damaged',
      nextStep: `Send them again: harnessmith validate --resume ${run} with the address of the queue.`,
    });
  }
  await mkdir(folder, { recursive: true });
  const file = join(folder, 'shipment.bundle');
  await writeFile(file, bundle);
  await git(folder, ['init', '--quiet', 'repository']);
  const repository = join(folder, 'repository');
  await git(repository, ['fetch', '--quiet', file, 'refs/harnessmith/*:refs/harnessmith/*']);
  // The folder of the harness must be there for the worktrees to be placed by it.
  await git(repository, ['checkout', '--quiet', '--detach', Object.values(shipment.commits)[0] as string]);
  await rm(file);
}
