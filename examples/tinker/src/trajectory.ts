import { writeFile } from 'node:fs/promises';
import type { ModelAnswer } from './model.ts';
import type { Action } from './parser.ts';

/** One step of the Agent Trajectory Interchange Format, as far as this harness writes it. */
export interface AtifStep {
  step_id: number;
  timestamp: string;
  source: 'system' | 'user' | 'agent';
  message: string;
  model_name?: string;
  tool_calls?: { tool_call_id: string; function_name: string; arguments: Record<string, unknown> }[];
  observation?: { results: { source_call_id?: string; content: string }[] };
  metrics?: { prompt_tokens: number; completion_tokens: number };
  extra?: Record<string, unknown>;
}

export interface TrajectoryTotals {
  promptTokens: number;
  completionTokens: number;
}

/** Records a run as ATIF. Every text is the one that the model saw or wrote, to the letter. */
export class TrajectoryRecorder {
  readonly steps: AtifStep[] = [];
  readonly totals: TrajectoryTotals = { promptTokens: 0, completionTokens: 0 };
  private readonly sessionId: string;
  private readonly modelName: string;

  constructor(sessionId: string, modelName: string) {
    this.sessionId = sessionId;
    this.modelName = modelName;
  }

  /** A text from the harness: the system prompt, the task, or the notice of a compaction. */
  addText(source: 'system' | 'user', message: string, extra?: Record<string, unknown>): void {
    this.add({ source, message, ...(extra ? { extra } : {}) });
  }

  /** A reply of the model together with what it got back. */
  addReply(
    answer: ModelAnswer,
    action: Action | undefined,
    observation: string,
    extra?: Record<string, unknown>,
  ): void {
    this.totals.promptTokens += answer.promptTokens;
    this.totals.completionTokens += answer.completionTokens;
    const callId = `call_${this.steps.length + 1}`;
    this.add({
      source: 'agent',
      message: answer.text,
      model_name: this.modelName,
      ...(action ? { tool_calls: [{ tool_call_id: callId, function_name: action.tool, arguments: action.args }] } : {}),
      observation: { results: [{ ...(action ? { source_call_id: callId } : {}), content: observation }] },
      metrics: { prompt_tokens: answer.promptTokens, completion_tokens: answer.completionTokens },
      ...(extra ? { extra } : {}),
    });
  }

  /** The whole trajectory as a document. */
  toDocument(toolDefinitions: unknown[]): Record<string, unknown> {
    return {
      schema_version: 'ATIF-v1.6',
      session_id: this.sessionId,
      agent: { name: 'tinker', version: '0.1.0', model_name: this.modelName, tool_definitions: toolDefinitions },
      steps: this.steps,
      final_metrics: {
        total_prompt_tokens: this.totals.promptTokens,
        total_completion_tokens: this.totals.completionTokens,
        total_steps: this.steps.length,
      },
    };
  }

  async save(file: string, toolDefinitions: unknown[]): Promise<void> {
    await writeFile(file, `${JSON.stringify(this.toDocument(toolDefinitions), null, 1)}\n`);
  }

  private add(step: Omit<AtifStep, 'step_id' | 'timestamp'>): void {
    this.steps.push({ step_id: this.steps.length + 1, timestamp: new Date().toISOString(), ...step });
  }
}
