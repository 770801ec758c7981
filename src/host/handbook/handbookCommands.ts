import * as vscode from 'vscode';
import { InputError } from '../../core/errors';
import type { BehaviourMap } from '../../core/handbook/model';
import { registerCommand, runCommand, withProgress } from '../commands';
import { DisposableStore } from '../disposable';
import type { FromTree } from '../ids';
import type { Services } from '../services';
import type { NodeTree } from '../tree/nodeTree';
import type { CodePlaces } from './codePlaces';

/** Commands that lead from the handbook into the code and to its pages. */
export function registerHandbookCommands(services: Services, places: CodePlaces, tree: NodeTree): DisposableStore {
  const { log, harness } = services;
  const store = new DisposableStore();
  store.add(
    registerCommand('harnessmith.openSite', log, async (place, options) => {
      if (!harness.root) return;
      await places.show(harness.root, place, { focus: options?.focus ?? true });
    }),
  );
  store.add(
    registerCommand('harnessmith.searchHandbook', log, async () => {
      const map = await mapOf(services);
      const picked = await vscode.window.showQuickPick(unitPicks(map), {
        title: 'Behaviour units of the harness',
        placeHolder: 'Type a behaviour, a file or a symbol',
        matchOnDescription: true,
        matchOnDetail: true,
      });
      if (!picked) return;
      const unit = map.units.find((one) => one.id === picked.unit)!;
      await runCommand('harnessmith.openSite', unit.sites[0]!);
      const stage = map.stages.find((one) => one.units.includes(unit.id));
      if (stage && tree.view.visible) await tree.reveal(`stage:${stage.id}/unit:${unit.id}`);
    }),
  );
  store.add(
    registerCommand('harnessmith.openUnitPage', log, async (node) => {
      const map = await mapOf(services);
      const id = typeof node === 'string' ? node : (unitOf(node) ?? (await pickUnit(map)));
      const unit = map.units.find((one) => one.id === id);
      if (unit) await openPage(services, unit.id);
    }),
  );
  store.add(
    registerCommand('harnessmith.openHandbook', log, async () => {
      await mapOf(services);
      await openPage(services, null);
    }),
  );
  store.add(registerCommand('harnessmith.locate', log, (request) => locate(services, request)));
  return store;
}

/** Shows a page in the preview of the editor. Pages are files of the cache, so that their links to the source work. */
async function openPage(services: Services, unit: string | null): Promise<void> {
  const root = services.harness.root;
  if (!root) return;
  const file = await services.work.call('handbookPage', { root, unit });
  await vscode.commands.executeCommand('markdown.showPreview', vscode.Uri.file(file));
}

/** The map, indexed first if needed. Throws `InputError` when there is none. */
export async function mapOf(services: Services): Promise<BehaviourMap> {
  await services.harness.ensure();
  const map = services.harness.map;
  if (map) return map;
  throw new InputError('There is no handbook in this window yet.', {
    code: 'no-harness',
    nextStep: 'Open a folder with a harness, or run "Harnessmith: Open the Example".',
  });
}

function unitOf(node: FromTree): string | undefined {
  return node?.target?.kind === 'unit' ? node.target.unit : undefined;
}

function unitPicks(map: BehaviourMap) {
  return map.units.map((unit) => ({
    label: unit.title,
    description: `${unit.sites[0]!.file}:${unit.sites[0]!.start}`,
    detail: unit.summary,
    unit: unit.id,
  }));
}

async function pickUnit(map: BehaviourMap): Promise<string | undefined> {
  const picked = await vscode.window.showQuickPick(unitPicks(map), { title: 'Page of which behaviour unit?' });
  return picked?.unit;
}

async function locate(services: Services, given: string | undefined): Promise<void> {
  await mapOf(services);
  const request =
    given ??
    (await vscode.window.showInputBox({
      title: 'Where does it live?',
      prompt: 'Say a behaviour or a change in your own words',
      placeHolder: 'show the model that its output was cut',
    }));
  const root = services.harness.root;
  if (!request?.trim() || !root) return;
  const answer = await withProgress('Looking for the place', (progress, signal) =>
    services.work.call('locate', { root, request, limit: 20 }, { progress, signal }),
  );
  if (answer.sites.length === 0) {
    void vscode.window.showInformationMessage(
      `No place in the harness matches "${request}". Try other words, or a symbol name.`,
    );
    return;
  }
  const picked = await vscode.window.showQuickPick(
    answer.sites.map((site) => ({
      label: site.symbol || site.file,
      description: `${site.file}:${site.start}-${site.end}`,
      detail: site.reason,
      site,
    })),
    { title: `Where does it live: ${request}`, matchOnDescription: true, placeHolder: 'Best match first' },
  );
  if (picked) await runCommand('harnessmith.openSite', picked.site);
}
