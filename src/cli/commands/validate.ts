import { resolve } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { EngineId, type Harness, openHarness } from '../../core/harness';
import { commitTaken } from '../../core/proposals';
import {
  createRun,
  executeRun,
  executorAt,
  extendRun,
  findSuite,
  listRuns,
  listTasks,
  RunManifest,
  readRun,
  Split,
  screeningWeights,
  Trial,
  type TrialExecutor,
  Verdict,
} from '../../core/validation';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { positive } from '../options';
import { queueAddress, queueVariable } from '../queueAddress';
import { addRuleOptions, type RuleOptions, ruleChoices } from '../ruleOptions';
import { saveReport } from '../runReports';
import { planText, verdictText } from '../runTexts';

export const ValidateDocument = z.object({ manifest: RunManifest, verdict: Verdict, trials: z.array(Trial) });
type ValidateDocument = z.infer<typeof ValidateDocument>;

interface Options extends RuleOptions {
  junit?: string;
  suite?: string;
  trials?: string;
  tasks?: string[];
  split?: string;
  openSealed?: boolean;
  screen?: string;
  engine?: string;
  budget?: string;
  resume?: string;
  again?: boolean;
  more?: string;
  same?: boolean;
  queue?: string | true;
}

/** `harnessmith validate <proposal>`: both arms in worktrees, then the verdict. */
export function validateCommand() {
  const command = newCommand('validate', 'run baseline and candidate in separate worktrees, then judge')
    .argument('[proposal]', 'id of a proposal; its accepted hunks are the candidate')
    .option('--suite <name>', 'suite of harness.json')
    .option('--trials <number>', 'repeats of each task and arm')
    .option('--tasks <name...>', 'only these tasks')
    .option('--split <name>', 'search, selection or sealed; selection for a candidate when absent')
    .option('--open-sealed', 'confirm that the sealed split is scored now; it is spent afterwards')
    .option('--screen <number>', 'draw about so many tasks by what earlier baselines say of them; admits nothing')
    .option('--engine <id>', 'refuse the suite when it is run otherwise; the engine stands in the suite')
    .option('--budget <usd>', 'stop when the trials cost this much; needs trials that record their cost')
    .option('--resume <run>', 'go on with a run; finished trials are kept')
    .option('--more <number>', 'with --resume: plan this many more repeats of a finished run; one of its planned looks')
    .option('--again', 'with --resume: make trials again that failed by infrastructure')
    .option(
      '--queue [url]',
      `make the trials on the machines that work for this queue; without an address that of ${queueVariable}`,
    )
    .option('--same', 'the baseline against itself (A/A), to see the noise');
  addRuleOptions(command).option('--junit <file>', 'also write the result as JUnit XML into this file');
  answerWith(command, async (context, proposal?: string): Promise<Answer<ValidateDocument>> => {
    const options = command.opts<Options>();
    const harness = await openHarness(context.folder);
    const budget = budgetOf(options);
    const manifest = options.resume ? undefined : await newRun(harness, proposal, options);
    if (manifest && !context.json) context.note(planText(manifest));
    const run = options.resume ?? manifest?.id ?? '';
    if (options.resume && options.more) await extendRun(harness.root, run, positive(options.more, '--more'));
    const address = options.queue === undefined ? undefined : queueAddress(options.queue, '--queue');
    const executor = address === undefined ? undefined : await executorAt(address);
    const result = await executeWithin(harness, run, { budget, again: options.again, executor }, context);
    if (options.junit !== undefined) await saveReport(resolve(options.junit), 'junit', result);
    return {
      document: result,
      text: verdictText(result.verdict, result.trials, result.manifest),
      ok: result.verdict.verdict !== 'reject',
    };
  });
  return command;
}

async function newRun(harness: Harness, proposal: string | undefined, options: Options): Promise<RunManifest> {
  const { name, suite } = findSuite(harness, options.suite);
  if (options.engine !== undefined && options.engine !== suite.engine) {
    throw new InputError(`Suite "${name}" is run by the engine "${suite.engine}", not by "${options.engine}".`, {
      code: 'usage',
      nextStep: `Leave --engine out, or set "engine" of the suite. Engines: ${EngineId.options.join(', ')}.`,
    });
  }
  if ((proposal === undefined) === !options.same) {
    throw new InputError('Name what to validate.', {
      code: 'usage',
      nextStep: 'Give the id of a proposal, or --same for the baseline against itself, or --resume RUN.',
    });
  }
  const candidate = proposal === undefined ? 'same' : await commitTaken(harness.root, proposal);
  return createRun({
    harness,
    suiteName: options.suite,
    proposal: proposal ?? null,
    candidate,
    trials: options.trials === undefined ? undefined : positive(options.trials, '--trials'),
    tasks: options.tasks,
    rule: ruleChoices(options),
    split: options.split === undefined ? undefined : splitNamed(options.split),
    openSealed: options.openSealed,
    screen: options.screen === undefined ? undefined : await screenOf(harness, options),
  });
}

function splitNamed(name: string): Split {
  const parsed = Split.safeParse(name);
  if (parsed.success) return parsed.data;
  throw new InputError(`--split ${name} is no split.`, {
    code: 'usage',
    nextStep: `Give one of ${Split.options.join(', ')}.`,
  });
}

/** How many tasks to draw, and what earlier trials of the suite say about each: those that vary tell most. */
async function screenOf(harness: Harness, options: Options) {
  const { name, suite } = findSuite(harness, options.suite);
  const tasks = await listTasks(harness.root, name, suite);
  const known = new Map<string, { passed: number; of: number }>();
  for (const run of (await listRuns(harness.root)).runs.filter((each) => each.suiteName === name).slice(0, 20)) {
    for (const { task, arm, verdict } of (await readRun(harness.root, run.id)).trials) {
      if (arm !== 'baseline' || verdict === 'missing') continue;
      const { passed, of } = known.get(task) ?? { passed: 0, of: 0 };
      known.set(task, { passed: passed + Number(verdict === 'pass'), of: of + 1 });
    }
  }
  const size = positive(options.screen ?? '', '--screen');
  return { size, weights: screeningWeights(tasks, known), why: 'tasks whose outcome varies', seed: suite.seed };
}

/** Dollars that may be spent; checked before a run is made, so that a wrong sum leaves none behind. @throws InputError */
function budgetOf({ budget }: Options): number {
  const sum = budget === undefined ? Number.POSITIVE_INFINITY : Number(budget);
  if (sum > 0) return sum;
  throw new InputError(`--budget ${budget} is no sum.`, { code: 'usage', nextStep: 'Give dollars, such as 2.50.' });
}

/** Executes the run; a spent budget stops it like a cancel, so it can be resumed. */
async function executeWithin(
  harness: Harness,
  run: string,
  { budget, again, executor }: { budget: number; again?: boolean; executor?: TrialExecutor },
  context: CommandContext,
) {
  const spent = new AbortController();
  let costUsd = 0;
  try {
    return await executeRun(harness.root, run, {
      progress: context.progress,
      signal: AbortSignal.any([context.signal, spent.signal]),
      rerunInfrastructure: again,
      executor,
      onTrial: (trial) => {
        costUsd += trial.costUsd ?? 0;
        if (costUsd >= budget) spent.abort();
      },
    });
  } catch (error) {
    if (!spent.signal.aborted || context.signal.aborted) throw error;
    throw new InputError(
      `The budget of $${budget} is spent ($${costUsd.toFixed(2)}); the run stopped before its end.`,
      {
        code: 'budget-spent',
        nextStep: `Go on with: harnessmith validate --resume ${run} --budget USD`,
        cause: error,
      },
    );
  }
}
