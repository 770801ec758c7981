import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Tokens, ToolCall, ToolResult } from '../model';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { TraceHead } from '../reading/head';
import type { TraceSource } from '../reading/source';
import { checkDocumentEnd, elementsOf } from './elements';
import type { RunFacts, StepBody, StepCounts, TraceFormat, TraceSink } from './format';
import { shorten } from './text';

/**
 * ATIF, the trajectory format of Harbor (its RFC 0001, versions 1.0 to 1.7), with the habits of real writers:
 * OpenClaw puts each tool result into a step of its own and names the call in `extra.tool_call_id`; terminus-2
 * gives results no `source_call_id`, they answer the calls of the same step in order.
 */
export const atif: TraceFormat = {
  id: 'atif',
  title: 'ATIF trajectory (Harbor)',
  looksFor: 'an object with schema_version "ATIF-v…" and steps',
  sniff(head) {
    const version = stringOf(head.members.schema_version) ?? '';
    const steps = head.document?.members.some((member) => member.key === 'steps') ?? false;
    if (/^ATIF-v\d/.test(version)) return steps ? 1 : 0.6;
    return steps && /^\d+\.\d+$/.test(version) && 'agent' in head.members ? 0.9 : 0;
  },
  async read(source, head, sink, work) {
    headFacts(head, sink);
    const sums = new MetricSums();
    const references: Fields[] = [];
    const unknownSources = new Map<string, number>();
    let titled = false;
    let lastStep: { body: StepBody; result: boolean } | null = null;
    for await (const { value, range, index } of elementsOf(source, head, 'steps', sink, work)) {
      const record = fieldsOf(value);
      const body = stepBody(record, index);
      const from = String(record.source ?? '');
      if (!['system', 'user', 'agent'].includes(from)) unknownSources.set(from, (unknownSources.get(from) ?? 0) + 1);
      const started = referencesOf(record);
      if (body.kind === 'user' && !titled) {
        sink.facts({ title: shorten(body.text, 200) });
        titled = true;
      }
      references.push(...started);
      if (!body.copied) {
        sums.add(fieldsOf(record.metrics), record.metrics !== undefined);
        lastStep = { body, result: isResultStep(record) };
      }
      sink.step({ body, ranges: [range], hint: index, counts: countsOf(record, body, started.length) });
    }
    for (const [name, times] of unknownSources)
      sink.warn(`Unknown source value "${name}" on ${times} steps; they are shown as events.`);
    checkDocumentEnd(head, sink);
    sink.facts({ ...totals(head, sums), ...(await membersBeside(source, references, head, sink)) });
    if (lastStep !== null && endsOpen(lastStep)) sink.facts({ endsTruncated: true });
  },
  stepOf: (records, hint) => stepBody(fieldsOf(records[0]), Number(hint)),
};

function headFacts(head: TraceHead, sink: TraceSink): void {
  const agent = fieldsOf(head.members.agent);
  sink.facts({
    formatVersion: stringOf(head.members.schema_version)?.replace(/^ATIF-v/, '') ?? null,
    sessionId: stringOf(head.members.session_id) ?? stringOf(head.members.trajectory_id),
    agent: stringOf(agent.name),
    agentVersion: stringOf(agent.version),
    model: stringOf(agent.model_name),
  });
  const embedded = listOf(head.members.subagent_trajectories).length;
  if (embedded > 0) sink.warn(`${embedded} embedded sub-agent trajectories are not shown as runs of their own.`);
}

function isResultStep(record: Fields): boolean {
  return fieldsOf(record.extra).openclaw_role === 'toolResult';
}

function stepBody(record: Fields, index: number): StepBody {
  const extra = fieldsOf(record.extra);
  const result = isResultStep(record);
  const calls = listOf(record.tool_calls).map((call, at) => toolCall(fieldsOf(call), index, at));
  const results = toolResults(record, calls);
  const body: StepBody = { kind: result ? 'tool' : kindOf(record), text: contentText(record.message), calls, results };
  // OpenClaw repeats the result as the message of its step.
  if (result && results.some((one) => one.text === body.text)) body.text = '';
  const reasoning = stringOf(record.reasoning_content);
  if (reasoning !== null) body.reasoning = reasoning;
  const model = stringOf(record.model_name);
  if (model !== null) body.model = model;
  const time = stringOf(record.timestamp);
  if (time !== null) body.time = time;
  if (record.is_copied_context === true) body.copied = true;
  const metrics = fieldsOf(record.metrics);
  if (record.metrics !== undefined) {
    body.tokens = tokensOf(metrics.prompt_tokens, metrics.completion_tokens, metrics.cached_tokens);
    body.costUsd = numberOf(metrics.cost_usd);
  }
  const milliseconds = numberOf(extra.exec_duration_ms);
  if (milliseconds !== null) body.seconds = milliseconds / 1000;
  const event = eventOf(record, body, index);
  if (event !== undefined) body.event = event;
  const started = stringOf(referencesOf(record)[0]?.session_id);
  if (started !== null) body.startsRun = started;
  return body;
}

function kindOf(record: Fields): StepBody['kind'] {
  const from = record.source;
  if (from === 'system' || from === 'user' || from === 'agent') return from;
  // A redacted source still shows a user's turn by the payload that announces it.
  const payload = fieldsOf(fieldsOf(record.extra).event_payload);
  return payload.is_first_turn === true && 'user_message' in payload ? 'user' : 'event';
}

function eventOf(record: Fields, body: StepBody, index: number): string | undefined {
  const told = stringOf(fieldsOf(record.extra).event);
  if (told !== null) return told;
  if (isCompaction(record, index)) return 'compaction';
  // A result that answers no call, on a turn without calls, is what the harness said about that turn.
  const unasked = body.results.some((result) => result.callId === null);
  if (body.kind === 'agent' && body.calls.length === 0 && unasked) return 'format_error';
  return undefined;
}

const COMPACTED =
  /summari[sz]|compact|(conversation|context|history) (grew|was|is) too (long|large)|earlier messages (were|have been) removed/i;

/** A system step that tells of a summary, a hand-over or removed messages. The opening prompt may speak of them too. */
function isCompaction(record: Fields, index: number): boolean {
  if (fieldsOf(record.extra).event === 'compaction') return true;
  if (record.source !== 'system' || index === 0) return false;
  const references = referencesOf(record);
  const about = [contentText(record.message), ...references.map((one) => JSON.stringify(one))].join(' ');
  return COMPACTED.test(references.length > 0 ? about : about.slice(0, 300));
}

function toolCall(call: Fields, index: number, at: number): ToolCall {
  return {
    id: typeof call.tool_call_id === 'string' ? call.tool_call_id : `step-${index + 1}-call-${at + 1}`,
    name: stringOf(call.function_name) ?? 'unnamed',
    args: argumentsOf(call.arguments),
  };
}

function toolResults(record: Fields, calls: readonly ToolCall[]): ToolResult[] {
  const extra = fieldsOf(record.extra);
  const failed =
    (numberOf(extra.exec_exit_code) ?? 0) !== 0 || extra.exec_status === 'failed' || extra.is_error === true;
  const found: ToolResult[] = [];
  for (const item of listOf(fieldsOf(record.observation).results)) {
    const result = fieldsOf(item);
    // A bare reference to a sub-agent's file answers no call.
    if (result.content === undefined && result.source_call_id === undefined) continue;
    const named = typeof result.source_call_id === 'string' ? result.source_call_id : extra.tool_call_id;
    const callId = typeof named === 'string' ? named : (calls[Math.min(found.length, calls.length - 1)]?.id ?? null);
    const own = fieldsOf(result.extra);
    found.push({
      callId,
      text: contentText(result.content),
      isError: failed || own.is_error === true || own.isError === true,
    });
  }
  return found;
}

function referencesOf(record: Fields): Fields[] {
  return listOf(fieldsOf(record.observation).results).flatMap((result) =>
    listOf(fieldsOf(result).subagent_trajectory_ref).map(fieldsOf),
  );
}

function countsOf(record: Fields, body: StepBody, started: number): StepCounts {
  const counts: StepCounts = { subagentRuns: started };
  if (body.kind === 'agent' && record.llm_call_count !== 0) counts.modelTurn = true;
  if (body.kind === 'user') counts.userMessage = true;
  if (body.event === 'compaction') counts.compaction = true;
  return counts;
}

/** A run that ends on a tool result or an unanswered call was stopped, unless that call was the one that finishes. */
function endsOpen({ body, result }: { body: StepBody; result: boolean }): boolean {
  if (result) return true;
  return body.calls.length > 0 && !body.calls.some((call) => /complete|submit|finish|done|final|exit/i.test(call.name));
}

class MetricSums {
  input = 0;
  output = 0;
  cached = 0;
  cost = 0;
  any = false;
  anyCached = false;
  anyCost = false;

  add(metrics: Fields, present: boolean): void {
    if (!present) return;
    this.any ||= numberOf(metrics.prompt_tokens) !== null || numberOf(metrics.completion_tokens) !== null;
    this.input += numberOf(metrics.prompt_tokens) ?? 0;
    this.output += numberOf(metrics.completion_tokens) ?? 0;
    this.anyCached ||= numberOf(metrics.cached_tokens) !== null;
    this.cached += numberOf(metrics.cached_tokens) ?? 0;
    this.anyCost ||= numberOf(metrics.cost_usd) !== null;
    this.cost += numberOf(metrics.cost_usd) ?? 0;
  }
}

function totals(head: TraceHead, sums: MetricSums): Pick<RunFacts, 'tokens' | 'costUsd'> {
  const final = fieldsOf(head.members.final_metrics);
  const input = numberOf(final.total_prompt_tokens) ?? (sums.any ? sums.input : null);
  const output = numberOf(final.total_completion_tokens) ?? (sums.any ? sums.output : null);
  const cached = numberOf(final.total_cached_tokens) ?? (sums.anyCached ? sums.cached : null);
  return {
    tokens: tokensOf(input, output, cached),
    costUsd: numberOf(final.total_cost_usd) ?? (sums.anyCost ? sums.cost : null),
  };
}

function tokensOf(input: unknown, output: unknown, cached: unknown): Tokens {
  const [prompt, fromCache] = [numberOf(input), numberOf(cached)];
  return {
    input: prompt,
    output: numberOf(output),
    cached: fromCache,
    // The specification includes cached tokens in the prompt; more cached than prompt tokens shows a writer that does not.
    inputIncludesCached: prompt === null ? null : (fromCache ?? 0) <= prompt,
  };
}

/** Looks for the files that sub-agents and continuations wrote: by the end of the name, as recorded paths often moved. */
async function membersBeside(
  source: TraceSource,
  references: readonly Fields[],
  head: TraceHead,
  sink: TraceSink,
): Promise<Pick<RunFacts, 'memberFiles'>> {
  const next = stringOf(head.members.continued_trajectory_ref);
  if (references.length === 0 && next === null) return { memberFiles: [] };
  const folder = dirname(source.file);
  const beside = await readdir(folder).catch(() => []);
  const find = (name: string | null) =>
    name === null ? undefined : beside.find((file) => file.endsWith(basename(name)));
  const names = references.map((one) => stringOf(one.trajectory_path) ?? stringOf(one.session_id));
  const found = names.map(find);
  const missing = names.filter((_, at) => found[at] === undefined).map((name) => basename(name ?? 'unnamed'));
  if (missing.length > 0) {
    sink.warn(
      `${missing.length} of ${names.length} sub-agent files are not present: ${shorten(missing.join(', '), 200)}.`,
    );
  }
  if (next !== null && find(next) === undefined) sink.warn(`The continuation ${basename(next)} is not present.`);
  return {
    memberFiles: [...found, find(next ?? null)].flatMap((file) => (file === undefined ? [] : [join(folder, file)])),
  };
}
