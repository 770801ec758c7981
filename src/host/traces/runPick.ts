import * as vscode from 'vscode';
import type { TraceRun } from '../../core/traces/model';
import { count, outcomeWords, runFacts, runName } from './words';

/** Lets a person choose one of the runs, in this order. */
export async function pickRun(runs: readonly TraceRun[], title: string): Promise<TraceRun | null> {
  const picked = await vscode.window.showQuickPick(
    runs.map((run) => ({
      label: `$(${outcomeWords(run.outcome).icon}) ${run.task ?? runName(run)}`,
      description: [runName(run), outcomeWords(run.outcome).words, ...runFacts(run)].join('  '),
      run,
    })),
    { title: `${title} (${count(runs.length, 'trace')})`, matchOnDescription: true },
  );
  return picked?.run ?? null;
}
