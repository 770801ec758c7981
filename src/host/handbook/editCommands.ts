import * as vscode from 'vscode';
import type { BehaviourMap, Unit } from '../../core/handbook/model';
import { registerCommand, trusted } from '../commands';
import { DisposableStore } from '../disposable';
import type { CommandId, FromTree } from '../ids';
import type { Services } from '../services';
import type { HandbookEdit } from '../work/methods';
import { UnitFinder } from './anchors';
import { mergedUnits, separable, stageChoices } from './editChoices';
import { givenUnit } from './givenUnit';
import { mapOf } from './mapOf';
import { pickUnit, unitOf } from './unitPick';

/** Commands by which a person renames, describes, pins, moves and merges units. All of it can be taken back. */
export function registerEditCommands(services: Services): DisposableStore {
  const store = new DisposableStore();
  const onUnit = (
    id: UnitCommand,
    title: string,
    edit: (unit: Unit, map: BehaviourMap) => Promise<Asked | undefined>,
  ) =>
    store.add(
      registerCommand(id, services.log, async (given?: FromTree | string) => {
        if (!trusted('Editing the handbook')) return;
        const unit = await givenUnit(services, given, title);
        const asked = unit && (await edit(unit, await mapOf(services)));
        if (asked) await carryOut(services, asked.edit, asked.words);
      }),
    );
  onUnit('harnessmith.renameUnit', 'Rename which behaviour unit?', askTitle);
  onUnit('harnessmith.describeUnit', 'Describe which behaviour unit?', askDescription);
  onUnit('harnessmith.pinUnit', 'Pin which behaviour unit?', async (unit) => pin(unit, true));
  onUnit('harnessmith.unpinUnit', 'Unpin which behaviour unit?', async (unit) => pin(unit, false));
  onUnit('harnessmith.moveUnit', 'Move which behaviour unit?', askStage);
  onUnit('harnessmith.mergeUnit', 'Merge which behaviour unit into another?', (unit, map) =>
    askMerge(services, unit, map),
  );
  store.add(registerCommand('harnessmith.separateUnit', services.log, (given) => separate(services, given)));
  store.add(
    registerCommand('harnessmith.undoHandbookEdit', services.log, async () => {
      await mapOf(services);
      const { root } = services.harness;
      if (!root || !trusted('Editing the handbook')) return;
      const label = await services.work.call('undoHandbookEdit', { root });
      await services.harness.refresh();
      say(label ? `taken back: ${label}` : 'there is no edit to take back');
    }),
  );
  store.add(
    registerCommand('harnessmith.removeOrphan', services.log, async (node) => {
      const key = node?.target?.kind === 'orphan' ? node.target.key : undefined;
      if (key && trusted('Editing the handbook')) {
        await carryOut(services, { kind: 'removeOrphan', key }, `removed the edit of ${key}`);
      }
    }),
  );
  return store;
}

type UnitCommand = Extract<CommandId, `harnessmith.${'rename' | 'describe' | 'pin' | 'unpin' | 'move' | 'merge'}Unit`>;

/** An edit as a person asked for it, with what to say once it is made. */
interface Asked {
  edit: HandbookEdit;
  words: string;
}

async function carryOut(services: Services, edit: HandbookEdit, words: string): Promise<void> {
  const { root } = services.harness;
  if (!root) return;
  await services.work.call('editHandbook', { root, edit });
  await services.harness.refresh();
  say(words);
}

function say(words: string): void {
  void vscode.window.setStatusBarMessage(`Harnessmith: ${words}`, 6000);
}

async function askTitle(unit: Unit): Promise<Asked | undefined> {
  const title = await vscode.window.showInputBox({
    title: 'Rename the behaviour unit',
    prompt: unit.words?.title ? 'Empty gives back the title that was derived from the code' : 'How people call it',
    value: unit.title,
  });
  if (title === undefined || title === unit.title) return undefined;
  const edit: HandbookEdit = { kind: 'rename', unit: unit.id, title: title.trim() || null };
  return { edit, words: title.trim() ? `renamed to ${title.trim()}` : 'derived title given back' };
}

async function askDescription(unit: Unit): Promise<Asked | undefined> {
  const description = await vscode.window.showInputBox({
    title: `Describe ${unit.title}`,
    prompt: 'What it does, in a few sentences. Empty gives back the description that was derived from the code',
    value: unit.summary,
  });
  if (description === undefined || description === unit.summary) return undefined;
  const edit: HandbookEdit = { kind: 'describe', unit: unit.id, description: description.trim() || null };
  return { edit, words: `described ${unit.title}` };
}

function pin(unit: Unit, pinned: boolean): Asked {
  const words = pinned ? `pinned ${unit.title} to the top of its stage` : `unpinned ${unit.title}`;
  return { edit: { kind: 'pin', unit: unit.id, pinned }, words };
}

async function askStage(unit: Unit, map: BehaviourMap): Promise<Asked | undefined> {
  const picked = await vscode.window.showQuickPick(stageChoices(unit, map), { title: `Move ${unit.title} to` });
  if (!picked) return undefined;
  return { edit: { kind: 'move', unit: unit.id, stage: picked.stage }, words: `moved ${unit.title}` };
}

async function askMerge(services: Services, unit: Unit, map: BehaviourMap): Promise<Asked | undefined> {
  const into = await pickUnit(services, map, {
    title: `Merge ${unit.title} into`,
    without: new Set([unit.id]),
  });
  if (!into) return undefined;
  const edit: HandbookEdit = { kind: 'merge', unit: unit.id, into: into.id };
  return { edit, words: `merged ${unit.title} into ${into.title}` };
}

async function separate(services: Services, given: FromTree | string): Promise<void> {
  const map = await mapOf(services);
  if (!trusted('Editing the handbook')) return;
  const id = unitOf(given);
  const unit = id === undefined ? undefined : UnitFinder.of(map).unit(id);
  const choices = unit ? mergedUnits(unit, map) : separable(map);
  if (choices.length === 0) return say('no units were merged');
  const placeHolder = 'It becomes a unit of its own again';
  const picked = await vscode.window.showQuickPick(choices, { title: 'Separate which merged unit?', placeHolder });
  if (picked) await carryOut(services, { kind: 'separate', key: picked.key }, `separated ${picked.label}`);
}
