import { normalisedTool } from '../contrast/action';
import { keyOfText, sortedKeys } from '../contrast/normalise';
import type { Step } from '../model';
import type { StepRelations } from './model';

/** A failed call is retried within this many model turns, or it is another attempt at the task. */
const RETRY_TURNS = 6;
/** Calls that are remembered; the oldest goes first. */
const REMEMBERED = 50_000;

interface Made {
  step: number;
  turn: number;
  tool: string;
  failed: boolean;
}

type Relations = Pick<StepRelations, 'repeatOf' | 'retryOf' | 'causedByError'>;

/** Follows calls and errors through a run: what repeats, what is tried again, and what an error led to. */
export class Repeats {
  private readonly made = new Map<string, Made>();
  private recent: Made[] = [];
  private readonly callMade = new Map<string, Made>();
  private turn = 0;
  private error: number | null = null;

  /** Relations of the next step; call it for each step in order. */
  next(step: Step): Relations {
    const found: Relations = {};
    if (step.kind === 'agent' && (step.calls.length > 0 || step.results.length === 0)) this.ofTurn(step, found);
    this.ofResults(step);
    return found;
  }

  private ofTurn(step: Step, found: Relations): void {
    this.turn += 1;
    if (this.error !== null) found.causedByError = this.error;
    this.error = null;
    this.callMade.clear();
    for (const call of step.calls) {
      const key = keyOfText(`${call.name} ${JSON.stringify(call.args, sortedKeys) ?? ''}`);
      const before = this.made.get(key);
      const made: Made = { step: step.n, turn: this.turn, tool: normalisedTool(call), failed: false };
      const failed = this.recent.findLast((one) => one.failed && one.tool === made.tool && one.step !== step.n);
      if (before?.failed && this.turn - before.turn <= RETRY_TURNS) found.retryOf ??= before.step;
      else if (before !== undefined && before.step !== step.n) found.repeatOf ??= before.step;
      else if (failed !== undefined) found.retryOf ??= failed.step;
      this.made.delete(key);
      this.made.set(key, made);
      if (this.made.size > REMEMBERED) for (const oldest of this.made.keys()) if (this.made.delete(oldest)) break;
      this.callMade.set(call.id, made);
      this.recent.push(made);
    }
    this.recent = this.recent.filter((one) => this.turn - one.turn < RETRY_TURNS);
  }

  private ofResults(step: Step): void {
    for (const result of step.results) {
      const made =
        this.callMade.get(result.callId ?? '') ??
        (this.callMade.size === 1 ? [...this.callMade.values()][0] : undefined);
      if (made !== undefined && result.isError) made.failed = true;
    }
    const error =
      step.results.some((result) => result.isError) || step.event === 'format_error' || step.event === 'exception';
    if (error) this.error = step.n;
  }
}
