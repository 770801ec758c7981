import type { WorkOptions } from '../../progress';
import { type Fields, fieldsOf, isFields, listOf, numberOf, stringOf } from '../reading/fields';
import { jsonRecords, type RecordNotes } from '../reading/jsonLines';
import type { ByteRange, TraceSource } from '../reading/source';

/** Ids of calls end in `__vscode-` and a time, which differs between call and result. */
export function plainId(id: unknown): string {
  return (stringOf(id) ?? 'unnamed').replace(/__vscode-\d+$/, '');
}

export interface ReplayedLog {
  session: Fields;
  /** All lines that built it. */
  places: ByteRange[];
  warnings: string[];
  cut: boolean;
}

/** Logs larger than this are not replayed: the whole session is held while that is done. */
const REPLAY_CAP = 256 * 1024 * 1024;
const FORBIDDEN = new Set(['__proto__', 'constructor', 'prototype']);

/** Replays a mutation log of VS Code's chat: `kind` 0 gives the whole, 1 sets a path, 2 pushes to or splices a list. */
export async function replayLog(source: TraceSource, work: WorkOptions): Promise<ReplayedLog> {
  const warnings: string[] = [];
  const notes: RecordNotes = { warn: (message) => warnings.push(message), cut: false };
  if (source.size > REPLAY_CAP) {
    return {
      session: {},
      places: [],
      warnings: [`The log is over ${REPLAY_CAP / 1024 / 1024} MB and was not replayed.`],
      cut: false,
    };
  }
  const records: Fields[] = [];
  const places: ByteRange[] = [];
  for await (const { value, range } of jsonRecords(source, notes, work)) {
    records.push(fieldsOf(value));
    places.push(range);
  }
  return { session: replayRecords(records), places, warnings, cut: notes.cut };
}

/** The session that lines build. Lines that do not fit what is there are left out. */
export function replayRecords(records: readonly Fields[]): Fields {
  let session: unknown = {};
  for (const record of records) {
    const path = listOf(record.k);
    if (record.kind === 0) session = structuredClone(record.v);
    else if (record.kind === 1) setAt(session, path, record.v);
    else if (record.kind === 2) spliceAt(session, path, listOf(record.v), numberOf(record.i));
    else if (record.kind === 3) setAt(session, path, undefined);
  }
  return fieldsOf(session);
}

function holderOf(root: unknown, path: readonly unknown[]): { holder: Record<string, unknown>; key: string } | null {
  let at: unknown = root;
  for (const key of path.slice(0, -1)) {
    if (FORBIDDEN.has(String(key)) || typeof at !== 'object' || at === null) return null;
    at = Object.getOwnPropertyDescriptor(at, String(key))?.value;
  }
  const key = String(path.at(-1) ?? '');
  if (path.length === 0 || FORBIDDEN.has(key) || !(isFields(at) || Array.isArray(at))) return null;
  return { holder: at as Record<string, unknown>, key };
}

function setAt(root: unknown, path: readonly unknown[], value: unknown): void {
  const place = holderOf(root, path);
  if (place === null || (Array.isArray(place.holder) && !isIndex(place.holder, place.key))) return;
  place.holder[place.key] = structuredClone(value);
}

function isIndex(list: readonly unknown[], key: string): boolean {
  return /^\d+$/.test(key) && Number(key) <= list.length;
}

function spliceAt(root: unknown, path: readonly unknown[], values: readonly unknown[], start: number | null): void {
  const place = holderOf(root, path);
  if (place === null) return;
  const list = place.holder[place.key];
  if (!Array.isArray(list)) {
    if (list === undefined) place.holder[place.key] = structuredClone([...values]);
    return;
  }
  // A start says where the list is cut before the values are added.
  if (start !== null && start >= 0) list.length = Math.min(list.length, start);
  for (const value of values) list.push(structuredClone(value));
}
