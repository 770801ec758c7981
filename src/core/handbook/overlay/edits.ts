import { InputError } from '../../errors';
import { type BehaviourMap, StageKind, type Unit } from '../model';
import { changeOverlay } from './change';
import { ensureEntry, tidy } from './entries';
import type { OverlayEntry } from './model';

/** The harness whose `handbook.json` is edited, and the map that the person sees. */
export interface OverlayTarget {
  root: string;
  map: BehaviourMap;
}

const longestTitle = 120;
const longestDescription = 1_500;
/** A card of the handbook has no more. */
const mostWords = 150;

/** Gives a unit another title; null takes a person's title back. @throws InputError when the unit or the text is wrong. */
export async function renameUnit(target: OverlayTarget, unitId: string, title: string | null): Promise<void> {
  const text = checkedText(title, longestTitle, 'title');
  await editUnit(target, unitId, `Rename ${titleOf(target, unitId)}`, (entry) => {
    entry.title = text;
  });
}

/** Gives a unit a description in place of the derived one; null takes it back. @throws InputError as `renameUnit`. */
export async function describeUnit(target: OverlayTarget, unitId: string, description: string | null): Promise<void> {
  const text = checkedText(description, longestDescription, 'description');
  await editUnit(target, unitId, `Describe ${titleOf(target, unitId)}`, (entry) => {
    entry.description = text;
  });
}

/** Puts a unit at the top of its stage, or back. @throws InputError when there is no such unit. */
export async function pinUnit(target: OverlayTarget, unitId: string, pinned: boolean): Promise<void> {
  await editUnit(target, unitId, `${pinned ? 'Pin' : 'Unpin'} ${titleOf(target, unitId)}`, (entry) => {
    entry.pinned = pinned || undefined;
  });
}

/**
 * Moves a unit to another stage: one of the map, or one of the usual kinds. Null gives it back to the stage it was
 * derived for. @throws InputError when the unit or the stage does not exist.
 */
export async function moveUnit(target: OverlayTarget, unitId: string, stageId: string | null): Promise<void> {
  const isKnown =
    stageId === null ||
    target.map.stages.some((stage) => stage.id === stageId) ||
    (stageId !== 'subsystem' && StageKind.safeParse(stageId).success);
  if (!isKnown) {
    throw new InputError(`There is no stage ${stageId}.`, {
      code: 'stage-unknown',
      nextStep: `Stages: ${[...new Set([...StageKind.options.slice(0, -1), ...target.map.stages.map((stage) => stage.id)])].slice(0, 20).join(', ')}.`,
    });
  }
  await editUnit(target, unitId, `Move ${titleOf(target, unitId)}`, (entry) => {
    entry.stage = stageId ?? undefined;
    if (stageId === null && entry.model) delete entry.model.stage;
  });
}

/**
 * Gives a function, class or other member (a graph id) another unit as its home, with what is defined inside it. Null
 * gives it back to the unit it was derived for. @throws InputError when the member or the unit does not exist.
 */
export async function moveMember(target: OverlayTarget, memberId: string, unitId: string | null): Promise<void> {
  const { map, root } = target;
  const isMoved = map.overlay?.moved[memberId] !== undefined;
  if (!isMoved && !map.units.some((unit) => unit.members.includes(memberId))) {
    throw new InputError(`No unit owns ${memberId}.`, {
      code: 'member-unknown',
      nextStep: 'Name a definition as file#name, such as src/agent.ts#Agent.run.',
    });
  }
  const unit = unitId === null ? undefined : unitOf(map, unitId);
  await changeOverlay(root, `Move ${memberId}`, (overlay) => {
    const members = { ...overlay.members };
    if (unit) members[memberId] = { unit: ensureEntry(overlay, target.map, unit), by: 'person' };
    else delete members[memberId];
    return tidy({ ...overlay, members });
  });
}

/**
 * Makes a unit a part of another one; its definitions, places and relations are the other one's then.
 * @throws InputError when one of them does not exist, for an agent loop, and for a unit into itself.
 */
export async function mergeUnits(target: OverlayTarget, unitId: string, intoId: string): Promise<void> {
  const unit = unitOf(target.map, unitId);
  const into = unitOf(target.map, intoId);
  if (unit.kind === 'main_loop' || unit === into) {
    throw new InputError(
      unit === into
        ? 'A unit cannot be merged into itself.'
        : `${unit.title} is an agent loop and keeps a unit of its own.`,
      { code: 'merge-refused', nextStep: 'Merge the other way round, or choose another unit.' },
    );
  }
  await changeOverlay(target.root, `Merge ${unit.title} into ${into.title}`, (overlay) => {
    const key = ensureEntry(overlay, target.map, unit);
    const entry = overlay.units[key] as OverlayEntry;
    overlay.units[key] = { ...entry, by: 'person', mergedInto: ensureEntry(overlay, target.map, into) };
    return tidy(overlay);
  });
}

/**
 * Makes a merged unit one of its own again. `key` is one of `map.overlay.merged`.
 * @throws InputError when nothing was merged under this key.
 */
export async function unmergeUnit(target: OverlayTarget, key: string): Promise<void> {
  await changeOverlay(target.root, `Separate ${key}`, (overlay) => {
    const entry = overlay.units[key];
    if (!(entry?.mergedInto ?? entry?.model?.mergedInto)) {
      throw new InputError(`${key} is not merged into another unit.`, {
        code: 'unit-not-merged',
        nextStep: `Merged units: ${Object.keys(target.map.overlay?.merged ?? {}).join(', ') || 'none'}.`,
      });
    }
    delete entry?.mergedInto;
    delete entry?.model?.mergedInto;
    return tidy(overlay);
  });
}

/** Removes an entry that no unit answers to any more. @throws InputError when the key is not orphaned. */
export async function removeOrphan({ root, map }: OverlayTarget, key: string): Promise<void> {
  if (!map.overlay?.orphans.some((orphan) => orphan.key === key)) {
    throw new InputError(`${key} is not an orphaned entry.`, {
      code: 'entry-not-orphaned',
      nextStep: 'Refresh the handbook and look at the list again.',
    });
  }
  await changeOverlay(root, `Remove ${key}`, (overlay) => {
    delete overlay.units[key];
    const members = { ...overlay.members };
    delete members[key];
    return tidy({ ...overlay, members });
  });
}

async function editUnit(
  target: OverlayTarget,
  unitId: string,
  label: string,
  edit: (entry: OverlayEntry) => void,
): Promise<void> {
  const unit = unitOf(target.map, unitId);
  await changeOverlay(target.root, label, (overlay) => {
    const entry = overlay.units[ensureEntry(overlay, target.map, unit)] as OverlayEntry;
    edit(entry);
    return tidy(overlay);
  });
}

function unitOf(map: BehaviourMap, id: string): Unit {
  const unit = map.units.find((one) => one.id === id);
  if (unit) return unit;
  throw new InputError(`There is no unit ${id}.`, {
    code: 'unit-unknown',
    nextStep: 'Refresh the handbook; the code it stood for was moved or removed.',
  });
}

function titleOf({ map }: OverlayTarget, id: string): string {
  return unitOf(map, id).title;
}

function checkedText(text: string | null, longest: number, what: string): string | undefined {
  const plain = text?.replace(/\s+/g, ' ').trim() ?? '';
  if (plain.length > longest) {
    throw new InputError(`The ${what} has ${plain.length} characters; ${longest} fit.`, {
      code: 'text-too-long',
      nextStep: 'Shorten it: a page of the handbook fits one screen.',
    });
  }
  const words = plain.split(' ').length;
  if (words > mostWords) {
    throw new InputError(`The ${what} has ${words} words; ${mostWords} fit.`, {
      code: 'text-too-long',
      nextStep: 'Shorten it: a page of the handbook fits one screen.',
    });
  }
  return plain === '' ? undefined : plain;
}
