import type { BodyPart, RowFilter, TraceRow } from '../../../webview/shared/traceProtocol';
import type { Finding } from '../../core/diagnosis/model';
import type { Link } from '../../core/links/model';
import type { Step, StepSummary } from '../../core/traces/model';
import { findingTitle } from './traceHead';
import { whoSpeaks } from './words';

/** A row shows this many links; the others are in the step's list of places. */
const linksShown = 3;

/** Characters of one text that are sent to the page; the whole file can be opened as text. */
const bodyLimit = 60_000;
/** Characters of JSON of all parts together; escaped, a text may be six times as long as it looks. */
const bodyPartsLimit = 200_000;

/** Names and labels are cut here: they are words, unless somebody put a file into one. */
const nameLimit = 200;
const reasonLimit = 500;

/** The row of a step. `links` are best first, `unitTitle` names units for people. */
export function traceRow(
  summary: StepSummary,
  links: readonly Link[],
  findings: readonly Finding[],
  unitTitle: (unit: string) => string | null,
): TraceRow {
  return {
    n: summary.n,
    kind: summary.kind,
    who: whoSpeaks(summary.kind, summary.event, summary.n, false),
    preview: summary.preview.slice(0, 400),
    textLength: summary.textLength,
    calls: summary.calls
      .slice(0, 10)
      .map((call) => ({ name: call.name.slice(0, nameLimit), preview: call.preview.slice(0, 300) })),
    isError: summary.isError,
    tokensOut: summary.tokensOut,
    time: summary.time ?? null,
    copied: summary.copied ?? false,
    links: links.slice(0, linksShown).map((link, index) => ({
      index,
      label: linkLabel(link).slice(0, nameLimit),
      unit: link.unit ? (unitTitle(link.unit)?.slice(0, nameLimit) ?? null) : null,
      reason: link.reason.slice(0, reasonLimit),
      kind: link.kind,
      confidence: link.confidence,
    })),
    findings: findings
      .filter((finding) => finding.steps.includes(summary.n))
      .map(findingTitle)
      .slice(0, 5),
  };
}

/** `output.ts:33 truncate`; the folder only where the name alone says nothing. */
export function linkLabel(link: Pick<Link, 'file' | 'start' | 'end' | 'symbol'>): string {
  const name = link.file.split('/').pop()!;
  const file = /^(index|__init__|main|mod)\./.test(name) ? link.file.split('/').slice(-2).join('/') : name;
  return `${file}:${link.start} ${link.symbol}`.trim();
}

/** The whole step in titled parts, cut where it would not fit into a message. */
export function bodyParts(step: Step): BodyPart[] {
  const parts: BodyPart[] = [];
  const rest = { count: 0, left: 0 };
  let used = 0;
  const add = (name: string, text: string) => {
    const title = name.slice(0, nameLimit);
    const room = bodyPartsLimit - used - JSON.stringify({ title, text: '', left: text.length }).length;
    if (room <= 0) {
      rest.count++;
      rest.left += text.length;
      return;
    }
    const shown = fitting(text.slice(0, bodyLimit), room);
    const part = { title, text: shown, left: text.length - shown.length };
    used += JSON.stringify(part).length + 1;
    parts.push(part);
  };
  if (step.reasoning) add('reasoning', step.reasoning);
  if (step.text) add('text', step.text);
  for (const call of step.calls) add(`call ${call.name}`, argumentsText(call.args));
  for (const result of step.results) add(result.isError ? 'result (error)' : 'result', result.text);
  if (parts.length === 0) add('text', '(empty)');
  if (rest.count > 0) parts.push({ title: `${rest.count} more`, text: '', left: rest.left });
  return parts;
}

/** A beginning of a text whose JSON is not longer than `room`, nearly as long as it can be. */
function fitting(text: string, room: number): string {
  let shown = text;
  for (;;) {
    const size = JSON.stringify(shown).length - 2;
    if (size <= room) return shown;
    shown = shown.slice(0, Math.min(shown.length - 1, Math.floor((shown.length * room) / size)));
  }
}

/** Arguments as people read them: strings as they are, objects as JSON with one field a line. */
function argumentsText(args: unknown): string {
  if (typeof args === 'string') return args;
  if (!args || typeof args !== 'object' || Array.isArray(args)) return JSON.stringify(args, null, 2) ?? '';
  return Object.entries(args)
    .map(([name, value]) => {
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return text.includes('\n') ? `${name}:\n${text}` : `${name}: ${text}`;
    })
    .join('\n');
}

/** True when the step passes who-speaks and error filters; the text is looked for elsewhere, in the whole step. */
export function passesFilter(summary: StepSummary, filter: RowFilter): boolean {
  if (filter.kinds.length > 0 && !filter.kinds.includes(summary.kind)) return false;
  return !filter.errorsOnly || summary.isError;
}

/** True when every word of the search occurs in the step's texts, names or arguments, in any case. */
export function matchesText(step: Step, text: string): boolean {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return true;
  const haystack = [
    step.text,
    step.reasoning ?? '',
    step.event ?? '',
    ...step.calls.flatMap((call) => [call.name, JSON.stringify(call.args) ?? '']),
    ...step.results.map((result) => result.text),
  ]
    .join('\n')
    .toLowerCase();
  return words.every((word) => haystack.includes(word));
}
