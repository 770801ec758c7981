import * as vscode from 'vscode';
import type { BehaviourMap, Unit } from '../../core/handbook/model';
import { relativeTo } from '../harness/harnessChoice';
import type { FromTree } from '../ids';
import type { Services } from '../services';
import { UnitFinder } from './anchors';
import { plainLabel } from './locateItems';
import { failingWords, placeOf } from './unitWords';

/** The id of the unit a command was given, by a tree row or directly. */
export function unitOf(given: FromTree | string): string | undefined {
  if (typeof given === 'string') return given;
  return given?.target?.kind === 'unit' ? given.target.unit : undefined;
}

/** The unit around the cursor of the active editor; undefined outside the harness. */
export function unitAtCursor(services: Services): Unit | undefined {
  const { root, map } = services.harness;
  const editor = vscode.window.activeTextEditor;
  if (!root || !map || !editor) return undefined;
  const file = relativeTo(root, editor.document.uri.fsPath);
  return file === null ? undefined : UnitFinder.of(map).at(file, editor.selection.active.line + 1);
}

export interface UnitPickOptions {
  title: string;
  /** Units that cannot be chosen. */
  without?: ReadonlySet<string>;
  /** Offered on every row beside choosing it. */
  button?: { icon: string; tooltip: string; run(unit: Unit): void };
}

/** Lets a person choose a unit by title, stage, file or symbol; the one at the cursor comes first. */
export function pickUnit(services: Services, map: BehaviourMap, options: UnitPickOptions): Promise<Unit | undefined> {
  const finder = UnitFinder.of(map);
  const { touches } = services.traces.diagnosis;
  const current = unitAtCursor(services);
  const units = [...(current ? [current] : []), ...map.units.filter((unit) => unit !== current)];
  const { button } = options;
  const buttons = button ? [{ iconPath: new vscode.ThemeIcon(button.icon), tooltip: button.tooltip }] : [];
  const pick = vscode.window.createQuickPick<vscode.QuickPickItem & { unit: Unit }>();
  pick.title = options.title;
  pick.placeholder = 'Type a behaviour, a stage, a file or a symbol';
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = units
    .filter((unit) => !options.without?.has(unit.id))
    .map((unit) => ({
      label: plainLabel(unit.title),
      description: [
        finder.stageOf(unit)?.title ?? unit.stage,
        placeOf(unit.sites[0]!),
        failingWords(unit, touches),
        unit === current ? 'at the cursor' : '',
      ]
        .filter(Boolean)
        .join('  '),
      detail: plainLabel(unit.summary),
      buttons,
      unit,
    }));
  return new Promise((resolve) => {
    const done = (unit: Unit | undefined) => {
      resolve(unit);
      pick.hide();
    };
    pick.onDidAccept(() => done(pick.activeItems[0]?.unit));
    pick.onDidTriggerItemButton(({ item }) => {
      done(undefined);
      button?.run(item.unit);
    });
    pick.onDidHide(() => {
      resolve(undefined);
      pick.dispose();
    });
    pick.show();
  });
}
