import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ConfigError, loadConfig } from './config.ts';
import { openEndpoint } from './endpoint.ts';
import { ModelError } from './model.ts';
import { runTrial } from './trial.ts';

const home = resolve(dirname(fileURLToPath(import.meta.url)), '..');

const usageText = `usage: node src/main.ts run --task DIR --out DIR [--seed N] [options]

  --config FILE    configuration (config.json)
  --prompts DIR    templates (prompts/)
  --base-url URL   an OpenAI-compatible endpoint, for example http://127.0.0.1:8080/v1 (or TINKER_BASE_URL);
                   without one the simulated model of model/ is started for the run
  --model NAME     model name in requests (or TINKER_MODEL); the key is read from TINKER_API_KEY

exit codes: 0 the verifier passed, 1 it failed, 2 wrong usage or configuration, 3 the model or a file failed`;

/** The command line cannot be understood. */
class UsageError extends Error {}

function readCommandLine(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        task: { type: 'string' },
        out: { type: 'string' },
        seed: { type: 'string', default: '1' },
        config: { type: 'string', default: join(home, 'config.json') },
        prompts: { type: 'string', default: join(home, 'prompts') },
        'base-url': { type: 'string' },
        model: { type: 'string' },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

/** Runs one trial and returns the exit code. */
async function main(args: string[]): Promise<number> {
  const { values, positionals } = readCommandLine(args);
  if (positionals.join(' ') !== 'run') throw new UsageError('the command is "run"');
  const { task: taskDir, out: outDir, seed } = values;
  if (taskDir === undefined || outDir === undefined) throw new UsageError('--task and --out are needed');
  if (!/^\d+$/.test(seed)) throw new UsageError('--seed must be a whole number');
  if (!existsSync(join(taskDir, 'instruction.md'))) throw new UsageError(`${taskDir} has no instruction.md`);
  const config = loadConfig(values.config);
  config.model.name = values.model ?? process.env.TINKER_MODEL ?? config.model.name;
  const endpoint = await openEndpoint(values['base-url']);
  try {
    const { baseUrl, apiKey } = endpoint;
    const trial = { taskDir, outDir, seed: Number(seed), config, promptsDir: values.prompts, baseUrl, apiKey };
    const { reward, exitStatus, error } = await runTrial(trial);
    const verdict = reward === null ? 'no verdict' : reward === 1 ? 'passed' : 'failed';
    console.log(`${verdict} (${error ? error.message : exitStatus})`);
    if (error instanceof ModelError || reward === null) return 3;
    return reward === 1 ? 0 : 1;
  } finally {
    await endpoint.close();
  }
}

// Leaving through exit() ends running commands and removes the work folder.
process.on('SIGINT', () => process.exit(130));
process.on('SIGTERM', () => process.exit(143));

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  const usage = error instanceof UsageError;
  console.error(usage ? `${message}\n\n${usageText}` : message);
  process.exitCode = usage || error instanceof ConfigError ? 2 : 3;
}
