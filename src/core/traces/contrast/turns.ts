import { throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import type { Step, ToolResult } from '../model';
import type { TraceReader } from '../open';
import { summaryOf } from '../summary';
import { actionOf, normalisedTool } from './action';
import type { ActionKind, ResultClass, TurnSummary } from './model';
import { keyOfText, sortedKeys, withoutNoise } from './normalise';

/** One turn as it is compared: keys and hashed words instead of texts, so that 12,000 of them fit in a few megabytes. */
export interface Turn {
  summary: TurnSummary;
  tools: string;
  argumentsKey: string;
  /** Hashes of the words of the arguments. */
  words: Set<number>;
  resultKey: string;
}

const PREVIEW = 200;
const MOST_WORDS = 48;
const ARGUMENTS_LOOKED = 8_000;
const STRENGTH: readonly ActionKind[] = ['talk', 'other', 'look', 'run', 'change', 'submit'];

/**
 * The model turns of a run with the results that belong to them, in whatever step the results are recorded. Copied
 * context is left out. Reads one step at a time.
 */
export async function turnsOf(reader: TraceReader, work: WorkOptions = {}): Promise<Turn[]> {
  const turns: Turn[] = [];
  let open: { step: Step; last: number; results: ToolResult[] } | null = null;
  const close = () => {
    if (open !== null) turns.push(turnOf(open.step, open.last, open.results));
  };
  for (let n = 1; n <= reader.stepCount; n += 1) {
    if (n % 100 === 1) {
      throwIfCancelled(work.signal, 'Comparing runs');
      work.progress?.({ message: 'Comparing runs', done: n - 1, total: reader.stepCount });
    }
    const step = await reader.step(n);
    if (step.copied) continue;
    if (step.kind === 'agent' && (step.calls.length > 0 || step.results.length === 0)) {
      close();
      open = { step, last: n, results: [...step.results] };
    } else if (open !== null && step.results.length > 0) {
      open.results.push(...step.results);
      open.last = n;
    }
  }
  close();
  return turns;
}

function turnOf(step: Step, last: number, results: readonly ToolResult[]): Turn {
  const row = summaryOf({ ...step, results: [] });
  const text = results.map((result) => `${result.isError}:${result.text}`).join('\n');
  const shown = summaryOf({ n: step.n, kind: 'tool', text: '', calls: [], results: [...results] });
  const summary: TurnSummary = {
    step: step.n,
    lastStep: last,
    said: row.preview.slice(0, PREVIEW),
    calls: row.calls,
    action: strongest(step),
    result: { class: classOf(step, results), preview: shown.preview.slice(0, PREVIEW) },
  };
  const args = step.calls.map((call) => JSON.stringify(call.args, sortedKeys) ?? '').join('\n');
  return {
    summary,
    tools: step.calls.map(normalisedTool).join(' '),
    argumentsKey: keyOfText(args),
    words: wordsOf(args),
    resultKey: keyOfText(text),
  };
}

function strongest(step: Step): ActionKind {
  let found: ActionKind = 'talk';
  for (const call of step.calls) {
    const action = actionOf(call);
    if (STRENGTH.indexOf(action) > STRENGTH.indexOf(found)) found = action;
  }
  return found;
}

/** Errors that a harness does not mark show themselves by an exit code that is not zero. */
const FAILED = /<returncode>\s*-?[1-9]\d*\s*<\/returncode>|\bexit(ed)?( with)?( code| status)?[ :=]+-?[1-9]\d*\b/i;

function classOf(step: Step, results: readonly ToolResult[]): ResultClass {
  if (step.calls.length === 0 && results.length === 0) return 'none';
  if (results.length === 0) return 'none';
  if (results.some((result) => result.isError || FAILED.test(edges(result.text)))) return 'error';
  return results.every((result) => result.text.trim() === '') ? 'empty' : 'ok';
}

function edges(text: string): string {
  return text.length <= 2000 ? text : `${text.slice(0, 1000)}\n${text.slice(-1000)}`;
}

function wordsOf(args: string): Set<number> {
  const words = new Set<number>();
  for (const [word] of withoutNoise(args.slice(0, ARGUMENTS_LOOKED)).matchAll(/[\p{L}\p{N}_]+/gu)) {
    words.add(hash(word));
    if (words.size >= MOST_WORDS) break;
  }
  return words;
}

/** FNV-1a, 32 bits. */
function hash(word: string): number {
  let value = 0x811c9dc5;
  for (let at = 0; at < word.length; at += 1) value = Math.imul(value ^ word.charCodeAt(at), 0x01000193);
  return value >>> 0;
}
