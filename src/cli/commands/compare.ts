import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { openHarness } from '../../core/harness';
import { isMissing } from '../../core/store';
import { compareResultFiles, compareRuns, type Verdict } from '../../core/validation';
import { type Answer, answerWith, newCommand } from '../command';
import { verdictText } from '../runTexts';

export { Verdict as CompareDocument } from '../../core/validation';

/** `harnessmith compare <runA> <runB>`: statistics on two finished runs or on result files. */
export function compareCommand() {
  const command = newCommand('compare', 'judge one finished run, or one set of results, against another')
    .argument('<before>', 'run id, run folder, trials.jsonl or Harbor job folder')
    .argument('<after>', 'the same');
  answerWith(command, async (context, before: string, after: string): Promise<Answer<Verdict>> => {
    const verdict = (await arePaths(before, after))
      ? await compareResultFiles(resolve(before), resolve(after))
      : await compareRuns((await openHarness(context.folder)).root, before, after);
    return { document: verdict, text: verdictText(verdict), ok: verdict.verdict !== 'reject' };
  });
  return command;
}

async function arePaths(...names: string[]): Promise<boolean> {
  const found = names.map((name) =>
    stat(resolve(name)).then(
      () => true,
      (error) => {
        if (isMissing(error)) return false;
        throw error;
      },
    ),
  );
  return (await Promise.all(found)).every(Boolean);
}
