import { InputError } from '../../errors';
import { withOverlay } from './change';
import { saveOverlay } from './file';
import { isSame, readHistory, writeHistory } from './history';

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
    takeBack(units, last.units, last.label);
    takeBack(members, last.members, last.label);
    const hasMembers = Object.keys(members).length > 0;
    await saveOverlay({ root }, { schemaVersion: 1, units, ...(hasMembers ? { members } : {}) });
    await writeHistory(root, history);
    return last.label;
  });
}

function takeBack<T>(
  now: Record<string, T>,
  done: Record<string, { before: T | null; after: T | null }>,
  label: string,
): void {
  for (const [key, { before, after }] of Object.entries(done)) {
    if (!isSame(now[key] ?? null, after)) {
      throw new InputError(`"${label}" cannot be taken back: ${key} was changed again since.`, {
        code: 'handbook-changed',
        nextStep: 'Edit the unit again, or restore .harnessmith/handbook.json from git.',
      });
    }
    if (before === null) delete now[key];
    else now[key] = before;
  }
}
