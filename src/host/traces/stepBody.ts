import type { BodyPart } from '../../../webview/shared/traceProtocol';
import type { Step } from '../../core/traces/model';

/** Characters of one text that are sent to the page; the whole file can be opened as text. */
const bodyLimit = 60_000;
/** Characters of JSON of all parts together; escaped, a text may be six times as long as it looks. */
const bodyPartsLimit = 200_000;
/** Names are cut here: they are words, unless somebody put a file into one. */
const nameLimit = 200;

/**
 * The whole step in titled parts, cut where it would not fit into a message. A text that repeats an earlier one begins
 * with the lines that differ.
 */
export function bodyParts(step: Step, repeated: { of: number; lines: string } | null = null): BodyPart[] {
  const parts: BodyPart[] = [];
  const rest = { count: 0, left: 0 };
  let used = 0;
  const add = (kind: BodyPart['kind'], name: string, text: string) => {
    const title = name.slice(0, nameLimit);
    const room = bodyPartsLimit - used - JSON.stringify({ kind, title, text: '', left: text.length }).length;
    if (room <= 0) {
      rest.count++;
      rest.left += text.length;
      return;
    }
    const shown = fitting(text.slice(0, bodyLimit), room);
    const part = { kind, title, text: shown, left: text.length - shown.length };
    used += JSON.stringify(part).length + 1;
    parts.push(part);
  };
  if (repeated) add('changes', `new since step ${repeated.of}`, repeated.lines || '(no line differs)');
  if (step.reasoning) add('reasoning', 'reasoning', step.reasoning);
  if (step.text) add('text', 'text', step.text);
  for (const call of step.calls) add('call', `call ${call.name}`, argumentsText(call.args));
  for (const result of step.results) add('result', result.isError ? 'result (error)' : 'result', result.text);
  if (parts.length === 0) add('text', 'text', '(empty)');
  if (rest.count > 0) parts.push({ kind: 'rest', title: `${rest.count} more`, text: '', left: rest.left });
  return parts;
}

/** A beginning of a text whose JSON is not longer than `room`, nearly as long as it can be. */
export function fitting(text: string, room: number): string {
  let shown = text;
  for (;;) {
    const size = JSON.stringify(shown).length - 2;
    if (size <= room) return shown;
    shown = shown.slice(0, Math.min(shown.length - 1, Math.floor((shown.length * room) / size)));
  }
}

/** Arguments as people read them: strings as they are, objects as JSON with one field a line. */
export function argumentsText(args: unknown): string {
  if (typeof args === 'string') return args;
  if (!args || typeof args !== 'object' || Array.isArray(args)) return JSON.stringify(args, null, 2) ?? '';
  return Object.entries(args)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
    })
    .join('\n');
}
