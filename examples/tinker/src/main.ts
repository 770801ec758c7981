import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startSimulatedModel } from '../model/server.ts';
import { bench, printBench, recordTraces } from './bench.ts';
import { ConfigError, loadConfig } from './config.ts';
import { ModelError } from './model.ts';
import { runTrial } from './trial.ts';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const usageText = `usage: node src/main.ts COMMAND [options]

  run            one trial        --task DIR --out DIR [--seed N]
  bench          pass rates       [--seeds 1,2,3] [--tasks a,b] [--json FILE]
  record-traces  traces to keep   --out DIR [--seeds 1,2,3] [--tasks a,b]

options of all commands:
  --config FILE    configuration (config.json)
  --prompts DIR    templates (prompts/)
  --base-url URL   an OpenAI-compatible endpoint, for example http://127.0.0.1:8080/v1 (or TINKER_BASE_URL);
                   without one the simulated model of model/ is started for the run
  --model NAME     model name in requests (or TINKER_MODEL); the key is read from TINKER_API_KEY

exit codes of run: 0 the verifier passed, 1 it failed, 2 wrong usage or configuration, 3 the model or a file failed`;

class UsageError extends Error {}

const options = {
  task: { type: 'string' },
  out: { type: 'string' },
  seed: { type: 'string', default: '1' },
  seeds: { type: 'string', default: '1,2,3' },
  tasks: { type: 'string' },
  json: { type: 'string' },
  config: { type: 'string', default: join(home, 'config.json') },
  prompts: { type: 'string', default: join(home, 'prompts') },
  'base-url': { type: 'string' },
  model: { type: 'string' },
} as const;

function integer(text: string): number {
  if (!/^-?\d+$/.test(text)) throw new UsageError(`"${text}" is not a whole number`);
  return Number(text);
}

function required(value: string | undefined, name: string): string {
  if (value === undefined) throw new UsageError(`--${name} is missing`);
  return value;
}

async function main(argv: string[]): Promise<number> {
  let parsed: ReturnType<typeof parseCommandLine>;
  try {
    parsed = parseCommandLine(argv);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
  const { values, positionals } = parsed;
  const config = loadConfig(values.config);
  config.model.name = values.model ?? process.env.TINKER_MODEL ?? config.model.name;
  const given = values['base-url'] ?? process.env.TINKER_BASE_URL;
  const simulated = given ? null : await startSimulatedModel();
  const shared = {
    config,
    promptsDir: values.prompts,
    baseUrl: given ?? simulated?.baseUrl ?? '',
    apiKey: process.env.TINKER_API_KEY,
  };
  const many = {
    ...shared,
    tasksDir: join(home, 'tasks'),
    tasks: values.tasks?.split(','),
    seeds: values.seeds.split(',').map(integer),
  };
  try {
    switch (positionals[0]) {
      case 'run': {
        const taskDir = required(values.task, 'task');
        if (!existsSync(join(taskDir, 'instruction.md'))) throw new UsageError(`${taskDir} has no instruction.md`);
        const outDir = required(values.out, 'out');
        const { reward, exitStatus, error } = await runTrial({
          ...shared,
          taskDir,
          outDir,
          seed: integer(values.seed),
        });
        const verdict = reward === null ? 'no verdict' : reward >= 1 ? 'passed' : 'failed';
        console.log(`${verdict} (${error ? error.message : exitStatus})`);
        if (error instanceof ModelError || reward === null) return 3;
        return reward >= 1 ? 0 : 1;
      }
      case 'bench':
        return await printBench(await bench(many), values.json);
      case 'record-traces':
        return await recordTraces({ ...many, outDir: required(values.out, 'out') });
      default:
        throw new UsageError(positionals[0] ? `there is no command "${positionals[0]}"` : 'a command is missing');
    }
  } finally {
    await simulated?.close();
  }
}

function parseCommandLine(argv: string[]) {
  return parseArgs({ args: argv, options, allowPositionals: true });
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const usage = error instanceof UsageError;
  console.error(usage ? `${message}\n\n${usageText}` : message);
  process.exitCode = usage || error instanceof ConfigError ? 2 : 3;
}
