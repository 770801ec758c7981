import { basename, dirname, join, relative } from 'node:path';
import type { Outcome, TraceRun } from '../model';
import {
  readReport,
  readRewardJson,
  readRewardText,
  readSummary,
  readTerminalBench,
  sidecarJson,
  sidecarText,
  type Verdict,
  verdictOf,
  verdictOfRewards,
} from './readers';
import {
  HarborResult,
  InstanceReport,
  KeyedReport,
  RunSummary,
  TerminalBenchResult,
  TerminalBenchResults,
} from './schemas';

/** The run with what stands beside its file, and the files that were used. */
export interface JoinedRun {
  run: TraceRun;
  sidecars: string[];
}

/**
 * Adds what is only known beside a trace: the verdict, the task, and tokens or times that the trace does not record.
 * A trace says nothing about success itself ("Submitted" is no verdict), and a run that ended in an exception may have
 * passed, so verdict, reward and exception stay apart. Looks in the trace's folder and up to two folders above it.
 */
export async function joinOutcome(run: TraceRun): Promise<JoinedRun> {
  if (run.outcome.source !== null) return { run, sidecars: [] };
  const folder = dirname(run.file);
  const harbor = await joinHarbor(run, folder);
  if (harbor !== null) return harbor;
  for (const [file, read] of candidates(run, folder)) {
    const verdict = await read();
    if (verdict !== null)
      return { run: withVerdict({ ...run, ...aboutOf(run, verdict) }, verdict, folder, file), sidecars: [file] };
  }
  return { run, sidecars: [] };
}

function* candidates(run: TraceRun, folder: string): Generator<[string, () => Promise<Verdict | null>]> {
  const names = [run.trial, run.task, basename(folder), basename(dirname(folder))].filter((name) => name !== null);
  const text = join(folder, 'reward.txt');
  yield [text, () => readRewardText(text)];
  const json = join(folder, 'reward.json');
  yield [json, () => readRewardJson(json)];
  const report = join(folder, 'report.json');
  yield [report, () => readReport(report, run.task)];
  const above = [folder, dirname(folder), dirname(dirname(folder))];
  for (const place of above) {
    for (const name of ['results.json', 'report.json', 'results/results.json']) {
      const file = join(place, name);
      yield [file, () => readSummary(file, run.task)];
      if (name === 'results.json') yield [file, () => readTerminalBench(file, names)];
    }
  }
}

/** The task and trial that a verdict names, for traces that do not. */
function aboutOf(run: TraceRun, verdict: Verdict): Pick<TraceRun, 'task' | 'trial'> {
  return { task: run.task ?? verdict.task ?? null, trial: run.trial ?? verdict.trial ?? null };
}

function withVerdict(run: TraceRun, verdict: Verdict, folder: string, file: string): TraceRun {
  const { reward, exception } = verdict;
  const outcome: Outcome = { verdict: verdict.verdict, reward, exception, source: relative(folder, file) };
  return { ...run, outcome };
}

async function joinHarbor(run: TraceRun, folder: string): Promise<JoinedRun | null> {
  let place = folder;
  // Agents keep their own logs some folders below the trial.
  for (let level = 0; level < 6 && place !== dirname(place); level += 1, place = dirname(place)) {
    const file = join(place, 'result.json');
    const result = await sidecarJson(file, HarborResult);
    if (result !== null) return withResult(run, result, folder, place, file);
    if (level > 1) continue;
    const written = await verifierReward(place);
    if (written === null) continue;
    const exception = await exceptionBeside(place);
    return {
      run: withVerdict(run, { ...written.verdict, exception }, folder, written.file),
      sidecars: [written.file],
    };
  }
  return null;
}

/** What the verifier of a trial wrote: `reward.txt`, or `reward.json` where there is none. */
async function verifierReward(place: string): Promise<{ file: string; verdict: Verdict } | null> {
  const text = join(place, 'verifier', 'reward.txt');
  const json = join(place, 'verifier', 'reward.json');
  const told = await readRewardText(text);
  if (told !== null) return { file: text, verdict: told };
  const verdict = await readRewardJson(json);
  return verdict === null ? null : { file: json, verdict };
}

async function withResult(
  run: TraceRun,
  result: HarborResult,
  folder: string,
  place: string,
  file: string,
): Promise<JoinedRun> {
  const sidecars = [file];
  let verdict = verdictOfRewards(result.verifier_result?.rewards ?? {});
  if (verdict === null) {
    const written = await verifierReward(place);
    verdict = written?.verdict ?? null;
    if (written !== null) sidecars.push(written.file);
  }
  const exception =
    result.exception_info?.exception_type ?? (result.exception_info ? 'exception' : await exceptionBeside(place));
  const found: Verdict = { ...(verdict ?? verdictOf(null)), exception };
  const used = result.agent_result;
  const recorded = run.tokens.input !== null || run.tokens.output !== null;
  const input = used?.n_input_tokens ?? null;
  const joined: TraceRun = {
    ...run,
    task: result.task_name ?? run.task,
    trial: result.trial_name ?? run.trial,
    agent: run.agent ?? result.agent_info?.name ?? null,
    agentVersion: run.agentVersion ?? result.agent_info?.version ?? null,
    model: run.model ?? result.agent_info?.model_info?.name ?? null,
    started: run.started ?? result.started_at ?? null,
    ended: run.ended ?? result.finished_at ?? null,
    costUsd: run.costUsd ?? used?.cost_usd ?? null,
    tokens: recorded
      ? run.tokens
      : {
          input,
          output: used?.n_output_tokens ?? null,
          cached: used?.n_cache_tokens ?? null,
          inputIncludesCached: input === null ? null : true,
        },
  };
  return { run: withVerdict(joined, found, folder, file), sidecars };
}

/** The exception type in Harbor's `exception.txt`: the last line of a traceback up to its colon. */
async function exceptionBeside(place: string): Promise<string | null> {
  const text = (await sidecarText(join(place, 'exception.txt')))?.trim();
  if (!text) return null;
  const last = text.split('\n').at(-1) ?? '';
  return /^([\w.]+)(:|$)/.exec(last)?.[1]?.split('.').at(-1) ?? 'exception';
}

/** What kind of outcome file this is, in words, or null when it is none. */
export async function outcomeFileKind(file: string): Promise<string | null> {
  if (['reward.txt', 'reward.json'].includes(basename(file))) return 'a reward file';
  if ((await sidecarJson(file, HarborResult)) !== null) return 'a Harbor trial result';
  if ((await sidecarJson(file, InstanceReport)) !== null) return 'a SWE-bench report';
  if ((await sidecarJson(file, RunSummary)) !== null) return 'a SWE-bench summary';
  if ((await sidecarJson(file, TerminalBenchResults)) !== null) return 'terminal-bench results';
  if ((await sidecarJson(file, TerminalBenchResult)) !== null) return 'a terminal-bench result';
  const keyed = await sidecarJson(file, KeyedReport);
  return keyed !== null && Object.keys(keyed).length > 0 ? 'a SWE-bench report' : null;
}
