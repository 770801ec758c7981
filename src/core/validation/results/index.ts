import { stat } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { InputError } from '../../errors';
import type { Trial } from '../model';
import { harborResults } from './harbor';
import { ownResults } from './ownRun';
import { promptfooResults } from './promptfoo';
import type { ResultReader } from './resultReader';
import { sweBenchResults } from './sweBench';
import { terminalBenchResults } from './terminalBench';
import { traceResults } from './traceFolder';

/** In the order they are asked; the one that takes any trace comes last. */
const readers: readonly ResultReader[] = [
  ownResults,
  harborResults,
  terminalBenchResults,
  sweBenchResults,
  promptfooResults,
  traceResults,
];

/** Finished trials of one side of a comparison, under one name. */
export interface TrialSet {
  name: string;
  trials: Trial[];
}

/**
 * Reads the results of a run of any known tool. All trials are kept, also those without a verdict.
 * @throws InputError when the path is missing, naming what was looked for when it holds no trials.
 */
export async function readTrialSet(path: string): Promise<TrialSet> {
  if (!(await stat(path).catch(() => undefined))) {
    throw new InputError(`${path} does not exist.`, { code: 'file-missing', nextStep: 'Check the path.' });
  }
  for (const reader of readers) {
    if (!(await reader.recognizes(path))) continue;
    const trials = await reader.read(path);
    if (trials.length > 0) return { name: basename(resolve(path)), trials };
  }
  throw new InputError(`${path} holds no trials that can be compared.`, {
    code: 'results-unknown',
    nextStep: `Give one of: ${readers.map(({ looksFor }) => looksFor).join('; ')}.`,
  });
}
