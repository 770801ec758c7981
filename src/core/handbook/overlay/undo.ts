import { InputError } from '../../errors';
import { withOverlay } from './change';
import { saveOverlay } from './file';
import { isSame, readHistory, writeHistory } from './history';
import type { OverlayEntry } from './model';

/**
 * Takes back the last change of `handbook.json` that was made on this machine; its label, or null when there is none.
 * @throws InputError when the same entry was changed by somebody else since, and nothing is taken back.
 */
export function undoOverlay(root: string): Promise<string | null> {
  return withOverlay(root, async (overlay) => {
    const history = await readHistory(root);
    const last = history.pop();
    if (!last) return null;
    const units = { ...overlay.units };
    const members = { ...overlay.members };
    for (const [key, { before, after }] of Object.entries(last.units)) {
      const now = units[key] ?? null;
      if (!isSame(ofPerson(now), ofPerson(after))) throw changedSince(last.label, key);
      const entry = withModel(before, now);
      if (entry) units[key] = entry;
      else delete units[key];
    }
    for (const [key, { before, after }] of Object.entries(last.members)) {
      if (!isSame(members[key] ?? null, after)) throw changedSince(last.label, key);
      if (before) members[key] = before;
      else delete members[key];
    }
    const hasMembers = Object.keys(members).length > 0;
    await saveOverlay({ root }, { schemaVersion: 1, units, ...(hasMembers ? { members } : {}) });
    await writeHistory(root, history);
    return last.label;
  });
}

/** What a person said in an entry; null when there is nothing. What a model adds later changes none of it. */
function ofPerson(entry: OverlayEntry | null): Partial<OverlayEntry> | null {
  if (!entry) return null;
  const { model: _model, symbols: _symbols, by: _by, ...said } = entry;
  return Object.values(said).some((value) => value !== undefined) ? said : null;
}

/** The entry before an edit, with the words that a model has given it since. */
function withModel(before: OverlayEntry | null, now: OverlayEntry | null): OverlayEntry | null {
  if (!now?.model || before?.model) return before;
  return before ? { ...before, model: now.model } : { by: 'model', symbols: now.symbols, model: now.model };
}

function changedSince(label: string, key: string): InputError {
  return new InputError(`"${label}" cannot be taken back: ${key} was changed again since.`, {
    code: 'handbook-changed',
    nextStep: 'Edit the unit again, or restore .harnessmith/handbook.json from git.',
  });
}
