import { extname } from 'node:path';
import type { WorkOptions } from '../../progress';
import { type Fields, fieldsOf } from './fields';
import { type JsonDocument, scanDocument } from './jsonDocument';
import { splitLines, valueRanges } from './jsonLines';
import { parseLenient } from './lenientJson';
import { TraceSource } from './source';

/** What a file holds, told from its bytes. The name is never used to decide. */
export interface TraceHead {
  /** The file; for formats that are spread over a folder, never to tell what a file holds. */
  file: string;
  container: 'lines' | 'document' | 'archive' | 'text' | 'none';
  /** For all but JSON: why the file cannot be a trace we read, in words. */
  reason: string;
  /** The first records of JSON Lines, the first elements of a list, or the document itself as far as it is small. */
  records: unknown[];
  /** Where the members of a JSON document stand. */
  document: JsonDocument | null;
  /** Values of the document's root members that are small enough to look at. */
  members: Readonly<Record<string, unknown>>;
  /** What had to be repaired to read them, such as Python's NaN. */
  repairs: readonly string[];
  /** Names of an archive's members. */
  entries: readonly string[];
  /** The first 64 KB as text, without a byte order mark. */
  text: string;
}

/** True when records fit, and at least this share of them does: other programs write between the lines of a trace. */
export function mostFit(records: readonly unknown[], share: number, fits: (record: Fields) => boolean): boolean {
  const fitting = records.filter((record) => fits(fieldsOf(record))).length;
  return fitting > 0 && fitting >= records.length * share;
}

const HEAD_BYTES = 64 * 1024;
/** Bytes at the start of a text that hold no zero. */
const ZERO_FREE = 256;
const SMALL_MEMBER = 512 * 1024;
const FIRST_RECORDS = 40;
const LONGEST_FIRST_LINE = 8 * 1024 * 1024;

/** Looks at a file and says what it holds. Reads the head; a JSON document is walked once to find its parts. */
export async function readHead(source: TraceSource, work: WorkOptions = {}): Promise<TraceHead> {
  return { ...(await headOf(source, work)), file: source.file };
}

async function headOf(source: TraceSource, work: WorkOptions): Promise<TraceHead> {
  const bytes = await source.read(0, HEAD_BYTES);
  if (bytes.length > 3 && bytes.readUInt32BE(0) === ZIP) return archiveHead(source);
  const refused = refusal(bytes);
  if (refused !== null) return none(refused);
  const text = bytes
    .toString('utf8')
    .replace(/^\uFEFF/, '')
    .trimStart();
  if (text === '') return none('only white space in its first 64 KB');
  if (!/^[{[]/.test(text)) {
    const reason = `not JSON, and no Markdown or event stream of a known program: it starts with ${JSON.stringify(text.slice(0, 24))}`;
    return { ...none(reason), container: 'text', text };
  }
  const records = await firstLines(source, work);
  if (records !== null) return { ...none(''), container: 'lines', records, text };
  const document = await scanDocument(source, work);
  if (document === null) return none('not JSON');
  return { ...(await documentHead(source, document)), text };
}

function none(reason: string): TraceHead {
  return {
    file: '',
    container: 'none',
    reason,
    records: [],
    document: null,
    members: {},
    repairs: [],
    entries: [],
    text: '',
  };
}

const ZIP = 0x504b0304;

async function archiveHead(source: TraceSource): Promise<TraceHead> {
  const archive = await source.archive();
  const reason = 'a zip archive, but not an Inspect log: it has no header.json and no _journal/start.json';
  return { ...none(reason), container: 'archive', entries: archive.names };
}

/** Says why bytes cannot be JSON text, or null. */
function refusal(bytes: Buffer): string | null {
  if (bytes.length === 0) return 'the file is empty';
  const two = bytes.length < 2 ? 0 : bytes.readUInt16BE(0);
  if (two === 0xfffe || two === 0xfeff) return 'UTF-16 text; save it as UTF-8 to import it';
  if (two === 0x504b) return 'a zip archive without members, or the rest of one';
  if (bytes.toString('latin1', 0, 15) === 'SQLite format 3') return 'a SQLite database; databases are not read';
  // A log whose last blocks were lost in a crash ends in zero bytes; what stands before them can be read.
  const starts = /^[{[]/.test(
    bytes
      .toString('utf8', 0, ZERO_FREE)
      .replace(/^\uFEFF/, '')
      .trimStart(),
  );
  if (bytes.subarray(0, starts ? ZERO_FREE : bytes.length).includes(0)) return 'binary data';
  return null;
}

/** The first records when the file is JSON Lines, else null. One line alone is taken as a document. */
async function firstLines(source: TraceSource, work: WorkOptions): Promise<unknown[] | null> {
  // Looking for the end of a first line of many megabytes would read a large document twice.
  if ((await source.read(0, LONGEST_FIRST_LINE)).indexOf(0x0a) === -1) return null;
  const records: unknown[] = [];
  let lines = 0;
  let bad = 0;
  let prose = 0;
  for await (const { bytes } of splitLines(source, work)) {
    const text = bytes?.toString('utf8').trim() ?? '';
    if (text === '') continue;
    lines += 1;
    const value = /^[{[]/.test(text) ? parseLenient(text) : null;
    if (value !== null) records.push(value.value);
    else {
      bad += 1;
      if (!/^[{[]/.test(text)) prose += 1;
      const glued = bytes === null || !text.startsWith('{') ? [] : valueRanges(bytes);
      for (const range of glued.length > 1 ? glued : []) {
        const part = parseLenient(bytes?.toString('utf8', range.start, range.end) ?? '');
        if (part !== null) records.push(part.value);
      }
    }
    // A pretty-printed document shows itself in its first lines: none of them is a whole object.
    if (records.length === 0 && bad >= 5) return null;
    if (records.length >= FIRST_RECORDS) break;
  }
  // One record and otherwise words: a document of one line, and what a program said after it.
  if (records.length === 1 && prose > 0 && prose === bad) return null;
  return lines > 1 && records.length > 0 && records.length >= bad ? records : null;
}

async function documentHead(source: TraceSource, document: JsonDocument): Promise<TraceHead> {
  // Without a prototype, so that a key such as `__proto__` is a key like any other.
  const members: Record<string, unknown> = Object.create(null);
  const records: unknown[] = [];
  const repairs: string[] = [];
  for (const member of document.members) {
    if (document.root === 'list') {
      for (const range of member.elements?.slice(0, FIRST_RECORDS) ?? []) {
        if (range.length <= SMALL_MEMBER) records.push((await source.value(range))?.value);
      }
    } else if (member.complete && member.length <= SMALL_MEMBER) {
      const value = await source.value(member);
      if (value !== null) members[member.key] = value.value;
      for (const repair of value?.repairs ?? []) repairs.push(`"${member.key}": ${repair}`);
    }
  }
  if (document.root === 'object') records.push(members);
  return { ...none(''), container: 'document', records, document, members, repairs };
}

/**
 * True for files whose ending says nothing and whose start does: Markdown that a coding agent wrote as its history, and
 * text files with JSON in them, such as the output of a program. Others are not looked at in folders.
 */
export async function startsLikeTrace(file: string): Promise<boolean> {
  const ending = extname(file).toLowerCase();
  if (ending !== '.md' && ending !== '.txt') return false;
  const source = await TraceSource.open(file).catch(() => null);
  const start = (await source?.read(0, 200))?.toString('utf8') ?? '';
  await source?.close();
  return ending === '.md' ? MARKDOWN_HISTORY.test(start) : /^\uFEFF?\s*(\{"|(data|event): )/.test(start);
}

const MARKDOWN_HISTORY = /^\uFEFF?\s*(# aider chat started at|<!-- Generated by SpecStory)/;

/** Endings of files that are worth a look when a folder is searched. */
export function mayHoldTrace(file: string): boolean {
  return ['.json', '.jsonl', '.ndjson', '.traj', '.trajectory', '.eval', '.log', '.sse', '.cast', ''].includes(
    extname(file).toLowerCase(),
  );
}
