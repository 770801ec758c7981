import { mkdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import { type OpenedHarness, openedHarness } from '../../core/handbook';
import { type ModelFunction, modelFunctions, recordingFile, runRecorded } from '../../core/links';
import { ensureStore, storePaths, writeFileAtomic } from '../../core/store';
import { addToCatalog, importTraces } from '../../core/traces';
import { type Answer, answerWith, type CommandContext, newCommand } from '../command';
import { counted } from '../words';

export const RecordDocument = z.object({
  exitCode: z.int().nullable(),
  /** Seconds. */
  seconds: z.number(),
  processes: z.int(),
  functions: z.int(),
  calls: z.int(),
  /** Where the recording was written: one file beside each trace the command wrote. */
  files: z.array(z.string()),
  traces: z.array(z.string()),
});

/** `harnessmith record [options] -- COMMAND`. */
export function recordCommand() {
  const command = newCommand('record', 'run a harness and record which of its functions run for each step')
    .argument('<command...>', 'program and arguments, behind "--"')
    .option('--trace <path...>', 'file or folder the command writes its traces to; else "traces" of harness.json')
    .option('--model-call <file:name...>', 'a function that asks the model, where none is found')
    .option('--in <folder>', 'folder to run the command in; the current one when absent', '.');
  answerWith(command, async (context, line: string[]): Promise<Answer> => {
    const {
      trace = [],
      modelCall = [],
      in: folder,
    } = command.opts<{ trace?: string[]; modelCall?: string[]; in: string }>();
    const opened = await openedHarness(context.folder, context);
    const { harness } = opened;
    const models = [...modelFunctions(opened.graph, opened.map), ...modelCall.map((place) => stated(opened, place))];
    const recorded = await runRecorded(
      { harness, command: line, folder: resolve(folder), models, output: context.json ? 'stderr' : 'inherit' },
      context,
    );
    const searched =
      trace.length > 0
        ? trace.map((path) => resolve(path))
        : harness.config.traces.map((path) => join(harness.root, path));
    const traces = await tracesSince(recorded.head.started, searched, context);
    const files = traces.map(recordingFile);
    if (files.length === 0) files.push(await freeFile(harness.root, recorded.head.started));
    for (const file of files) await writeFileAtomic(file, recorded.text);
    if (traces.length > 0) await addToCatalog(harness.root, traces, context);
    const { processes, functions, calls, head } = recorded;
    const seconds = Math.round((head.ended - head.started) * 1000) / 1000;
    const document = RecordDocument.parse({
      exitCode: head.exitCode,
      seconds,
      processes,
      functions,
      calls,
      files,
      traces,
    });
    const lines = [
      `${counted(functions, 'function')} ran in ${counted(processes, 'process', 'processes')}, around ${counted(calls, 'model call')}.`,
      ...files.map((file) => `Written: ${shown(file)}`),
    ];
    if (traces.length === 0)
      lines.push(
        'No new trace was found. Name its place with --trace, or move the file beside it as TRACE.recording.jsonl.',
      );
    if (processes === 0)
      lines.push('No Python or Node process was recorded: the command started none, or drops its environment.');
    else if (calls === 0)
      lines.push('No model call was seen; steps cannot be told apart. Name the function with --model-call FILE:NAME.');
    if (head.exitCode !== 0) lines.push(`The command ended with exit code ${head.exitCode ?? 'unknown'}.`);
    return { document, text: lines.join('\n'), ok: head.exitCode === 0 && functions > 0 };
  });
  return command;
}

/** @throws InputError when the harness has no such function. */
function stated({ graph }: OpenedHarness, place: string): ModelFunction {
  const [, file = '', name = ''] = /^(.*):([^:]+)$/.exec(place) ?? [];
  const node = graph
    .inFile(file.replaceAll('\\', '/'))
    .find((one) => (one.kind === 'function' || one.kind === 'method') && (one.name === name || one.qualname === name));
  if (node === undefined)
    throw new InputError(`${place} is no function of the harness.`, {
      code: 'usage',
      nextStep: 'Write it as FILE:NAME, for example src/model.py:Model.query.',
    });
  return { file: node.file, name: node.name, start: node.start, end: node.end };
}

/** Traces in these places that were written since a time. */
async function tracesSince(started: number, paths: readonly string[], context: CommandContext): Promise<string[]> {
  const present = [];
  for (const path of paths) if ((await stat(path).catch(() => null)) !== null) present.push(path);
  if (present.length === 0) return [];
  const { runs } = await importTraces(present, context);
  const found: string[] = [];
  for (const file of new Set(runs.map((run) => run.file))) {
    const stats = await stat(file).catch(() => null);
    // Some file systems keep whole seconds only.
    if (stats !== null && stats.mtimeMs / 1000 >= Math.floor(started)) found.push(file);
  }
  return found;
}

async function freeFile(root: string, started: number): Promise<string> {
  await ensureStore(root);
  const folder = join(storePaths(root).cache, 'recordings');
  await mkdir(folder, { recursive: true });
  return join(folder, `${new Date(started * 1000).toISOString().replaceAll(':', '-')}.jsonl`);
}

function shown(file: string): string {
  const path = relative(process.cwd(), file);
  return path.startsWith('..') ? file : path;
}
