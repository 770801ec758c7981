import { join } from 'node:path';
import { z } from 'zod';
import { parseJson, readTextIfPresent, storePaths, writeJsonFile } from '../../store';
import { HandbookOverlay, OverlayEntry } from './model';

const mostChanges = 50;

const Member = HandbookOverlay.shape.members.unwrap().valueType;
const byKey = <T extends z.ZodType>(value: T) =>
  z.record(z.string(), z.object({ before: value.nullable(), after: value.nullable() }));
export const OverlayChange = z.object({
  label: z.string(),
  at: z.string(),
  units: byKey(OverlayEntry),
  members: byKey(Member),
});
export type OverlayChange = z.infer<typeof OverlayChange>;
const History = z.object({ schemaVersion: z.literal(1), changes: z.array(OverlayChange) });

/** Keeps what a change did to each key, newest last. */
export async function recordChange(
  root: string,
  label: string,
  before: HandbookOverlay,
  after: HandbookOverlay,
): Promise<void> {
  const change = {
    label,
    at: new Date().toISOString(),
    units: differences(before.units, after.units),
    members: differences(before.members ?? {}, after.members ?? {}),
  };
  await writeHistory(root, [...(await readHistory(root)), change]);
}

/** The changes that were made on this machine, oldest first. */
export async function readHistory(root: string): Promise<OverlayChange[]> {
  const text = await readTextIfPresent(historyFile(root));
  return text === undefined ? [] : parseJson(text, History, historyFile(root)).changes;
}

export async function writeHistory(root: string, changes: readonly OverlayChange[]): Promise<void> {
  await writeJsonFile(historyFile(root), { schemaVersion: 1, changes: changes.slice(-mostChanges) });
}

function historyFile(root: string): string {
  return join(storePaths(root).cache, 'handbook-undo.json');
}

function differences<T>(before: Record<string, T>, after: Record<string, T>) {
  const changed: Record<string, { before: T | null; after: T | null }> = {};
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [was, is] = [before[key] ?? null, after[key] ?? null];
    if (!isSame(was, is)) changed[key] = { before: was, after: is };
  }
  return changed;
}

/** Whether two values of JSON say the same; the order of keys says nothing. */
export function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(ordered(a)) === JSON.stringify(ordered(b));
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, part]) => part !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, part]) => [key, ordered(part)]);
}
