import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Tokens, ToolCall, ToolResult } from '../model';
import { childOf, childrenOf, childValue } from '../reading/children';
import { argumentsOf, contentText, type Fields, fieldsOf, listOf, numberOf, stringOf } from '../reading/fields';
import type { TraceHead } from '../reading/head';
import { memberOf } from '../reading/jsonDocument';
import type { ByteRange, TraceSource } from '../reading/source';
import { checkDocumentEnd, elementsOf } from './elements';
import type { FileSink, RunFacts, StepBody, StepCounts, TraceFormat, TraceSink } from './format';
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
    headFacts(head.members, sink);
    if (head.document !== null && memberOf(head.document, 'steps') === undefined)
      sink.warn('It names the ATIF schema, but has no steps.');
    const steps = new StepReader(sink);
    for await (const { value, range, index } of elementsOf(source, head, 'steps', sink, work))
      steps.add(fieldsOf(value), range, index);
    checkDocumentEnd(head, sink);
    const { references, sums } = steps.finish();
    sink.facts({
      ...totals(fieldsOf(head.members.final_metrics), sums),
      ...(await membersBeside(source, references, head, sink)),
    });
    await embedded(source, head, sink);
  },
  stepOf: (records, hint) => stepBody(fieldsOf(records[0]), Number(hint)),
};

function headFacts(members: Fields, sink: TraceSink): void {
  const agent = fieldsOf(members.agent);
  sink.facts({
    formatVersion: stringOf(members.schema_version)?.replace(/^ATIF-v/, '') ?? null,
    sessionId: stringOf(members.session_id) ?? stringOf(members.trajectory_id),
    agent: stringOf(agent.name),
    agentVersion: stringOf(agent.version),
    model: stringOf(agent.model_name),
  });
}

/** Trajectories of sub-agents inside the document (since 1.7), each a run of its own. */
async function embedded(source: TraceSource, head: TraceHead, sink: FileSink): Promise<void> {
  const list = head.document === null ? undefined : memberOf(head.document, 'subagent_trajectories');
  for (const [index, place] of (list?.elements ?? []).entries()) {
    const children = await childrenOf(source, place);
    const members: Record<string, unknown> = {};
    for (const key of ['schema_version', 'session_id', 'trajectory_id', 'agent', 'final_metrics'])
      members[key] = await childValue(source, children, key);
    const run = sink.run(`embedded ${index}`);
    headFacts(
      {
        schema_version: head.members.schema_version,
        ...members,
        session_id: members.trajectory_id ?? members.session_id,
      },
      run,
    );
    run.facts({ ofFirst: true });
    const steps = new StepReader(run);
    const held = childOf(children, 'steps');
    for (const [at, place] of (held === undefined ? [] : await childrenOf(source, held)).entries())
      steps.add(fieldsOf((await source.value(place))?.value), place, at);
    run.facts(totals(fieldsOf(members.final_metrics), steps.finish().sums));
  }
}

/** Passes over the steps of one trajectory. */
class StepReader {
  private readonly sums = new MetricSums();
  private readonly references: Fields[] = [];
  private readonly unknownSources = new Map<string, number>();
  private titled = false;
  private last: { body: StepBody; result: boolean } | null = null;

  constructor(private readonly sink: TraceSink) {}

  add(record: Fields, range: ByteRange, index: number): void {
    const body = stepBody(record, index);
    const from = String(record.source ?? '');
    if (!['system', 'user', 'agent'].includes(from))
      this.unknownSources.set(from, (this.unknownSources.get(from) ?? 0) + 1);
    const started = referencesOf(record);
    if (body.kind === 'user' && !this.titled) {
      this.sink.facts({ title: shorten(body.text, 200) });
      this.titled = true;
    }
    this.references.push(...started);
    if (!body.copied) {
      this.sums.add(fieldsOf(record.metrics), record.metrics !== undefined);
      this.last = { body, result: isResultStep(record) };
    }
    this.sink.step({ body, ranges: [range], hint: index, counts: countsOf(record, body, started.length) });
  }

  finish(): { sums: MetricSums; references: readonly Fields[] } {
    for (const [name, times] of this.unknownSources)
      this.sink.warn(`Unknown source value "${name}" on ${times} steps; they are shown as events.`);
    if (this.last !== null && endsOpen(this.last)) this.sink.facts({ endsTruncated: true });
    return { sums: this.sums, references: this.references };
  }
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

function totals(final: Fields, sums: MetricSums): Pick<RunFacts, 'tokens' | 'costUsd'> {
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

function embeddedIds(head: TraceHead): string[] {
  const runs = listOf(head.members.subagent_trajectories).map(fieldsOf);
  return runs.flatMap((run) => [stringOf(run.trajectory_id), stringOf(run.session_id)].filter((id) => id !== null));
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
  // Sub-agents that are embedded in the document need no file.
  const inside = new Set(embeddedIds(head));
  const outside = references.filter((one) => ![one.trajectory_id, one.session_id].some((id) => inside.has(String(id))));
  const names = outside.map((one) => stringOf(one.trajectory_path) ?? stringOf(one.session_id));
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
