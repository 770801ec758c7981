import type { Command } from 'commander';
import { z } from 'zod';
import { InputError } from '../../core/errors';
import {
  type BehaviourMap,
  buildHandbook,
  describeUnit,
  mergeUnits,
  moveMember,
  moveUnit,
  type OpenedHarness,
  OverlayPlacement,
  type OverlayTarget,
  openedHarness,
  pinUnit,
  removeModelWords,
  removeOrphan,
  renameUnit,
  type Unit,
  undoOverlay,
  unitAt,
  unmergeUnit,
} from '../../core/handbook';
import { type Answer, answerWith, commandGroup, newCommand } from '../command';
import { counted } from '../words';

export const HandbookEditDocument = z.object({
  /** What was done, in words. */
  done: z.string(),
  /** The unit after the edit; null when the edit leaves none, or nothing was edited. */
  unit: z.object({ id: z.string(), title: z.string(), summary: z.string(), stage: z.string() }).nullable(),
  /** How the entries of handbook.json found their units; null when there are none. */
  placement: OverlayPlacement.nullable(),
});
type HandbookEditDocument = z.infer<typeof HandbookEditDocument>;

/** `harnessmith handbook edit rename|describe|pin|unpin|move|merge|separate|forget|remove-model-words|undo|list`. */
export function handbookEditCommand(): Command {
  const unit = '<unit>';
  return commandGroup(
    'edit',
    'change what the handbook calls, says and groups; written to .harnessmith/handbook.json',
    [
      edit('rename', 'give a unit another title; --back for the derived one', [unit, '[title]'], (at, id, title) =>
        renameUnit(at, id, title ?? null),
      ),
      edit('describe', 'give a unit a description; --back for the derived one', [unit, '[text]'], (at, id, text) =>
        describeUnit(at, id, text ?? null),
      ),
      edit('pin', 'show a unit first in its stage', [unit], (at, id) => pinUnit(at, id, true)),
      edit('unpin', 'show a unit where it was', [unit], (at, id) => pinUnit(at, id, false)),
      edit('move', 'move a unit to a stage, or a definition (file#name) to a unit', [unit, '[target]'], move),
      edit('merge', 'make a unit a part of another one', [unit, '<into>'], (at, id, into) =>
        mergeUnits(at, id, resolveUnit(at.map, into ?? '').id),
      ),
      onKey('separate', 'make a merged unit one of its own again', unmergeUnit),
      onKey('forget', 'remove words that no unit answers to any more', removeOrphan),
      removeModelCommand(),
      undoCommand(),
      listCommand(),
    ],
  );
}

/** A command on one unit, named by its id, its title, or FILE:LINE. */
function edit(
  name: string,
  description: string,
  parameters: readonly string[],
  work: (at: OverlayTarget, unit: string, value: string | undefined) => Promise<void>,
): Command {
  const command = newCommand(name, description);
  for (const parameter of parameters) command.argument(parameter);
  const canGoBack = parameters[1]?.startsWith('[') === true;
  if (canGoBack) command.option('--back', 'as it is derived');
  answerWith(command, async (context, subject: string, value?: string): Promise<Answer<HandbookEditDocument>> => {
    const opened = await openedHarness(context.folder, context);
    const back = command.opts<{ back?: boolean }>().back === true;
    // Nothing but white space would take back what stands there, which only --back may do.
    const said = value !== undefined && value.trim() !== '';
    if (canGoBack && (back ? value !== undefined : !said)) {
      throw new InputError(back ? 'With --back there is nothing else to say.' : 'What it should be is missing.', {
        code: 'usage',
        nextStep: `Give ${parameters.slice(1).join(' ')}, or --back.`,
      });
    }
    const target = { root: opened.harness.root, map: opened.map };
    // A definition may be named as well as a unit, and is a unit's member then.
    const id = isMember(opened.map, subject) ? subject : resolveUnit(opened.map, subject).id;
    await work(target, id, value);
    return answer(opened, id, `${name} ${subject}`);
  });
  return command;
}

async function move(at: OverlayTarget, id: string, to: string | undefined): Promise<void> {
  if (isMember(at.map, id)) await moveMember(at, id, to === undefined ? null : resolveUnit(at.map, to).id);
  else await moveUnit(at, id, to ?? null);
}

function onKey(name: string, description: string, work: (at: OverlayTarget, key: string) => Promise<void>): Command {
  const command = newCommand(name, description).argument('<key>', 'a key that `handbook edit list` shows');
  answerWith(command, async (context, key: string): Promise<Answer<HandbookEditDocument>> => {
    const opened = await openedHarness(context.folder, context);
    await work({ root: opened.harness.root, map: opened.map }, key);
    return answer(opened, key, `${name} ${key}`);
  });
  return command;
}

function removeModelCommand(): Command {
  const command = newCommand('remove-model-words', 'take back everything that models added');
  answerWith(command, async (context): Promise<Answer<HandbookEditDocument>> => {
    const opened = await openedHarness(context.folder, context);
    const count = await removeModelWords(opened.harness.root);
    return answer(opened, '', `Words of models were removed from ${counted(count, 'unit')}.`);
  });
  return command;
}

function undoCommand(): Command {
  const command = newCommand('undo', 'take back the last edit made on this machine');
  answerWith(command, async (context): Promise<Answer<HandbookEditDocument>> => {
    const opened = await openedHarness(context.folder, context);
    const label = await undoOverlay(opened.harness.root);
    const result = await answer(opened, '', label === null ? 'There is nothing to take back.' : `Taken back: ${label}`);
    return { ...result, ok: label !== null };
  });
  return command;
}

function listCommand(): Command {
  const command = newCommand('list', 'what people and models added, and what of it has no unit any more');
  answerWith(command, async (context): Promise<Answer<HandbookEditDocument>> => {
    const { map } = await openedHarness(context.folder, context);
    const placement = map.overlay ?? null;
    const lines = Object.entries(placement?.placed ?? {}).map(([key, id]) => {
      const unit = map.units.find((one) => one.id === id);
      const isMerged = placement?.merged[key] !== undefined;
      return `${key}${isMerged ? ' is a part of' : key === id ? '' : ` is now ${id}`}  ${unit?.title ?? ''}`;
    });
    for (const [id, unit] of Object.entries(placement?.moved ?? {})) lines.push(`${id} belongs to ${unit}`);
    for (const { key, why } of placement?.orphans ?? []) lines.push(`${key} has no place: ${why}`);
    const done = placement ? counted(Object.keys(placement.placed).length, 'entry', 'entries') : 'Nothing was added.';
    return { document: { done, unit: null, placement }, text: lines.length > 0 ? lines.join('\n') : done };
  });
  return command;
}

async function answer(opened: OpenedHarness, id: string, done: string): Promise<Answer<HandbookEditDocument>> {
  const map = await buildHandbook(opened.graph, opened.harness);
  const home = map.units.find((unit) => unit.members.includes(id))?.id;
  const found = map.units.find((unit) => unit.id === (map.overlay?.placed[id] ?? home ?? id));
  const unit = found ? { id: found.id, title: found.title, summary: found.summary, stage: found.stage } : null;
  const text = unit ? `${unit.title}\n${unit.summary}\n${unit.stage}  ${unit.id}` : done;
  return { document: { done, unit, placement: map.overlay ?? null }, text };
}

function isMember(map: BehaviourMap, text: string): boolean {
  return (
    text.includes('#') &&
    !text.startsWith('unit:') &&
    (map.overlay?.moved[text] !== undefined || map.units.some((unit) => unit.members.includes(text)))
  );
}

/** A unit by its id, its title, or a place in it. @throws InputError naming units that come near. */
function resolveUnit(map: BehaviourMap, text: string): Unit {
  const place = /^(.+):(\d+)$/.exec(text);
  const found =
    map.units.find((unit) => unit.id === text || unit.id === `unit:${text}`) ??
    only(map.units.filter((unit) => unit.title.toLowerCase() === text.toLowerCase())) ??
    (place ? unitAt(map, place[1] ?? '', Number(place[2])) : undefined);
  if (found) return found;
  const near = map.units.filter((unit) => `${unit.id} ${unit.title}`.toLowerCase().includes(text.toLowerCase()));
  throw new InputError(`No single unit is meant by "${text}".`, {
    code: 'unit-unknown',
    nextStep:
      near.length > 0
        ? `Name one by its id: ${near
            .slice(0, 6)
            .map((unit) => unit.id)
            .join(', ')}.`
        : 'Give an id or a title of the handbook, or FILE:LINE.',
  });
}

function only<T>(items: readonly T[]): T | undefined {
  return items.length === 1 ? items[0] : undefined;
}
