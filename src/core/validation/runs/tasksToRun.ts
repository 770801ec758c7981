import { InputError } from '../../errors';
import type { SuiteConfig } from '../../harness';
import { Ledger } from '../../store';
import type { RunManifest, Split } from '../model';
import { inclusionProbabilities, poissonSample } from '../statistics';
import type { CreateRunRequest } from './createRun';

/**
 * The split a run is of; undefined where the suite has none, or where the tasks are named one by one. Enforces that the
 * sealed split is opened on purpose and once a campaign.
 * @throws InputError when it is not confirmed, is spent, or when single tasks of it are asked for.
 */
export async function splitToRun(
  root: string,
  suiteName: string,
  suite: SuiteConfig,
  taskSplits: Record<string, Split> | undefined,
  request: Pick<CreateRunRequest, 'split' | 'openSealed' | 'tasks' | 'candidate' | 'screen'>,
): Promise<Split | undefined> {
  if (taskSplits === undefined) {
    if (request.split === undefined) return undefined;
    throw new InputError(`Suite "${suiteName}" has no splits.`, {
      code: 'split-unknown',
      nextStep: 'Add "splits" to the suite in harness.json, or leave the split out.',
    });
  }
  const named = request.tasks !== undefined;
  if (named && request.split === undefined) {
    const sealed = request.tasks?.filter((task) => taskSplits[task] === 'sealed') ?? [];
    if (sealed.length === 0) return undefined;
    throw new InputError(`${sealed.join(', ')} of suite "${suiteName}" is sealed and not run apart.`, {
      code: 'sealed-task',
      nextStep: 'Score the sealed split as a whole, once, at the end of the campaign.',
    });
  }
  const split = request.split ?? (request.candidate && request.candidate !== 'same' ? 'selection' : 'search');
  if (!Object.values(taskSplits).includes(split)) {
    throw new InputError(`The ${split} split of suite "${suiteName}" has no tasks.`, {
      code: 'split-empty',
      nextStep: 'Give it tasks or a larger share under "splits" in harness.json.',
    });
  }
  if (split === 'sealed') await openSealed(root, suiteName, suite, request);
  return split;
}

async function openSealed(
  root: string,
  suiteName: string,
  suite: SuiteConfig,
  request: Pick<CreateRunRequest, 'openSealed' | 'tasks' | 'screen'>,
): Promise<void> {
  const { entries } = await (await Ledger.open(root)).read();
  const campaign = suite.campaign ?? '';
  const spent = entries.find(
    (entry) =>
      entry.kind === 'run' && entry.split === 'sealed' && entry.suite === suiteName && entry.campaign === campaign,
  );
  if (spent?.kind === 'run') {
    throw new InputError(`The sealed split of suite "${suiteName}" is spent: run ${spent.run} has scored it.`, {
      code: 'sealed-spent',
      nextStep: `Read it with: harnessmith runs show ${spent.run}. A new "campaign" with new sealed tasks opens another.`,
    });
  }
  if (request.tasks !== undefined || request.screen !== undefined) {
    throw new InputError('The sealed split is scored as a whole.', {
      code: 'sealed-task',
      nextStep: 'Leave the tasks out.',
    });
  }
  if (request.openSealed) return;
  throw new InputError(`The sealed split of suite "${suiteName}" is scored once a campaign, and is then spent.`, {
    code: 'sealed-unconfirmed',
    nextStep: 'When the candidate is final, confirm it: add --open-sealed.',
  });
}

/** Tasks drawn by weight for screening, with the chance each one had; all tasks without a wish to screen. */
export function drawnTasks(
  tasks: string[],
  screen: CreateRunRequest['screen'],
): { tasks: string[]; screening?: RunManifest['screening'] } {
  if (screen === undefined) return { tasks };
  if (!(screen.size >= 1 && screen.size <= tasks.length)) {
    throw new InputError(`${screen.size} of ${tasks.length} tasks cannot be drawn.`, {
      code: 'screen-wrong',
      nextStep: `Give 1 to ${tasks.length}.`,
    });
  }
  const chances = inclusionProbabilities(
    tasks.map((task) => screen.weights?.[task] ?? 1),
    screen.size,
  );
  const seed = screen.seed ?? 1;
  // An empty draw says nothing; the next seed is as good as this one.
  let drawn: number[] = [];
  for (let turn = 0; drawn.length === 0; turn++) drawn = poissonSample(chances, seed + turn);
  const inclusion = Object.fromEntries(drawn.map((index) => [tasks[index] ?? '', chances[index] ?? 1]));
  return {
    tasks: Object.keys(inclusion),
    screening: { population: tasks.length, inclusion, why: screen.why ?? 'drawn by weight' },
  };
}

/**
 * Weights for screening: tasks whose outcome varies tell most, p (1 - p) with one imagined pass and failure each, and tasks
 * that touch the changed places count four times.
 */
export function screeningWeights(
  tasks: readonly string[],
  known: ReadonlyMap<string, { passed: number; of: number }>,
  touching: ReadonlySet<string> = new Set(),
): Record<string, number> {
  return Object.fromEntries(
    tasks.map((task) => {
      const { passed, of } = known.get(task) ?? { passed: 0, of: 0 };
      const rate = (passed + 1) / (of + 2);
      return [task, rate * (1 - rate) * (touching.has(task) ? 4 : 1)];
    }),
  );
}
