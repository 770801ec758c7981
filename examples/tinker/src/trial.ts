import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rmSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, realpath, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import type { ExitStatus } from './agent.ts';
import { Agent } from './agent.ts';
import type { Config } from './config.ts';
import { ModelClient } from './model.ts';
import { Templates } from './templates.ts';
import { TrajectoryRecorder } from './trajectory.ts';

export interface TrialOptions {
  taskDir: string;
  outDir: string;
  seed: number;
  config: Config;
  promptsDir: string;
  baseUrl: string;
  apiKey?: string;
}

export interface TrialResult {
  /** 1 when the verifier passed, 0 when not, null when it could not judge. */
  reward: number | null;
  exitStatus: ExitStatus | null;
  error: Error | null;
}

/** A trial name that is the same for the same task and seed. */
export function trialName(task: string, seed: number): string {
  return `${task}__${createHash('sha256').update(`${task}/${seed}`).digest('hex').slice(0, 7)}`;
}

interface Verified {
  reward: number | null;
  output: string;
}

/** Runs the verifier of a task on the work folder. Its exit code is the verdict: 0 pass, 1 fail, others no verdict. */
export function verify(taskDir: string, workDir: string): Promise<Verified> {
  return new Promise((done, reject) => {
    const child = spawn(process.execPath, [join(taskDir, 'verify.mjs'), workDir], {
      cwd: workDir,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 20_000,
    });
    let output = '';
    const take = (chunk: string): void => {
      output += chunk;
    };
    child.stdout.setEncoding('utf8').on('data', take);
    child.stderr.setEncoding('utf8').on('data', take);
    child.on('error', reject);
    child.on('close', (code) => done({ reward: code === 0 ? 1 : code === 1 ? 0 : null, output }));
  });
}

/**
 * Runs the agent on a copy of the task's files, then the verifier, and writes `agent/trajectory.json`, `verifier/` and
 * `result.json` into the output folder. Failures of the agent are part of the result; only file errors are thrown.
 */
export async function runTrial(options: TrialOptions): Promise<TrialResult> {
  const { outDir, seed, config } = options;
  const taskDir = resolve(options.taskDir);
  const task = basename(taskDir);
  const instruction = await readFile(join(taskDir, 'instruction.md'), 'utf8');
  await mkdir(join(outDir, 'agent'), { recursive: true });
  await mkdir(join(outDir, 'verifier'), { recursive: true });
  const workDir = await realpath(await mkdtemp(join(tmpdir(), 'tinker-')));
  const removeWorkDir = (): void => rmSync(workDir, { recursive: true, force: true });
  process.once('exit', removeWorkDir);
  const startedAt = new Date().toISOString();
  try {
    await cp(join(taskDir, 'files'), workDir, { recursive: true });
    const name = trialName(task, seed);
    const recorder = new TrajectoryRecorder(name, config.model.name);
    const model = new ModelClient(config.model, { baseUrl: options.baseUrl, apiKey: options.apiKey, seed });
    const agent = new Agent({ config, model, templates: new Templates(options.promptsDir), recorder });
    let exitStatus: ExitStatus | null = null;
    let error: Error | null = null;
    try {
      exitStatus = await agent.run(instruction, workDir);
    } catch (caught) {
      error = caught instanceof Error ? caught : new Error(String(caught));
    }
    const agentFinishedAt = new Date().toISOString();
    await recorder.save(join(outDir, 'agent', 'trajectory.json'), agent.registry.definitions());
    const { reward, output } = await verify(taskDir, workDir);
    await writeFile(join(outDir, 'verifier', 'test-stdout.txt'), output);
    const finishedAt = new Date().toISOString();
    const document = {
      task_name: task,
      trial_name: name,
      source: 'tinker',
      agent_info: {
        name: 'tinker',
        version: '0.1.0',
        model_info: { name: config.model.name, provider: 'openai-compatible' },
      },
      agent_result: {
        n_input_tokens: recorder.totals.promptTokens,
        n_output_tokens: recorder.totals.completionTokens,
        metadata: { exit_status: exitStatus, seed, steps: recorder.steps.length },
      },
      verifier_result: reward === null ? null : { rewards: { reward } },
      exception_info: error && {
        exception_type: error.name,
        exception_message: error.message,
        exception_traceback: (error.stack ?? '').replaceAll(process.cwd(), '.'),
        occurred_at: agentFinishedAt,
      },
      started_at: startedAt,
      finished_at: finishedAt,
      agent_execution: { started_at: startedAt, finished_at: agentFinishedAt },
      verifier: { started_at: agentFinishedAt, finished_at: finishedAt },
    };
    await writeFile(join(outDir, 'result.json'), `${JSON.stringify(document, null, 1)}\n`);
    return { reward, exitStatus, error };
  } finally {
    process.removeListener('exit', removeWorkDir);
    removeWorkDir();
  }
}
