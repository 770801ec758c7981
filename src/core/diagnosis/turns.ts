import { createHash } from 'node:crypto';
import { throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import type { Step, TraceReader } from '../traces';
import { SeenWords } from './seenWords';

/** What the harness gave back after a model turn. */
export interface Answer {
  /** Step it is recorded in; the step of the turn itself where the format keeps both together. */
  step: number;
  /** Id of the call it answers; null for feedback that answers none. */
  callId: string | null;
  /** Beginning and end of the text. */
  text: string;
  length: number;
  /** Hash of the whole text, to tell equal answers. */
  hash: string;
  isError: boolean;
  event: string | null;
  /** Lines of the whole text. */
  lines: number;
}

export interface TurnCall {
  id: string;
  name: string;
  args: unknown;
  /** The same for equal names and arguments. */
  key: string;
}

/** One turn of the model and everything until the next one. */
export interface Turn {
  step: number;
  text: string;
  hash: string;
  event: string | null;
  calls: TurnCall[];
  answers: Answer[];
  /** True when a person, not the harness, spoke before the next turn. */
  thenUser: boolean;
}

/** What detectors look at: the turns of a run, its events, and how many steps it has. */
export interface RunTurns {
  turns: Turn[];
  /** What stood in the model's input before its first turn: system prompt and task. */
  prompts: { step: number; kind: 'system' | 'user'; text: string }[];
  /** Where telling words were first and last in the model's input, and in what it wrote itself. */
  words: SeenWords;
  /** Events between turns, such as compactions and limits. */
  events: { step: number; event: string; text: string }[];
  steps: number;
}

/** Instructions stand anywhere in a prompt, so more of it is kept. */
const keptOfPrompts = 40_000;

/** Kept of each text; detectors look for notices, which stand at the beginning or the end, or are short. */
const keptCharacters = 3_000;

/** Reads a run as turns. Copied context is left out. Memory stays small, because bodies are shortened. */
export async function readTurns(reader: TraceReader, work: WorkOptions = {}): Promise<RunTurns> {
  const turns: Turn[] = [];
  const events: RunTurns['events'] = [];
  const prompts: RunTurns['prompts'] = [];
  const words = new SeenWords();
  for (let n = 1; n <= reader.stepCount; n++) {
    throwIfCancelled(work.signal, 'The diagnosis');
    const step = await reader.step(n);
    if (step.copied) continue;
    const last = turns.at(-1);
    if (!last && (step.kind === 'system' || step.kind === 'user') && step.text !== '')
      prompts.push({ step: n, kind: step.kind, text: shorten(step.text, keptOfPrompts) });
    words.read(step);
    if (step.kind === 'agent') turns.push(turnOf(step));
    else if (last) {
      last.answers.push(...answersOf(step));
      if (step.kind === 'user') last.thenUser = true;
    }
    // What a harness says as system in the middle of a run is an event, also where the format has no name for it.
    const event = step.event ?? (step.kind === 'system' && last ? 'note' : undefined);
    if (event && step.kind !== 'agent') events.push({ step: n, event, text: shorten(step.text) });
  }
  return { turns, prompts, words, events, steps: reader.stepCount };
}

function turnOf(step: Step): Turn {
  return {
    step: step.n,
    text: shorten(step.text),
    hash: hashOf(step.text),
    event: step.event ?? null,
    calls: step.calls.map(({ id, name, args }) => ({ id, name, args, key: hashOf(`${name} ${canonical(args)}`) })),
    answers: step.results.map((result) => answer(step, result.text, result.callId, result.isError)),
    thenUser: false,
  };
}

function answersOf(step: Step): Answer[] {
  const answers = step.results.map((result) => answer(step, result.text, result.callId, result.isError));
  // Harnesses without tool messages answer with a user message or an event; a compaction answers nothing.
  if (answers.length === 0 && step.kind !== 'system' && step.event !== 'compaction' && step.text !== '')
    answers.push(answer(step, step.text, null, false));
  return answers;
}

function answer(step: Step, text: string, callId: string | null, isError: boolean): Answer {
  return {
    step: step.n,
    callId,
    text: shorten(text),
    length: text.length,
    hash: hashOf(text),
    isError,
    event: step.event ?? null,
    lines: text.trimEnd().split('\n').length,
  };
}

function shorten(text: string, kept = keptCharacters): string {
  if (text.length <= kept) return text;
  return `${text.slice(0, kept / 2)}\n${text.slice(-kept / 2)}`;
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** JSON with sorted keys, so that equal arguments give equal text. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
