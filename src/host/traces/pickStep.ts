import * as vscode from 'vscode';
import { runCommand } from '../commands';
import type { TouchStep } from '../handbook/touches';
import type { Services } from '../services';
import { outcomeWords, runName } from './words';

/** Lets a person choose one of these steps, failing ones first, and opens its trace there. */
export async function pickStep(services: Services, steps: readonly TouchStep[], title: string): Promise<void> {
  const ordered = [...steps].sort((a, b) => Number(b.failing) - Number(a.failing));
  const picked = await vscode.window.showQuickPick(
    ordered.map((step) => {
      const run = services.traces.run(step.run);
      return {
        label: `$(${step.failing ? 'error' : 'pass'}) ${step.task ?? 'no task'}, step ${step.step}`,
        description: run ? `${runName(run)}, ${outcomeWords(run.outcome).words}` : '',
        detail: `evidence: ${step.kind}`,
        target: { run: step.run, step: step.step },
      };
    }),
    { title, matchOnDescription: true, placeHolder: ordered.length ? 'Failing steps first' : 'No step leads here' },
  );
  if (picked) await runCommand('harnessmith.openTrace', picked.target);
}
