import type { Step, TraceRun } from '../model';
import type { StepRelations } from '../relations/model';
import type { Fingerprint } from './model';

const TOOLS_SHOWN = 12;
const TOOLS_COUNTED = 1000;

/** Counts what makes a run recognisable while its steps pass by. */
export class FingerprintCount {
  private repeats = 0;
  private retries = 0;
  private streak = 0;
  private longest = 0;
  private truncated = 0;
  private readonly tools = new Map<string, { calls: number; errors: number }>();
  private readonly toolOfCall = new Map<string, string>();

  /** Counts a step with its relations; call it in order. */
  step(step: Step, relations: StepRelations): void {
    if (step.copied) return;
    if (relations.repeatOf !== undefined) this.repeats += 1;
    if (relations.retryOf !== undefined) this.retries += 1;
    if (relations.context?.truncated !== undefined) this.truncated += 1;
    if (step.kind === 'agent' && (step.calls.length > 0 || step.results.length === 0)) {
      this.streak = relations.causedByError === undefined ? 0 : this.streak + 1;
      this.longest = Math.max(this.longest, this.streak);
      this.toolOfCall.clear();
    }
    for (const call of step.calls) {
      this.toolOfCall.set(call.id, call.name);
      this.tool(call.name, 'calls');
    }
    for (const result of step.results) {
      const name = this.toolOfCall.get(result.callId ?? '');
      if (result.isError && name !== undefined) this.tool(name, 'errors');
    }
  }

  private tool(name: string, count: 'calls' | 'errors'): void {
    const known = this.tools.get(name) ?? { calls: 0, errors: 0 };
    known[count] += 1;
    if (this.tools.has(name) || this.tools.size < TOOLS_COUNTED) this.tools.set(name, known);
  }

  /** The fingerprint with what the run's head counts. */
  of(run: TraceRun): Fingerprint {
    const { counts } = run;
    return {
      turns: counts.modelTurns,
      noActionTurns: counts.noActionTurns,
      calls: counts.toolCalls,
      toolErrors: counts.toolErrors,
      repeats: this.repeats,
      retries: this.retries,
      longestErrorStreak: this.longest,
      truncatedResults: this.truncated,
      compactions: counts.compactions,
      tools: [...this.tools]
        .map(([name, count]) => ({ name, ...count }))
        .sort((a, b) => b.calls - a.calls || (a.name < b.name ? -1 : 1))
        .slice(0, TOOLS_SHOWN),
      endsTruncated: run.endsTruncated,
    };
  }
}
