import type { Step } from '../traces';
import type { LinkContext } from './context';
import type { LinkPart } from './model';

/** A text of a step with who wrote it. */
export interface StepPart {
  of: LinkPart['of'];
  at: number;
  text: string;
  voice: 'harness' | 'model' | 'arguments';
  /** False when the text was put together from JSON, so places in it are none of the step. */
  exact: boolean;
  /** Name of the tool whose result this is. */
  tool?: string;
  failed?: boolean;
}

/** Keys of records that hold what the model wrote, what is told to it about tools, or no words at all. */
const FOREIGN_KEYS =
  /^(id|uuid|name|model|type|role|source|.*(_id|Id|Time|time|stamp)|arguments|args|input|tools|tool_calls|description|parameters|schema|signature|encrypted\w*|data|url|path|file|cwd|model_response|choices|response|usage|metrics|reasoning\w*|thinking|thought|query|command|code|completion)$/;
const MOST_RECORD = 60_000;

/** The texts of a step: what it shows, and what its record holds beside that. Empty ones are left out. */
export function partsOf(step: Step, context: LinkContext): StepPart[] {
  const parts: StepPart[] = [];
  const model = step.kind === 'agent';
  parts.push({ of: 'text', at: 0, text: step.text, voice: model ? 'model' : 'harness', exact: true });
  if (step.reasoning !== undefined)
    parts.push({ of: 'reasoning', at: 0, text: step.reasoning, voice: 'model', exact: true });
  for (const [at, call] of step.calls.entries()) {
    const text = typeof call.args === 'string' ? call.args : stringsIn(call.args).join('\n');
    parts.push({ of: 'call', at, text, voice: 'arguments', exact: typeof call.args === 'string' });
  }
  for (const [at, result] of step.results.entries()) {
    const tool =
      context.toolOfCall?.get(result.callId ?? '') ?? step.calls.find((call) => call.id === result.callId)?.name;
    const unpacked = unpack(result.text);
    parts.push({
      of: 'result',
      at,
      text: unpacked ?? result.text,
      voice: 'harness',
      exact: unpacked === null,
      failed: result.isError,
      ...(tool === undefined ? {} : { tool }),
    });
  }
  const beside = besideIn(context.record, parts);
  if (beside !== '') parts.push({ of: 'record', at: 0, text: beside, voice: 'harness', exact: false });
  return parts.filter(({ text }) => text.trim() !== '');
}

/** Results that are JSON hold the texts of the harness as its strings. Null when the text is no JSON object or list. */
function unpack(text: string): string | null {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? stringsIn(value).join('\n\n') : null;
  } catch {
    return null; // a text that only begins like JSON
  }
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

/** Texts of the record that no part shows. */
function besideIn(record: string | undefined, parts: readonly StepPart[]): string {
  if (record === undefined || record.length > 1_000_000) return '';
  const found: string[] = [];
  let size = 0;
  const visit = (value: unknown, key: string): void => {
    if (FOREIGN_KEYS.test(key) || size > MOST_RECORD) return;
    if (typeof value === 'string') {
      const start = value.trim().slice(0, 60);
      if (start.length < 8 || !/\s/.test(start) || parts.some(({ text }) => text.includes(start))) return;
      found.push(value);
      size += value.length;
    } else if (Array.isArray(value)) {
      for (const one of value) visit(one, '');
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, one] of Object.entries(value)) visit(one, name);
    }
  };
  for (const value of recordsIn(record)) visit(value, '');
  return found.join('\n\n');
}

/** The JSON values of a step's records: one, or one a line. Lines that are no JSON are left out. */
export function recordsIn(record: string): unknown[] {
  const parsed = parse(record);
  if (parsed !== undefined) return [parsed];
  return record
    .split('\n')
    .map(parse)
    .filter((value) => value !== undefined);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
