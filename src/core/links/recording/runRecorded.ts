import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CancelledError, EnvironmentError, messageOf } from '../../errors';
import { gitFacts, type Harness } from '../../harness';
import type { WorkOptions } from '../../progress';
import { type MergedRecording, mergeParts } from './mergeParts';
import type { RecordingHead } from './model';
import type { ModelFunction } from './modelFunctions';

export interface RecordRequest {
  harness: Harness;
  /** Program and arguments, started without a shell. */
  command: readonly string[];
  /** Folder the command runs in. */
  folder: string;
  models: readonly ModelFunction[];
  /** Where the output of the command goes: to standard error when the answer is a document. */
  output?: 'inherit' | 'stderr';
}

export interface Recorded extends MergedRecording {
  head: RecordingHead;
}

/**
 * Runs a command with the recorder in its Python and Node processes and those they start. The command has the rights of the
 * caller and gets its standard input.
 * @throws EnvironmentError when the command cannot be started; CancelledError when it was stopped.
 */
export async function runRecorded(request: RecordRequest, work: WorkOptions = {}): Promise<Recorded> {
  const { harness, command, folder, models } = request;
  const temporary = await mkdtemp(join(tmpdir(), 'harnessmith-recording-'));
  try {
    const parts = join(temporary, 'parts');
    await mkdir(parts);
    const roots = harness.config.roots.map((root) => resolve(harness.root, root));
    const settings = join(temporary, 'settings.json');
    const places = models.map((place) => ({ ...place, file: join(harness.root, place.file) }));
    await writeFile(settings, JSON.stringify({ out: parts, roots, models: places }));
    const { head: commit, dirty } = await gitFacts(harness.root, work.signal);
    const started = Date.now() / 1000;
    const exitCode = await run(command, folder, recordingEnvironment(settings), request.output ?? 'inherit', work);
    const ended = Date.now() / 1000;
    const head: RecordingHead = {
      kind: 'recording',
      version: 1,
      root: harness.root,
      commit,
      dirty,
      started,
      ended,
      exitCode,
    };
    return { head, ...(await mergeParts(parts, head)) };
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

/** The recorder is put before what the variables hold; what they hold stays. */
function recordingEnvironment(settings: string): NodeJS.ProcessEnv {
  const folder = recorderFolder();
  const { PYTHONPATH, NODE_OPTIONS } = process.env;
  const hook = `--import=${pathToFileURL(join(folder, 'recorder.mjs')).href}`;
  return {
    ...process.env,
    HARNESSMITH_RECORDING: settings,
    PYTHONPATH: [folder, ...(PYTHONPATH ? [PYTHONPATH] : [])].join(delimiter),
    PYTHONDONTWRITEBYTECODE: process.env.PYTHONDONTWRITEBYTECODE ?? '1',
    NODE_OPTIONS: [...(NODE_OPTIONS ? [NODE_OPTIONS] : []), hook].join(' '),
  };
}

/** In a bundle the recorder lies beside it; from source in its own folder. */
function recorderFolder(): string {
  const here = dirname(fileURLToPath(import.meta.url));
  for (const folder of [join(here, 'recorder'), join(here, '..', '..', '..', 'recorder')])
    if (existsSync(join(folder, 'sitecustomize.py'))) return folder;
  throw new EnvironmentError(`The recorder is missing beside ${here}.`, {
    code: 'recorder-missing',
    nextStep: 'Install Harnessmith again, or run npm run build.',
  });
}

function run(
  command: readonly string[],
  folder: string,
  env: NodeJS.ProcessEnv,
  output: 'inherit' | 'stderr',
  { signal }: WorkOptions,
): Promise<number | null> {
  const [program = '', ...parameters] = command;
  return new Promise((settle, reject) => {
    const child = spawn(program, parameters, {
      cwd: folder,
      env,
      stdio: ['inherit', output === 'stderr' ? 2 : 'inherit', 'inherit'],
    });
    const stop = () => child.kill('SIGTERM');
    signal?.addEventListener('abort', stop, { once: true });
    child.on('error', (error) => {
      signal?.removeEventListener('abort', stop);
      reject(
        new EnvironmentError(`${program} could not be started: ${messageOf(error)}`, {
          code: 'command-missing',
          nextStep: 'Check the command behind "--".',
          cause: error,
        }),
      );
    });
    child.on('close', (code) => {
      signal?.removeEventListener('abort', stop);
      if (signal?.aborted) reject(new CancelledError('The recorded command'));
      else settle(code);
    });
  });
}
