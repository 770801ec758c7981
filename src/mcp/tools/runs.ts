import { z } from 'zod';
import { listRuns, readRun } from '../../core/validation';
import { tool } from '../tool';

/** Validation runs and what the statistics say of them. */
export const runsTool = tool({
  name: 'runs',
  title: 'Validation runs and verdicts',
  description:
    'The validation runs of this harness with their state; with "run" its verdict: sentence, difference, interval, p, the smallest gap it could ' +
    'find, tasks that flipped, and coverage. Verdicts are computed from trials, never by a model.',
  input: { run: z.string().optional().describe('Id of a run.') },
  async answer({ run }, session, work) {
    const { harness } = await session.current(work);
    if (run !== undefined) {
      const { manifest, verdict, trials } = await readRun(harness.root, run);
      const { id, suiteName, state, proposal, rule } = manifest;
      return JSON.stringify({ id, suiteName, state, proposal, rule, trials: trials.length, verdict }, null, 1);
    }
    const { runs, unreadable } = await listRuns(harness.root);
    const short = runs.map(({ id, suiteName, state, proposal, createdAt }) => ({
      id,
      suiteName,
      state,
      proposal,
      createdAt,
    }));
    return JSON.stringify({ runs: short, unreadable }, null, 1);
  },
});
