import type { Harness } from '../../harness';
import { parseJson, readTextIfPresent, storePaths, writeFileAtomic } from '../../store';
import { HandbookOverlay } from './model';

/**
 * What people and models added to the map; empty when there is no `handbook.json`.
 * @throws InputError naming the file and the place when it does not fit the schema.
 */
export async function loadOverlay(harness: Pick<Harness, 'root'>): Promise<HandbookOverlay> {
  const file = storePaths(harness.root).handbookJson;
  const text = await readTextIfPresent(file);
  return text === undefined ? { schemaVersion: 1, units: {} } : parseJson(text, HandbookOverlay, file);
}

/** Writes the overlay, see {@link overlayText}. */
export async function saveOverlay(harness: Pick<Harness, 'root'>, overlay: HandbookOverlay): Promise<void> {
  await writeFileAtomic(storePaths(harness.root).handbookJson, overlayText(HandbookOverlay.parse(overlay)));
}

/** One key a line and all keys sorted, so that git merges what two people added at different units. */
export function overlayText(overlay: HandbookOverlay): string {
  return `${JSON.stringify(sorted(overlay), null, 2)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value) || typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([, part]) => part !== undefined);
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, part]) => [key, sorted(part)]),
  );
}
