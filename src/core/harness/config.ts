import { z } from 'zod';
import { GateConfig } from './gateConfig';

/** Ways to run a trial. `command` is the only one that needs nothing installed. */
export const EngineId = z.enum([
  'command',
  'inspect',
  'mini-swe-agent',
  'harbor',
  'terminal-bench',
  'swe-bench',
  'swe-agent',
  'openhands',
  'promptfoo',
]);
export type EngineId = z.infer<typeof EngineId>;

const SuiteFields = z.strictObject({
  engine: EngineId.default('command').describe('How one trial is run.'),
  tasks: z
    .union([
      z.array(z.string().min(1)).min(1).describe('Task names.'),
      z.strictObject({ folder: z.string().describe('Every sub-folder of this folder is a task.') }),
      z.strictObject({
        files: z
          .string()
          .min(1)
          .describe(
            'Every file that fits this pattern in .gitignore syntax, such as "evals/**/*.yaml", is a task; named by its path.',
          ),
      }),
      z.strictObject({
        dataset: z.string().min(1).describe('JSON Lines file with one task a line.'),
        id: z.string().min(1).default('id').describe('Key of a line that names its task.'),
      }),
    ])
    .describe('The tasks of the suite.'),
  command: z
    .array(z.string())
    .default([])
    .describe(
      'For the engine "command": program and arguments of one trial; started without a shell in the worktree of the arm. ' +
        'Placeholders: {task} {seed} {repeat} {out} (an empty folder for this trial) {worktree} ' +
        '{node} (the Node that runs Harnessmith).',
    ),
  target: z
    .string()
    .min(1)
    .optional()
    .describe(
      'For the other engines: what their tool evaluates. An Inspect task file, a mini-swe-agent configuration, a Harbor or ' +
        'terminal-bench dataset, a SWE-bench predictions file, a SWE-agent configuration, a file of OpenHands model ' +
        'settings or a promptfoo configuration.',
    ),
  model: z.string().min(1).optional().describe('The model that the tool of the engine is told to use.'),
  program: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      'How the tool of the engine is started, when its name alone is not enough, such as ["uv", "run", "inspect"].',
    ),
  arguments: z
    .array(z.string())
    .default([])
    .describe('Further arguments for the tool of the engine, with the placeholders of "command".'),
  verify: z
    .array(z.string())
    .min(1)
    .optional()
    .describe(
      'For tools that give no verdict (mini-swe-agent, SWE-agent, OpenHands): program and arguments that judge what the ' +
        'tool left in {out}, by "result". Started in {out}, with the placeholders of "command".',
    ),
  result: z
    .union([
      z.literal('exit-code').describe('Exit code 0 is a pass, 1 a failure, anything else an infrastructure failure.'),
      z.strictObject({
        file: z.string().describe('JSON file in {out}, with a number `reward` (0 to 1) or Harbor keys.'),
      }),
    ])
    .default('exit-code'),
  trace: z.string().optional().describe('Path of the trace the trial writes, relative to {out}.'),
  prepare: z
    .array(z.array(z.string()).min(1))
    .default([])
    .describe('Commands run once in each worktree before its trials.'),
  splits: z
    .union([
      z.strictObject({
        search: z.array(z.string()).default([]).describe('Tasks that a proposer may see.'),
        selection: z
          .array(z.string())
          .default([])
          .describe('Tasks that candidates are chosen on; a proposer never sees them.'),
        sealed: z.array(z.string()).default([]).describe('Tasks that are scored once a campaign.'),
      }),
      z.strictObject({
        seed: z
          .int()
          .describe('Tasks are dealt by a hash of this seed and their name, so that new tasks move no old one.'),
        search: z.number().min(0).max(1).describe('Share of the tasks that a proposer may see.'),
        selection: z.number().min(0).max(1).describe('Share of the tasks that candidates are chosen on.'),
        sealed: z.number().min(0).max(1).default(0).describe('Share of the tasks that are scored once a campaign.'),
      }),
    ])
    .optional()
    .describe('Splits of the tasks. Without them every run is of all tasks.'),
  campaign: z
    .string()
    .min(1)
    .optional()
    .describe('Name of the campaign. The sealed split is scored once in each; a new name opens it again.'),
  budget: z
    .strictObject({
      trials: z.int().min(1).optional(),
      tokens: z.int().min(1).optional(),
      usd: z.number().positive().optional(),
      minutes: z.number().positive().optional(),
    })
    .optional()
    .describe('A run stops when it has used this much; it can be resumed.'),
  infrastructure: z
    .strictObject({
      exitCodes: z
        .array(z.int())
        .optional()
        .describe('Exit codes that blame the environment; all above 1 when absent.'),
      exceptions: z.array(z.string()).optional().describe('Names of exceptions that blame the environment.'),
    })
    .optional()
    .describe('What counts as a failure of the environment: such a trial has no verdict and may be made again.'),
  trials: z.int().min(1).max(1000).default(3).describe('Repeats of each task and arm.'),
  seed: z.int().default(1).describe('Repeat r of every task uses seed + r - 1 in both arms.'),
  timeoutSeconds: z.number().positive().default(600),
  concurrency: z.int().min(1).max(64).default(2),
  environment: z.record(z.string(), z.string()).default({}).describe('Extra environment variables.'),
});

/** How tasks of a suite are run. */
export const SuiteConfig = SuiteFields.superRefine((suite, context) => {
  const [needed, given] = suite.engine === 'command' ? ['command', suite.command.length] : ['target', suite.target];
  if (given) return;
  context.addIssue({
    code: 'custom',
    path: [needed as string],
    message: `the engine "${suite.engine}" needs "${needed}"`,
  });
});
export type SuiteConfig = z.infer<typeof SuiteConfig>;

export const ModelConfig = z.strictObject({
  provider: z.enum(['vscode', 'openai-compatible', 'anthropic', 'recorded']),
  model: z.string().default(''),
  baseUrl: z
    .url()
    .optional()
    .describe('Address of an OpenAI-compatible endpoint, for example http://127.0.0.1:8080/v1'),
  apiKeyVariable: z
    .string()
    .optional()
    .describe('Environment variable that holds the key. Keys never stand in this file.'),
  answers: z.string().optional().describe('File with recorded answers, for provider "recorded".'),
  timeoutSeconds: z.number().positive().default(120),
  maxOutputTokens: z.int().positive().default(8000),
  budgetUsd: z
    .number()
    .positive()
    .optional()
    .describe(
      'Most that the requests of one command may cost together, in US dollars. Needs a model with a known price.',
    ),
  budgetTokens: z.int().positive().optional().describe('Most tokens the requests of one command may use together.'),
});
export type ModelConfig = z.infer<typeof ModelConfig>;

/** `.harnessmith/harness.json`. Unknown keys are errors, so that a typing mistake is seen. */
export const HarnessConfig = z.strictObject({
  $schema: z.string().optional(),
  name: z.string().optional().describe('Shown in views; the folder name when absent.'),
  roots: z.array(z.string()).min(1).default(['.']).describe('Folders with harness code, relative to the repository.'),
  exclude: z.array(z.string()).default([]).describe('Patterns in .gitignore syntax that are left out of the index.'),
  entryPoints: z.array(z.string()).default([]).describe('Files where a run starts, when they cannot be found.'),
  traces: z.array(z.string()).default([]).describe('Folders or files with traces, relative to the repository.'),
  traceRoots: z
    .record(z.string().min(1), z.string())
    .default({})
    .describe(
      'Folders of the machine or container that made the traces, and the folder of this repository each stands for, ' +
        'for example {"/app/src": "src"}. Found from tracebacks where they are not stated.',
    ),
  model: ModelConfig.optional(),
  suites: z.record(z.string(), SuiteConfig).default({}),
  protected: z
    .array(z.string())
    .default([])
    .describe('Patterns of files that a proposal must not touch, such as tests of the evaluation and verifiers.'),
  gates: GateConfig.optional().describe('Checks of proposals. A failing check labels a proposal and never hides it.'),
  review: z
    .strictObject({
      applyTo: z.enum(['branch', 'workingTree']).default('branch').describe('Where Apply writes accepted hunks.'),
    })
    .default({ applyTo: 'branch' }),
});
export type HarnessConfig = z.infer<typeof HarnessConfig>;
