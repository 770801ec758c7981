import { throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import { parseLenient } from './lenientJson';
import { type ByteRange, RECORD_CAP, type TraceSource } from './source';

export interface JsonLine {
  /** From 1. */
  line: number;
  offset: number;
  length: number;
  /** Null for a line over the cap. */
  bytes: Buffer | null;
  /** False for a last line without a line end. */
  ended: boolean;
}

const NEWLINE = 0x0a;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Splits a file at line feeds only, on bytes: U+2028 and U+2029 are ordinary characters inside JSON strings, and
 * Node's readline would cut there. Offsets are of the line without its end; a byte order mark is skipped.
 */
export async function* splitLines(source: TraceSource, work: WorkOptions = {}): AsyncGenerator<JsonLine> {
  let pieces: Buffer[] = [];
  let start = 0;
  let held = 0;
  let line = 1;
  const take = (end: number, ended: boolean): JsonLine => {
    const whole = held > RECORD_CAP ? null : Buffer.concat(pieces);
    const mark = whole !== null && start === 0 && whole.subarray(0, 3).equals(BOM) ? 3 : 0;
    const text = whole?.subarray(mark, whole[whole.length - 1] === 0x0d ? whole.length - 1 : whole.length) ?? null;
    const result = { line, offset: start + mark, length: text?.length ?? end - start, bytes: text, ended };
    pieces = [];
    held = 0;
    return result;
  };
  for await (const { offset, bytes } of source.chunks()) {
    throwIfCancelled(work.signal, 'Reading the trace');
    let from = 0;
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, from)) {
      held += at - from;
      if (held <= RECORD_CAP) pieces.push(bytes.subarray(from, at));
      yield take(offset + at, true);
      line += 1;
      from = at + 1;
      start = offset + from;
    }
    held += bytes.length - from;
    if (held <= RECORD_CAP) pieces.push(bytes.subarray(from));
    else pieces = [];
  }
  if (held > 0) yield take(source.size, false);
}

export interface JsonRecord {
  value: unknown;
  range: ByteRange;
}

/** What happened while records were read; filled by {@link jsonRecords}. */
export interface RecordNotes {
  warn(message: string): void;
  /** Set when the last line is cut off. */
  cut: boolean;
}

/** Notes that tell a sink what happened. */
export function notesTo(sink: Pick<RecordNotes, 'warn'>): RecordNotes {
  return { warn: (message) => sink.warn(message), cut: false };
}

/** The JSON values of a JSON Lines file. Bad lines are reported and reading goes on; glued values are split. */
export async function* jsonRecords(
  source: TraceSource,
  notes: RecordNotes,
  work: WorkOptions = {},
): AsyncGenerator<JsonRecord> {
  for await (const { line, offset, length, bytes, ended } of splitLines(source, work)) {
    if (bytes === null) {
      notes.warn(`Line ${line} is ${Math.round(length / 1024 / 1024)} MB long and was not read.`);
      continue;
    }
    const text = bytes.toString('utf8');
    if (text.trim() === '') continue;
    const whole = parseLenient(text);
    if (whole !== null) {
      for (const repair of whole.repairs) notes.warn(`Line ${line}: ${repair}.`);
      yield { value: whole.value, range: { offset, length } };
      continue;
    }
    const ranges = valueRanges(bytes);
    let found = 0;
    for (const range of ranges) {
      const part = parseLenient(bytes.toString('utf8', range.start, range.end));
      if (part === null) continue;
      found += 1;
      yield { value: part.value, range: { offset: offset + range.start, length: range.end - range.start } };
    }
    const last = !ended || offset + length >= source.size - 2;
    if (last && (ranges.at(-1)?.end ?? 0) < bytes.length) notes.cut = true;
    if (found > 1) notes.warn(`Line ${line}: ${found} JSON objects on one line; all were read.`);
    else if (last) notes.warn(`Line ${line}: truncated or invalid JSON (last line); it was left out.`);
    else notes.warn(`Line ${line}: invalid JSON${found === 1 ? ' around one object' : ''}; reading went on after it.`);
  }
}

/** Where complete JSON objects and lists stand in a piece of text, in bytes; what lies between is skipped. */
export function valueRanges(bytes: Uint8Array): { start: number; end: number }[] {
  const ranges: { start: number; end: number }[] = [];
  let depth = 0;
  let start = 0;
  let inString = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (inString) {
      if (byte === 0x5c) at += 1;
      else if (byte === 0x22) inString = false;
    } else if (byte === 0x22 && depth > 0) inString = true;
    else if (byte === 0x7b || byte === 0x5b) {
      if (depth === 0) start = at;
      depth += 1;
    } else if ((byte === 0x7d || byte === 0x5d) && depth > 0) {
      depth -= 1;
      if (depth === 0) ranges.push({ start, end: at + 1 });
    }
  }
  return ranges;
}
