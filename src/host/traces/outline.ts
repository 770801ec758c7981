import type { Choice, OutlineEntry } from '../../../webview/shared/traceProtocol';
import { activityOf } from './activity';
import type { StepMark } from './survey';

interface Turn {
  from: number;
  to: number;
  activity: string;
  label: string;
  calls: string;
  errors: number;
}

/** Equal calls in a row from which on they are called a loop. */
const loopFrom = 3;

/**
 * The outline of a run: phases of turns that do the same kind of thing (explore, edit, run), each followed by its turns.
 * Turns that make the same call again and again are a loop.
 */
export function outlineOf(marks: readonly StepMark[]): OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (const phase of phasesOf(turnsOf(marks))) {
    const [first] = phase;
    const last = phase.at(-1)!;
    const errors = phase.reduce((sum, turn) => sum + turn.errors, 0);
    const single = phase.length === 1;
    entries.push({
      level: 'phase',
      from: first!.from,
      to: last.to,
      label: single ? first!.activity : `${first!.activity}, ${phase.length} turns`,
      errors,
    });
    for (const turn of phase) {
      if (single && turn.label === turn.activity) continue;
      entries.push({ level: 'turn', from: turn.from, to: turn.to, label: turn.label, errors: turn.errors });
    }
  }
  return entries;
}

/** A turn is a step of the agent with all that follows until the next one; what comes before is the prompt. */
function turnsOf(marks: readonly StepMark[]): Turn[] {
  const turns: Turn[] = [];
  marks.forEach((mark, index) => {
    const n = index + 1;
    const open = turns.at(-1);
    if (mark.kind === 'agent' || mark.kind === 'event' || !open) {
      const activity = mark.kind === 'agent' ? activityOf(mark.calls) : mark.kind === 'event' ? mark.event : 'prompt';
      const label = mark.label || activity || mark.kind;
      turns.push({ from: n, to: n, activity: activity ?? 'event', label, calls: mark.calls, errors: 0 });
    } else open.to = n;
    if (mark.isError) turns.at(-1)!.errors++;
  });
  return turns;
}

function phasesOf(turns: readonly Turn[]): Turn[][] {
  const phases: Turn[][] = [];
  for (let at = 0; at < turns.length; at++) {
    const turn = turns[at]!;
    let end = at + 1;
    while (turn.calls && turns[end]?.calls === turn.calls) end++;
    if (end - at >= loopFrom) {
      phases.push(turns.slice(at, end).map((one) => ({ ...one, activity: 'loop' })));
      at = end - 1;
      continue;
    }
    const open = phases.at(-1);
    if (open && open[0]?.activity === turn.activity) open.push(turn);
    else phases.push([turn]);
  }
  return phases;
}

/** Tools of the run with the number of steps that call or answer them, the most used first. */
export function toolsOf(marks: readonly StepMark[]): Choice[] {
  const steps = new Map<string, number>();
  for (const mark of marks) for (const tool of mark.tools) steps.set(tool, (steps.get(tool) ?? 0) + 1);
  return [...steps]
    .map(([tool, count]) => ({ id: tool, label: tool.slice(0, 100), steps: count }))
    .sort((a, b) => b.steps - a.steps || a.id.localeCompare(b.id))
    .slice(0, 200);
}
