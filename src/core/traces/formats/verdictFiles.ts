import { basename, dirname } from 'node:path';
import type { Outcome } from '../model';
import { verdictOf, verdictOfRewards } from '../outcome/readers';
import { HarborResult, InstanceReport, TerminalBenchResult } from '../outcome/schemas';
import { type Fields, fieldsOf, listOf, stringOf } from '../reading/fields';
import { checkDocumentEnd } from './elements';
import type { FileSink, TraceFormat, TraceSink } from './format';
import { eventBody } from './runWriter';

/**
 * Files that tell how runs ended where no trace tells what was done: SWE-bench reports, results of Harbor trials and of
 * terminal-bench. Where a trace uses the verdict, the trace is shown instead.
 */
export const verdictFiles: TraceFormat = {
  id: 'verdict',
  title: 'verdict without a trace',
  looksFor: 'a SWE-bench report, a Harbor trial result or terminal-bench results',
  verdictOnly: true,
  sniff(head) {
    if (head.document?.root !== 'object') return 0;
    return kindOf(head.members) === null ? 0 : 0.35;
  },
  async read(source, head, sink) {
    const { members } = head;
    const kind = kindOf(members);
    if (kind === 'harbor') harbor(source.file, members, sink);
    else if (kind === 'terminal-bench') trials(source.file, members, sink);
    else report(source.file, members, sink);
    checkDocumentEnd(head, sink);
  },
  stepOf: () => eventBody('note', ''),
};

function kindOf(members: Fields): 'harbor' | 'terminal-bench' | 'report' | null {
  if ('trial_name' in members && HarborResult.safeParse(members).success && !('is_resolved' in members))
    return 'harbor';
  const results = listOf(members.results);
  if (TerminalBenchResult.safeParse(members).success) return 'terminal-bench';
  if (results.length > 0 && results.every((one) => TerminalBenchResult.safeParse(one).success)) return 'terminal-bench';
  if (InstanceReport.safeParse(members).success && 'tests_status' in members) return 'report';
  const values = Object.values(members);
  return values.length > 0 && values.every((one) => InstanceReport.safeParse(one).success) ? 'report' : null;
}

function report(file: string, members: Fields, sink: FileSink): void {
  const single = typeof members.resolved === 'boolean';
  // A file named `report.json` stands in a folder named after the instance.
  const named = basename(file).replace(/\.?report\.json$|\.json$/i, '') || basename(dirname(file));
  const entries: [string, unknown][] = single ? [[named, members]] : Object.entries(members);
  for (const [task, entry] of entries) {
    const passed = fieldsOf(entry).resolved === true;
    const run = entries.length === 1 ? sink : sink.run(task);
    verdict(run, task, {
      ...verdictOf(passed ? 1 : 0),
      source: basename(file),
    });
    run.warn('A report without steps: it says how the run ended, not what was done.');
  }
}

function trials(file: string, members: Fields, sink: FileSink): void {
  const results = Array.isArray(members.results) ? members.results.map(fieldsOf) : [members];
  for (const [index, result] of results.entries()) {
    const passed = result.is_resolved;
    const mode = stringOf(result.failure_mode);
    const run = results.length === 1 ? sink : sink.run(String(index));
    verdict(run, stringOf(result.task_id) ?? 'unnamed', {
      ...verdictOf(typeof passed === 'boolean' ? Number(passed) : null),
      exception: mode === null || mode === 'unset' || mode === 'none' ? null : mode,
      source: basename(file),
    });
    run.facts({ trial: stringOf(result.trial_name), sessionId: stringOf(result.trial_name) });
    run.warn('A result without steps: the logs of this trial are not here.');
  }
}

function harbor(file: string, members: Fields, sink: FileSink): void {
  const result = HarborResult.parse(members);
  verdict(sink, result.task_name ?? 'unnamed', {
    ...(verdictOfRewards(result.verifier_result?.rewards ?? {}) ?? verdictOf(null)),
    exception: result.exception_info?.exception_type ?? null,
    source: basename(file),
  });
  sink.facts({
    trial: result.trial_name ?? null,
    sessionId: result.trial_name ?? null,
    agent: result.agent_info?.name ?? null,
    agentVersion: result.agent_info?.version ?? null,
    model: result.agent_info?.model_info?.name ?? null,
    costUsd: result.agent_result?.cost_usd ?? null,
  });
  sink.time(result.started_at ?? null);
  sink.time(result.finished_at ?? null);
  sink.warn('A trial without a trace: it has a result, but no steps were recorded or found.');
}

function verdict(run: TraceSink, task: string, outcome: Outcome): void {
  run.facts({ task, sessionId: task, outcome });
}
