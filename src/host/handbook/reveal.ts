import * as vscode from 'vscode';
import type { BehaviourMap, Unit } from '../../core/handbook/model';
import { registerCommand, setting } from '../commands';
import { DisposableStore } from '../disposable';
import type { Services } from '../services';
import type { NodeTree } from '../tree/nodeTree';
import { mapOf } from './mapOf';
import { unitAtCursor } from './unitPick';
import { leadsTo, pathToUnit } from './unitRows';

/** Pause after a move of the cursor before the tree follows. */
const followPauseMs = 250;

/** Selects the row of a unit under its stage; false when the tree has none. */
export function revealUnit(
  tree: NodeTree,
  map: BehaviourMap,
  unit: Unit,
  options: { focus?: boolean } = {},
): Promise<boolean> {
  return tree.reveal(pathToUnit(unit, map), options);
}

/** The way from a place in the code to its row: by command, and on every move where the setting says so. */
export function registerReveal(services: Services, tree: NodeTree): DisposableStore {
  const store = new DisposableStore();
  store.add(
    registerCommand('harnessmith.revealInHandbook', services.log, async () => {
      const map = await mapOf(services);
      const unit = unitAtCursor(services);
      if (unit && (await revealUnit(tree, map, unit, { focus: true }))) return unit.id;
      void vscode.window.setStatusBarMessage('Harnessmith: no behaviour unit owns the line of the cursor', 5000);
      return undefined;
    }),
  );
  let timer: NodeJS.Timeout | undefined;
  const follow = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void followCursor(services, tree), followPauseMs);
  };
  store.add(vscode.window.onDidChangeActiveTextEditor(follow));
  store.add(
    vscode.window.onDidChangeTextEditorSelection(
      (event) => event.textEditor === vscode.window.activeTextEditor && follow(),
    ),
  );
  store.add({ dispose: () => clearTimeout(timer) });
  return store;
}

async function followCursor(services: Services, tree: NodeTree): Promise<void> {
  const { map } = services.harness;
  const uri = vscode.window.activeTextEditor?.document.uri;
  if (!map || !uri || !tree.view.visible || !setting('handbook.followEditor', uri)) return;
  const unit = unitAtCursor(services);
  // A row that leads here already stays selected: the person may have come from a prompt or a register.
  if (!unit || tree.view.selection.some((node) => leadsTo(node.target, unit))) return;
  await revealUnit(tree, map, unit);
}
