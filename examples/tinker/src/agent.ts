import { readdir } from 'node:fs/promises';
import { compact } from './compaction.ts';
import { CompletionCheck } from './completion.ts';
import type { Config } from './config.ts';
import type { LimitName } from './limits.ts';
import { Limits } from './limits.ts';
import type { ChatMessage, ModelClient } from './model.ts';
import type { Action, FormatProblem } from './parser.ts';
import { parseReply } from './parser.ts';
import type { Templates } from './templates.ts';
import { ToolRegistry } from './tools/registry.ts';
import type { TrajectoryRecorder } from './trajectory.ts';
import { truncateOutput } from './truncation.ts';

export type ExitStatus = 'submitted' | LimitName;

export interface AgentParts {
  config: Config;
  model: ModelClient;
  templates: Templates;
  recorder: TrajectoryRecorder;
}

interface Acted {
  observation: string;
  done: boolean;
  /** Notes for the trajectory that the model does not see. */
  extra?: Record<string, unknown>;
}

/** Works on one task in one folder until it submits or a limit ends it. */
export class Agent {
  readonly registry: ToolRegistry;
  private readonly parts: AgentParts;
  private readonly limits: Limits;
  private readonly completion: CompletionCheck;
  private messages: ChatMessage[] = [];

  constructor(parts: AgentParts) {
    this.parts = parts;
    this.registry = new ToolRegistry(parts.config.tools);
    this.limits = new Limits(parts.config.limits);
    this.completion = new CompletionCheck(parts.config.completion);
  }

  /** Runs the loop. Throws ModelError when the model cannot be reached. */
  async run(instruction: string, workDir: string): Promise<ExitStatus> {
    await this.openConversation(instruction, workDir);
    for (;;) {
      const limit = this.limits.reached();
      if (limit) return limit;
      this.limits.startTurn();
      this.compactContext();
      const answer = await this.parts.model.complete(this.messages);
      this.messages.push({ role: 'assistant', content: answer.text });
      const { action, problem } = parseReply(answer.text, this.registry);
      if (problem) {
        this.limits.countFormatError();
        const feedback = this.formatErrorFeedback(problem);
        this.parts.recorder.addReply(answer, undefined, feedback, { format_error: problem.kind });
        this.messages.push({ role: 'user', content: feedback });
        continue;
      }
      this.limits.countGoodAction();
      const { observation, done, extra } = await this.act(action, workDir);
      this.parts.recorder.addReply(answer, action, observation, extra);
      if (done) return 'submitted';
      this.messages.push({ role: 'user', content: observation });
    }
  }

  /** System prompt and task statement. */
  private async openConversation(instruction: string, workDir: string): Promise<void> {
    const { templates, recorder } = this.parts;
    const system = templates.render('system', { tools: this.registry.describe() });
    const files = (await readdir(workDir)).sort().join(', ') || 'nothing';
    const task = templates.render('task', { instruction: instruction.trim(), files });
    recorder.addText('system', system);
    recorder.addText('user', task);
    this.messages = [
      { role: 'system', content: system },
      { role: 'user', content: task },
    ];
  }

  private compactContext(): void {
    const { templates, recorder, config } = this.parts;
    const { messages, dropped } = compact(this.messages, config.context, (count) =>
      templates.render('compaction', { dropped: count }),
    );
    if (dropped === 0) return;
    this.messages = messages;
    recorder.addText('system', templates.render('compaction', { dropped }), { compaction: { dropped } });
  }

  private formatErrorFeedback(problem: FormatProblem): string {
    const { reason, expected } = problem;
    return this.parts.templates.render('format_error', { reason, expected });
  }

  /** Runs the tool of an action; a submission goes through the completion check. */
  private async act(action: Action, workDir: string): Promise<Acted> {
    const { config, templates } = this.parts;
    const effect = this.registry.get(action.tool)?.effect ?? 'looks';
    if (effect === 'submits' && !this.completion.accepts()) {
      return { observation: templates.render('completion'), done: false };
    }
    const result = await this.registry.run(action.tool, action.args, { workDir, config });
    this.completion.observe(effect);
    const output = truncateOutput(result.output, config.observation.maxChars);
    const observation = templates.render('observation', { tool: action.tool, status: result.status, output });
    const extra = output === result.output ? undefined : { output_chars: result.output.length };
    return { observation, done: effect === 'submits', extra };
  }
}
