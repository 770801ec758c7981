import { z } from 'zod';
import { InputError } from '../../core/errors';
import { type Harness, openHarness } from '../../core/harness';
import { addSuite, createRun, executeRun, findSuite, listTasks, suggestSuites, Trial } from '../../core/validation';
import { type Answer, answerWith, type CommandContext, commandGroup, newCommand } from '../command';
import { counted } from '../words';

export const SuiteDocument = z.object({
  name: z.string(),
  why: z.string(),
  suite: z.record(z.string(), z.unknown()),
  tasks: z.int(),
  /** The one trial that was made to prove the suite; null with --no-trial. */
  trial: Trial.nullable(),
});
type SuiteDocument = z.infer<typeof SuiteDocument>;

interface Options {
  name?: string;
  kind?: string;
  tasks?: string;
  trial: boolean;
}

/** `harnessmith suite new`. */
export function suiteCommand() {
  return commandGroup('suite', 'write a suite into harness.json', [newSuiteCommand()]);
}

function newSuiteCommand() {
  const command = newCommand('new', 'write a suite from what is in the repository, and run one trial to prove it')
    .argument('[command...]', 'after --: program and arguments of one trial, with {task}')
    .option('--name <name>', 'name of the suite')
    .option(
      '--kind <kind>',
      'pytest, vitest, inspect, harbor, terminal-bench, promptfoo or swe-bench, where several fit',
    )
    .option('--tasks <folder>', 'with a command: folder with a sub-folder a task')
    .option('--no-trial', 'write it without running a trial');
  answerWith(command, async (context, words: string[]): Promise<Answer<SuiteDocument>> => {
    const options = command.opts<Options>();
    const harness = await openHarness(context.folder);
    const { name, why, suite } = await chosen(harness, words, options);
    const added = await addSuite(harness, name, suite);
    const tasks = await listTasks(added.root, name, findSuite(added, name).suite);
    const trial = options.trial ? await prove(added, name, tasks, context) : null;
    const proven = trial === null || trial.verdict !== 'missing';
    return {
      document: { name, why, suite, tasks: tasks.length, trial },
      text: [`Wrote suite "${name}" with ${counted(tasks.length, 'task')}: ${why}.`, ...proofText(trial)].join('\n'),
      ok: proven,
    };
  });
  return command;
}

async function chosen(harness: Harness, words: readonly string[], options: Options) {
  if (words.length > 0) {
    const tasks = options.tasks === undefined ? ['task'] : { folder: options.tasks };
    return { name: options.name ?? 'tasks', why: 'the command given', suite: { tasks, command: [...words] } };
  }
  const found = (await suggestSuites(harness)).filter(
    (each) => options.kind === undefined || each.kind === options.kind,
  );
  const [first, second] = found;
  if (first && !second) return { name: options.name ?? first.name, why: first.why, suite: { ...first.config } };
  if (!first) {
    throw new InputError('Nothing in the repository looks like a set of tasks.', {
      code: 'suite-unclear',
      nextStep: 'Say how one trial is run: harnessmith suite new --tasks FOLDER -- PROGRAM ARGS {task}',
    });
  }
  throw new InputError(
    `Several suites could be written: ${found.map((each) => `${each.kind} (${each.why})`).join('; ')}.`,
    {
      code: 'suite-unclear',
      nextStep: `Choose one with --kind ${first.kind}.`,
    },
  );
}

/** One trial of the first task on the working tree. A failed trial proves the suite as well as a passed one. */
async function prove(
  harness: Harness,
  suiteName: string,
  tasks: string[],
  context: CommandContext,
): Promise<Trial | null> {
  const run = await createRun({ harness, suiteName, tasks: tasks.slice(0, 1), trials: 1 });
  const { trials } = await executeRun(harness.root, run.id, { signal: context.signal, progress: context.progress });
  return trials[0] ?? null;
}

function proofText(trial: Trial | null): string[] {
  if (trial === null) return [];
  if (trial.verdict !== 'missing') {
    return [
      `One trial of ${trial.task} ${trial.verdict === 'pass' ? 'passed' : 'failed'} in ${trial.seconds.toFixed(1)} s: the suite works.`,
    ];
  }
  const why = trial.exception ? `${trial.exception.type}: ${trial.exception.message}` : 'no reason was given';
  return [
    `One trial of ${trial.task} has no verdict (${why}). Its output: .harnessmith/runs/${trial.run}/${trial.output}`,
  ];
}
