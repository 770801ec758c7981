import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { contentText, type Fields, fieldsOf, listOf, stringOf } from '../reading/fields';
import { isToolResult, meaningOf, UsageMaximum } from './claudeRecords';
import type { TraceSink } from './format';
import { shorten } from './text';

const SUBAGENT_TOOLS = new Set(['Task', 'Agent']);

/** What is told of a whole session: who, tokens, sub-agents, how it ends, what is missing. Keeps identifiers only. */
export class SessionFacts {
  private session: string | null = null;
  private version: string | null = null;
  private model: string | null = null;
  private title: string | null = null;
  private summary: string | null = null;
  private readonly usage = new Map<string, UsageMaximum>();
  private readonly uuids = new Set<string>();
  private readonly parents = new Set<string>();
  private readonly agents = new Set<string>();
  private readonly calls = new Set<string>();
  private readonly shown = new Set<string>();
  private readonly unanswered = new Set<string>();
  private readonly taskCalls = new Set<string>();
  private lastIsResult = false;

  add(record: Fields): void {
    this.session ??= (record.isSidechain === true ? stringOf(record.agentId) : null) ?? stringOf(record.sessionId);
    this.version ??= stringOf(record.version);
    this.summary ??= record.type === 'summary' ? stringOf(record.summary) : null;
    const uuid = stringOf(record.uuid);
    if (uuid !== null) this.uuids.add(uuid);
    const parent = stringOf(record.parentUuid);
    if (parent !== null) this.parents.add(parent);
    const meaning = meaningOf(record);
    if (meaning === 'turn') this.addTurn(record);
    if (meaning === 'result') this.addResults(record);
    if (meaning === 'user') this.title ??= shorten(contentText(fieldsOf(record.message).content), 200);
    if (meaning === 'turn' || meaning === 'user' || meaning === 'result') this.lastIsResult = isToolResult(record);
  }

  /** False for a call that another line of the same message showed already. */
  isNewCall(id: string): boolean {
    if (this.shown.has(id)) return false;
    this.shown.add(id);
    return true;
  }

  private addTurn(record: Fields): void {
    const message = fieldsOf(record.message);
    this.model ??= stringOf(message.model);
    const id = stringOf(message.id) ?? stringOf(record.uuid) ?? '';
    const usage = this.usage.get(id) ?? new UsageMaximum();
    usage.add(fieldsOf(message.usage));
    this.usage.set(id, usage);
    for (const block of listOf(message.content).map(fieldsOf)) {
      const call = block.type === 'tool_use' ? stringOf(block.id) : null;
      if (call === null || this.calls.has(call)) continue;
      this.calls.add(call);
      this.unanswered.add(call);
      if (SUBAGENT_TOOLS.has(String(block.name))) this.taskCalls.add(call);
    }
  }

  private addResults(record: Fields): void {
    const agent = stringOf(fieldsOf(record.toolUseResult).agentId);
    if (agent !== null) this.agents.add(agent);
    for (const block of listOf(fieldsOf(record.message).content).map(fieldsOf)) {
      const call = stringOf(block.tool_use_id);
      if (call === null) continue;
      this.unanswered.delete(call);
      if (agent !== null) this.taskCalls.delete(call);
    }
  }

  /** Tells the run's facts; looks for the files of its sub-agents. */
  async report(file: string, sink: TraceSink, cut: boolean): Promise<void> {
    const known = [...this.usage.values()].filter((usage) => usage.any);
    const sum = (pick: (usage: UsageMaximum) => number) => known.reduce((total, usage) => total + pick(usage), 0);
    const outside = [...this.parents].filter((parent) => !this.uuids.has(parent)).length;
    if (outside > 0) {
      sink.warn(
        `${outside} parentUuid outside the file: it starts in the middle of a conversation or continues another file.`,
      );
    }
    sink.facts({
      sessionId: this.session ?? basename(file).replace(/\.jsonl?$/, ''),
      title: this.summary ?? this.title,
      agent: 'Claude Code',
      agentVersion: this.version,
      model: this.model,
      tokens: {
        input: known.length === 0 ? null : sum((usage) => usage.input),
        output: known.length === 0 ? null : sum((usage) => usage.output),
        cached: known.length === 0 ? null : sum((usage) => usage.cached),
        inputIncludesCached: known.length === 0 ? null : false,
        cacheWrite: known.length === 0 ? null : sum((usage) => usage.cacheWrite),
      },
      endsTruncated: cut || this.lastIsResult || this.unanswered.size > 0,
      subagentRuns: this.agents.size + this.taskCalls.size,
      memberFiles: await this.subagentFiles(file, sink),
    });
  }

  private async subagentFiles(file: string, sink: TraceSink): Promise<string[]> {
    if (this.agents.size === 0) return [];
    const folders = [join(dirname(file), basename(file).replace(/\.jsonl$/, ''), 'subagents'), dirname(file)];
    const found: string[] = [];
    for (const agent of this.agents) {
      for (const folder of folders) {
        const candidate = join(folder, `agent-${basename(agent)}.jsonl`);
        if (
          await stat(candidate).then(
            (stats) => stats.isFile(),
            () => false,
          )
        ) {
          found.push(candidate);
          break;
        }
      }
    }
    const missing = this.agents.size - found.length;
    if (missing > 0) sink.warn(`${missing} of ${this.agents.size} sub-agent files are not present.`);
    return found;
  }
}
