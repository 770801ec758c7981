import type { RunFacts, StepDraft } from './formats/format';
import { shorten } from './formats/text';
import type { TraceRun } from './model';
import { isTime } from './reading/fields';

const NO_TOKENS = { input: null, output: null, cached: null, inputIncludesCached: null };
const WARNINGS_SHOWN = 50;

/**
 * Adds up what a list shows of a run while its steps pass by, without keeping their bodies: identifiers of calls and
 * results only, because a result belongs to a call wherever in the trace it stands.
 */
export class RunTally {
  private readonly counts = {
    steps: 0,
    modelTurns: 0,
    toolCalls: 0,
    toolErrors: 0,
    userMessages: 0,
    compactions: 0,
    subagentRuns: 0,
  };
  private readonly callIds = new Set<string>();
  private readonly answered: (string | null)[] = [];
  private turnsWithoutCalls = 0;
  private lastTurnHadCalls = true;
  private first: string | null = null;
  private last: string | null = null;
  private firstTime = Number.POSITIVE_INFINITY;
  private lastTime = Number.NEGATIVE_INFINITY;
  private seen: string | null = null;
  private repeatedCalls = 0;
  private backwards = 0;
  private firstBackwards = 0;
  private latestStep = Number.NEGATIVE_INFINITY;
  private noDates = 0;
  private noDate = '';
  private warningsLeftOut = 0;
  private readonly warnings: string[] = [];
  private known: RunFacts = {
    formatVersion: null,
    sessionId: null,
    title: null,
    task: null,
    trial: null,
    agent: null,
    agentVersion: null,
    model: null,
    exitStatus: null,
    tokens: NO_TOKENS,
    costUsd: null,
    outcome: null,
    scores: null,
    endsTruncated: false,
    components: [],
    memberFiles: [],
    partFiles: [],
    ofFirst: false,
    candidate: null,
    subagentRuns: null,
  };

  facts(facts: Partial<RunFacts>): void {
    this.known = { ...this.known, ...facts };
  }

  warn(message: string): void {
    if (this.warnings.length < WARNINGS_SHOWN) this.warnings.push(message);
    else this.warningsLeftOut += 1;
  }

  time(iso: string | null): void {
    if (iso === null || iso === this.seen) return;
    this.seen = iso;
    if (!isTime(iso)) {
      this.noDates += 1;
      this.noDate = iso;
      return;
    }
    const now = Date.parse(iso);
    if (now < this.firstTime) [this.first, this.firstTime] = [iso, now];
    if (now > this.lastTime) [this.last, this.lastTime] = [iso, now];
  }

  step(draft: StepDraft): void {
    const { body, counts } = draft;
    this.counts.steps += 1;
    if (body.copied) return;
    if (counts.userMessage) this.counts.userMessages += 1;
    if (counts.compaction) this.counts.compactions += 1;
    this.counts.subagentRuns += counts.subagentRuns ?? 0;
    for (const call of body.calls) {
      if (this.callIds.has(call.id)) this.repeatedCalls += 1;
      this.callIds.add(call.id);
    }
    this.counts.toolCalls += body.calls.length;
    for (const result of body.results) {
      this.answered.push(result.callId);
      if (result.isError) this.counts.toolErrors += 1;
    }
    if (counts.modelTurn) {
      this.counts.modelTurns += 1;
      this.lastTurnHadCalls = body.calls.length > 0;
      if (!this.lastTurnHadCalls) this.turnsWithoutCalls += 1;
    }
    this.time(body.time ?? null);
    this.watchClock(body.time);
  }

  /** Clocks of several machines differ by moments; more than a second back is told. */
  private watchClock(time: string | undefined): void {
    if (!isTime(time)) return;
    const now = Date.parse(time);
    if (now < this.latestStep - 1000) {
      this.backwards += 1;
      if (this.backwards === 1) this.firstBackwards = this.counts.steps;
    }
    this.latestStep = now;
  }

  /** Facts as known so far, for what must be looked up beside the trace. */
  get factsSoFar(): RunFacts {
    return this.known;
  }

  /** The head of the run, except what stands beside the trace. */
  run(file: string, format: string, id = file): TraceRun {
    const linked = this.answered.filter((id) => id !== null && this.callIds.has(id)).length;
    const orphans = this.answered.length - linked;
    // Feedback on a turn without a call answers none; only a result that names a missing call shows a gap.
    const lost = this.answered.filter((id) => id !== null && !this.callIds.has(id)).length;
    const warnings = [...this.warnings];
    if (lost > 0) warnings.push(`${lost} tool result${lost === 1 ? '' : 's'} without a call in the trace.`);
    if (this.repeatedCalls > 0) {
      const calls = this.repeatedCalls === 1 ? '1 call has' : `${this.repeatedCalls} calls have`;
      warnings.push(`${calls} the id of an earlier call.`);
    }
    if (this.backwards > 0) {
      const times = this.backwards === 1 ? 'once' : `${this.backwards} times`;
      warnings.push(`The clock goes back ${times}, first at step ${this.firstBackwards}.`);
    }
    if (this.noDates > 0)
      warnings.push(`${this.noDates} time stamps are no dates, such as ${JSON.stringify(shorten(this.noDate, 40))}.`);
    if (this.warningsLeftOut > 0) warnings.push(`${this.warningsLeftOut} more warnings were left out.`);
    const { memberFiles, partFiles, ofFirst, candidate, title, subagentRuns, outcome, scores, ...facts } = this.known;
    return {
      id,
      file,
      format,
      ...facts,
      title,
      ...(scores === null ? {} : { scores }),
      started: this.first,
      ended: this.last,
      outcome: outcome ?? { verdict: 'unknown', reward: null, exception: null, source: null },
      counts: {
        ...this.counts,
        subagentRuns: subagentRuns ?? this.counts.subagentRuns,
        resultsLinked: linked,
        resultsOrphan: orphans,
        // The closing message of a run is no missed action.
        noActionTurns: Math.max(0, this.turnsWithoutCalls - (this.lastTurnHadCalls ? 0 : 1)),
      },
      memberFiles,
      ...(ofFirst ? { memberOf: `${file}#0` } : {}),
      ...(candidate === null ? {} : { candidate }),
      ...(partFiles.length === 0 ? {} : { partFiles }),
      warnings,
    };
  }
}
