/**
 * Records runs of harnesses and holds the links that were made without the recording against it; measures what recording costs.
 *
 *   npm run bench:record -- [--mini DIR --python FILE] [--runs N] [--show]
 *
 * Always: the harness of examples/ with its simulated model. With `--mini`: the source folder of mini-swe-agent 2.x, installed in
 * the environment of `--python`, with a deterministic model and the local environment. A link that leads into a function is right
 * when the function ran in its step; links to templates, configuration and declarations are counted apart, as nothing enters
 * them. Time is the median of `--runs` runs with and without the recorder, taken in turns.
 */
import { spawnSync } from 'node:child_process';
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { indexHarness } from '../src/core/graph';
import { buildHandbook } from '../src/core/handbook';
import { openHarness } from '../src/core/harness';
import {
  buildLinkIndex,
  type Link,
  type LinkIndex,
  linkRun,
  modelFunctions,
  recordedRun,
  recordingFile,
  runRecorded,
} from '../src/core/links';
import { importTraces, openTrace } from '../src/core/traces';

interface Case {
  name: string;
  root: string;
  command: (out: string) => string[];
  trace: (out: string) => string;
}

/** The functions that ran in a step, of the harness as it is indexed. */
type Ran = ReadonlySet<string>;

function functionAt(index: LinkIndex, { file, start }: Link): string | null {
  const node = index.graph.enclosing(file, start);
  return node?.kind === 'function' || node?.kind === 'method' ? node.id : null;
}

async function linksOf(
  index: LinkIndex,
  file: string,
): Promise<{ links: Link[]; ran: Map<number, Ran>; steps: number }> {
  const run = (await importTraces([file])).runs[0];
  if (run === undefined) throw new Error(`${file} holds no run.`);
  const reader = await openTrace(run);
  try {
    const recorded = await recordedRun(index, reader);
    const ran = new Map(
      [...(recorded?.steps ?? [])].map(([step, { counts }]): [number, Ran] => [
        step,
        new Set([...counts.keys()].flatMap((id) => recorded?.nodes.get(id)?.id ?? [])),
      ]),
    );
    return { links: await linkRun(index, reader), ran, steps: reader.stepCount };
  } finally {
    await reader.close();
  }
}

/** Of the best `most` links of each step: how many lead into functions, and how many of those ran. */
function precision(index: LinkIndex, links: readonly Link[], ran: ReadonlyMap<number, Ran>, most: number): string {
  const count = { right: 0, functions: 0, others: 0 };
  for (const [step, functions] of ran) {
    for (const link of links.filter((one) => one.step === step).slice(0, most)) {
      const id = functionAt(index, link);
      if (id === null) count.others += 1;
      else {
        count.functions += 1;
        if (functions.has(id)) count.right += 1;
      }
    }
  }
  const share = count.functions === 0 ? 'none' : `${Math.round((100 * count.right) / count.functions)} %`;
  return `${count.right} of ${count.functions} ran (${share}), ${count.others} lead to texts and declarations`;
}

function plainTime(command: readonly string[], folder: string): number {
  const started = performance.now();
  const [program = '', ...parameters] = command;
  const { error } = spawnSync(program, parameters, { cwd: folder, stdio: 'ignore' });
  if (error) throw error;
  return performance.now() - started;
}

function median(values: readonly number[]): number {
  return [...values].sort((left, right) => left - right)[Math.floor(values.length / 2)] ?? 0;
}

async function runCase(one: Case, temporary: string, runs: number, show: boolean): Promise<void> {
  const harness = await openHarness(one.root);
  const { graph } = await indexHarness(harness);
  const map = await buildHandbook(graph, harness);
  const index = buildLinkIndex(graph, map, harness.config);
  const models = modelFunctions(graph, map);
  const times = { plain: [] as number[], recorded: [] as number[] };
  let out = '';
  let text = '';
  for (let at = 0; at < runs; at += 1) {
    out = join(temporary, `${one.name}-${at}`);
    await mkdir(out);
    times.plain.push(plainTime(one.command(join(out, 'plain')), one.root));
    const recorded = await runRecorded({
      harness,
      command: one.command(join(out, 'recorded')),
      folder: one.root,
      models,
      output: 'stderr',
    });
    times.recorded.push(1000 * (recorded.head.ended - recorded.head.started));
    text = recorded.text;
    if (at === 0)
      console.log(
        `\n${one.name}: ${recorded.functions} functions, ${recorded.processes} processes, ${recorded.calls} model calls`,
      );
  }
  const trace = one.trace(join(out, 'recorded'));
  const bare = join(out, 'bare.json');
  await copyFile(trace, bare);
  await writeFile(recordingFile(trace), text);
  const { links: withRecording, ran, steps } = await linksOf(index, trace);
  const { links } = await linksOf(index, bare);
  console.log(`steps joined with the recording: ${ran.size} of ${steps}`);
  console.log(`first link, without the recording: ${precision(index, links, ran, 1)}`);
  console.log(`first three, without it: ${precision(index, links, ran, 3)}`);
  const sure = links.filter((link) => link.confidence >= 0.4);
  console.log(`first link of confidence .4 and more: ${precision(index, sure, ran, 1)}`);
  console.log(`first link, with it: ${precision(index, withRecording, ran, 1)}`);
  const ratio = median(times.recorded) / median(times.plain);
  console.log(
    `time: median ${Math.round(median(times.plain))} ms without, ${Math.round(median(times.recorded))} ms with the recorder, ratio ${ratio.toFixed(2)}`,
  );
  if (!show) return;
  for (const [step, functions] of ran) {
    const [first] = links.filter((link) => link.step === step);
    const id = first === undefined ? null : functionAt(index, first);
    const mark = id === null ? '-' : functions.has(id) ? 'ran' : 'NOT';
    console.log(
      `step ${step}: ${mark} ${first?.file}:${first?.start} ${first?.symbol} (${first?.confidence} ${first?.kind})`,
    );
    console.log(`    ran: ${[...functions].map((one) => one.split('#')[1]).join(', ')}`);
  }
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      mini: { type: 'string' },
      python: { type: 'string', default: 'python3' },
      runs: { type: 'string', default: '5' },
      show: { type: 'boolean', default: false },
    },
  });
  const temporary = await mkdtemp(join(tmpdir(), 'harnessmith-record-'));
  try {
    const tinker = join(temporary, 'tinker');
    await cp(resolve('examples/tinker'), tinker, { recursive: true });
    const tasks = ['add-clamp', 'archive-reports', 'guard-divide'];
    const cases: Case[] = tasks.map((task) => ({
      name: `tinker-${task}`,
      root: tinker,
      command: (out) => [
        process.execPath,
        'src/main.ts',
        'run',
        '--task',
        `tasks/${task}`,
        '--out',
        out,
        '--seed',
        '2',
      ],
      trace: (out) => join(out, 'agent', 'trajectory.json'),
    }));
    if (values.mini) {
      const script = resolve('bench/record/miniSweAgent.py');
      cases.push({
        name: 'mini-swe-agent',
        root: values.mini,
        command: (out) => [values.python, script, `${out}.traj.json`],
        trace: (out) => `${out}.traj.json`,
      });
    }
    for (const one of cases) await runCase(one, temporary, Number(values.runs), values.show);
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

await main();
