import { z } from 'zod';

/** How tasks of a suite are run. `command` is the only engine that needs nothing installed. */
export const SuiteConfig = z.strictObject({
  engine: z.literal('command').default('command').describe('How one trial is run.'),
  tasks: z
    .union([
      z.array(z.string().min(1)).min(1).describe('Task names.'),
      z.strictObject({ folder: z.string().describe('Every sub-folder of this folder is a task.') }),
    ])
    .describe('The tasks of the suite.'),
  command: z
    .array(z.string())
    .min(1)
    .describe(
      'Program and arguments of one trial; started without a shell in the worktree of the arm. ' +
        'Placeholders: {task} {seed} {repeat} {out} (an empty folder for this trial) {worktree} ' +
        '{node} (the Node that runs Harnessmith).',
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
  trials: z.int().min(1).max(1000).default(3).describe('Repeats of each task and arm.'),
  seed: z.int().default(1).describe('Repeat r of every task uses seed + r - 1 in both arms.'),
  timeoutSeconds: z.number().positive().default(600),
  concurrency: z.int().min(1).max(64).default(2),
  environment: z.record(z.string(), z.string()).default({}).describe('Extra environment variables.'),
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
  model: ModelConfig.optional(),
  suites: z.record(z.string(), SuiteConfig).default({}),
  protected: z
    .array(z.string())
    .default([])
    .describe('Patterns of files that a proposal must not touch, such as tests of the evaluation and verifiers.'),
  review: z
    .strictObject({
      applyTo: z.enum(['branch', 'workingTree']).default('branch').describe('Where Apply writes accepted hunks.'),
    })
    .default({ applyTo: 'branch' }),
});
export type HarnessConfig = z.infer<typeof HarnessConfig>;
