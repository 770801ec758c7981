import type { BehaviourMap, Unit } from '../model';
import { changeOverlay } from './change';
import { ensureEntry, tidy } from './entries';
import type { ModelWords, OverlayEntry } from './model';

/**
 * Puts the words of a model beside those of people, which stay and win. Words of the model for an older text are
 * replaced, except where the new ones leave a field open.
 * @throws as `changeOverlay`.
 */
export async function putModelWords(
  root: string,
  map: BehaviourMap,
  words: readonly { unit: Unit; words: ModelWords }[],
): Promise<void> {
  if (words.length === 0) return;
  await changeOverlay(root, null, (overlay) => {
    for (const { unit, words: said } of words) {
      const into = map.units.find((other) => other.id === said.mergedInto);
      const key = ensureEntry(overlay, map, unit, 'model');
      const entry = overlay.units[key] as OverlayEntry;
      const merged = into ? { mergedInto: ensureEntry(overlay, map, into, 'model') } : {};
      const { mergedInto: _mergedInto, ...rest } = said;
      const { title, stage, mergedInto } = entry.model ?? {};
      const before = Object.fromEntries(Object.entries({ title, stage, mergedInto }).filter(([, value]) => value));
      overlay.units[key] = { ...entry, model: { ...before, ...rest, ...merged } };
    }
    return tidy(overlay);
  });
}

/** Takes back everything that models added; the number of units that had such words. */
export async function removeModelWords(root: string): Promise<number> {
  let count = 0;
  await changeOverlay(root, 'Remove the words of models', (overlay) => {
    for (const [key, entry] of Object.entries(overlay.units)) {
      if (entry.by !== 'model' && !entry.model) continue;
      count++;
      const { by, pinned, symbols } = entry;
      if (by === 'model') overlay.units[key] = { by, symbols, ...(pinned ? { pinned } : {}) };
      else delete entry.model;
    }
    const members = Object.entries(overlay.members ?? {}).filter(([, member]) => member.by !== 'model');
    return tidy({ ...overlay, members: Object.fromEntries(members) });
  });
  return count;
}
