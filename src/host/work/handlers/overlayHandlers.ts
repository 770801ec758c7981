import {
  describeUnit,
  mergeUnits,
  moveUnit,
  type OverlayTarget,
  pinUnit,
  removeOrphan,
  renameUnit,
  undoOverlay,
  unmergeUnit,
} from '../../../core/handbook';
import type { IndexedHarnesses } from '../indexedHarnesses';
import type { HandbookEdit } from '../methods';
import type { Handlers } from '../workServer';

/** What a person adds to the handbook, and takes back. */
export function overlayHandlers(harnesses: IndexedHarnesses): Pick<Handlers, 'editHandbook' | 'undoHandbookEdit'> {
  return {
    editHandbook: async ({ root, edit }) => {
      const { harness, map } = harnesses.get(root);
      await carryOut({ root: harness.root, map }, edit);
      return null;
    },
    undoHandbookEdit: ({ root }) => undoOverlay(harnesses.get(root).harness.root),
  };
}

function carryOut(target: OverlayTarget, edit: HandbookEdit): Promise<void> {
  switch (edit.kind) {
    case 'rename':
      return renameUnit(target, edit.unit, edit.title);
    case 'describe':
      return describeUnit(target, edit.unit, edit.description);
    case 'pin':
      return pinUnit(target, edit.unit, edit.pinned);
    case 'move':
      return moveUnit(target, edit.unit, edit.stage);
    case 'merge':
      return mergeUnits(target, edit.unit, edit.into);
    case 'separate':
      return unmergeUnit(target, edit.key);
    case 'removeOrphan':
      return removeOrphan(target, edit.key);
  }
}
