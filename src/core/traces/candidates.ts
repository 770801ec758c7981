import { stat } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import type { TraceRun } from './model';

const HIGHEST = 12;

/**
 * Names the candidate a run belongs to when it lies in the run folder of an optimizer. Only layouts with a file that
 * marks them are known: AHE experiments, Meta-Harness jobs and a-evolve workspaces; other optimizers write the candidate
 * into the trace itself.
 */
export async function withCandidate(run: TraceRun): Promise<TraceRun> {
  if (run.candidate !== undefined && run.candidate !== null) return run;
  let folder = dirname(run.file);
  for (let level = 0; level < HIGHEST && folder !== dirname(folder); level += 1) {
    const inside = relative(folder, run.file).split(sep);
    for (const layout of LAYOUTS) {
      const candidate = layout.candidate(inside, basename(folder));
      if (candidate === null) continue;
      if (await anyExists(layout.marks.map((mark) => join(folder, mark)))) return { ...run, candidate };
    }
    folder = dirname(folder);
  }
  return run;
}

interface Layout {
  /** Files or folders, of which one is in the folder that this layout is about. */
  marks: readonly string[];
  /** The candidate, from the path below that folder. */
  candidate(path: readonly string[], name: string): string | null;
}

const LAYOUTS: readonly Layout[] = [
  {
    // AHE: what iteration N measures are the changes that iteration N - 1 declared.
    marks: ['iteration_scores.yaml', 'config_snapshot.yaml', 'task_history.json'],
    candidate(path) {
      const [runs, iteration, input] = path;
      const number = /^iteration_(\d+)$/.exec(iteration ?? '')?.[1];
      if (runs !== 'runs' || number === undefined || input !== 'input') return null;
      const variant = path.find((part) => /^variant_\d+$/.test(part));
      const measured = `iteration_${String(Number(number) - 1).padStart(number.length, '0')}`;
      return variant === undefined ? measured : `${measured}/${variant}`;
    },
  },
  {
    // Meta-Harness: jobs/<run>/<job>/<trial>/…, the job named after the candidate and the number of trials.
    marks: ['logs', 'meta_harness.py', 'evolution_summary.jsonl'],
    candidate(path) {
      const [jobs, , job] = path;
      const name = /^(?:evolve-|smoke-|final-)?(.+)-t\d+$/.exec(job ?? '')?.[1];
      return jobs === 'jobs' && name !== undefined ? name : null;
    },
  },
  {
    // a-evolve: candidates keep traces of their own; batches are numbered.
    marks: ['history.jsonl', 'metrics.json', 'observations', 'candidates'],
    candidate(path, name) {
      if (name !== 'evolution') return null;
      if (path[0] === 'candidates') return path[1] ?? null;
      const batch = path.find((part) => /^batch_\d+/.test(part));
      return batch === undefined ? null : batch.replace(/\.jsonl$/, '');
    },
  },
];

async function anyExists(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) {
    const found = await stat(path).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}
