import type { Outcome, StepKind, TraceRun } from '../../core/traces/model';

export type Tone = 'good' | 'bad' | 'neutral';

/** Icon, words and tone of an outcome. The words carry the meaning; icon and tone repeat it. */
export function outcomeWords(outcome: Outcome): { icon: string; words: string; tone: Tone } {
  const exception = outcome.exception ? `, ended by ${outcome.exception}` : '';
  switch (outcome.verdict) {
    case 'pass':
      return { icon: 'pass', words: `passed${exception}`, tone: 'good' };
    case 'fail':
      return { icon: 'error', words: `failed${exception}`, tone: 'bad' };
    case 'missing':
      return { icon: 'circle-slash', words: `no verdict${exception}`, tone: 'neutral' };
    case 'unknown':
      return {
        icon: 'question',
        words: outcome.exception ? `ended by ${outcome.exception}` : 'no verdict recorded',
        tone: 'neutral',
      };
  }
}

/** "1 step", "31 steps", "12,000 steps". */
export function count(n: number, one: string, many = `${one}s`): string {
  return `${n.toLocaleString('en-US')} ${n === 1 ? one : many}`;
}

/** US dollars with as many digits as say something. */
export function dollars(cost: number): string {
  if (cost === 0) return '$0';
  if (cost < 0.0001) return 'under $0.0001';
  return cost < 0.01 ? `$${cost.toFixed(4)}` : `$${cost.toFixed(2)}`;
}

/** "38 s", "4 min 10 s", "1 h 5 min" for seconds. */
export function duration(seconds: number): string {
  if (seconds < 9.95) return `${Math.round(seconds * 10) / 10} s`;
  // Rounded before it is split, or 119.6 s would be 1 min 60 s.
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  const minutes = Math.floor(whole / 60);
  if (minutes < 60) return `${minutes} min ${whole % 60} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** Seconds between start and end as recorded; null when either is missing or unreadable. */
export function runSeconds(run: Pick<TraceRun, 'started' | 'ended'>): number | null {
  if (!run.started || !run.ended) return null;
  const seconds = (Date.parse(run.ended) - Date.parse(run.started)) / 1000;
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : null;
}

/** What one row of the list says after the name: steps, cost, time; only what was recorded. */
export function runFacts(run: TraceRun): string[] {
  const facts = [count(run.counts.steps, 'step')];
  if (run.costUsd !== null) facts.push(dollars(run.costUsd));
  const seconds = runSeconds(run);
  if (seconds !== null) facts.push(duration(seconds));
  return facts;
}

/** The head of the trace page: facts with their units, in reading order. */
export function headFacts(run: TraceRun): string[] {
  const { counts, tokens } = run;
  const facts = [count(counts.steps, 'step'), count(counts.modelTurns, 'turn')];
  if (counts.toolCalls) facts.push(count(counts.toolCalls, 'tool call'));
  if (counts.toolErrors) facts.push(count(counts.toolErrors, 'tool error'));
  if (counts.noActionTurns) facts.push(count(counts.noActionTurns, 'no-action turn'));
  if (counts.compactions) facts.push(count(counts.compactions, 'compaction'));
  if (tokens.input !== null) facts.push(`${tokens.input.toLocaleString('en-US')} tokens in`);
  if (tokens.output !== null) facts.push(`${tokens.output.toLocaleString('en-US')} tokens out`);
  if (run.costUsd !== null) facts.push(dollars(run.costUsd));
  const seconds = runSeconds(run);
  if (seconds !== null) facts.push(duration(seconds));
  if (run.model) facts.push(run.model);
  return facts;
}

/** Who speaks in a step, in one word. A user message after the first is the harness talking to the model. */
export function whoSpeaks(kind: StepKind, event: string | undefined, n: number, hasResults: boolean): string {
  switch (kind) {
    case 'system':
      return 'prompt';
    case 'agent':
      return 'agent';
    case 'tool':
      return 'result';
    case 'event':
      return event ?? 'event';
    case 'user':
      if (hasResults) return 'result';
      return n <= 2 ? 'task' : 'harness';
  }
}

/** Name of a run in a list: trial or session, else the file name. */
export function runName(run: TraceRun): string {
  if (run.trial) return run.trial;
  const name = run.file.split(/[\\/]/).pop() ?? run.file;
  const part = run.id.slice(run.file.length);
  const folder = run.file.split(/[\\/]/).at(-2);
  // Many harnesses give every trace the same file name; the folder then tells them apart.
  return folder && /^(trajectory|trace|result|run|log)\b/i.test(name) ? `${folder}${part}` : `${name}${part}`;
}
