import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { readJsonLines } from '../../store';
import { type Arm, Trial } from '../model';
import { uniqueTrials } from '../runs/trialLog';
import type { ResultReader } from './resultReader';

/** A run of our own, by its folder or its `trials.jsonl`. The candidate counts, or the only arm. */
export const ownResults: ResultReader = {
  id: 'run',
  looksFor: 'a run folder with trials.jsonl',
  async recognizes(path) {
    return (await stat(await trialsFile(path)).catch(() => undefined))?.isFile() === true;
  },
  async read(path) {
    const { entries } = await readJsonLines(await trialsFile(path), Trial);
    const trials = uniqueTrials(entries);
    const arm: Arm = trials.some((trial) => trial.arm === 'candidate') ? 'candidate' : 'baseline';
    return trials.filter((trial) => trial.arm === arm);
  },
};

async function trialsFile(path: string): Promise<string> {
  if (basename(path).endsWith('.jsonl')) return path;
  return join(path, 'trials.jsonl');
}
