import { z } from 'zod';
import { Arm, RunManifest, Trial } from '../model';

/** Name of the queues. The number changes with the form of what is in them, so that unlike versions never meet. */
export const trialQueue = 'harnessmith-trials-1';
/** Never worked on: it only keeps what all trials of a run need. */
export const parcelQueue = 'harnessmith-parcels-1';

/** How to get at the harness versions of a run. */
export const Shipment = z.object({
  /** sha256 of the bundle, hex. */
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  parts: z.int().min(1),
  /** Commits in the bundle by arm: the trees of the arms without their history. */
  commits: z.partialRecord(Arm, z.string().regex(/^[0-9a-f]{40,64}$/)),
  /** Folder of the harness in its repository; empty for the top. */
  folder: z.string(),
});
export type Shipment = z.infer<typeof Shipment>;

/** One trial to be made. `manifest` has only the task of this trial. */
export const TrialJob = z.object({
  manifest: RunManifest,
  shipment: Shipment,
  trial: z.object({ task: z.string(), arm: Arm, repeat: z.int().min(1), seed: z.int() }),
});
export type TrialJob = z.infer<typeof TrialJob>;

/** A made trial and the files of its folder, by path relative to it; gzip, then base64. */
export const TrialAnswer = z.object({
  /** Null when the trial was cancelled. */
  trial: Trial.nullable(),
  files: z.record(z.string(), z.string()),
  worker: z.string(),
});
export type TrialAnswer = z.infer<typeof TrialAnswer>;

/** A part of a bundle, base64. */
export const Parcel = z.object({ data: z.string() });

/** Job ids must not hold colons, which run ids and task names may. */
export function parcelId(run: string, part: number): string {
  return `${run.replaceAll(':', '-')}-part-${part}`;
}

/** A parcel of this id tells workers to drop the trials of a run. */
export function cancelId(run: string): string {
  return `${run.replaceAll(':', '-')}-cancelled`;
}
