import { registerCommand, runCommand } from '../commands';
import { DisposableStore } from '../disposable';
import type { Services } from '../services';
import { pickStep } from '../traces/pickStep';
import type { NodeTree } from '../tree/nodeTree';
import type { CodePlaces } from './codePlaces';
import { givenUnit } from './givenUnit';
import { openPage } from './handbookPages';
import { showLocatePick } from './locatePick';
import { mapOf } from './mapOf';
import { revealUnit } from './reveal';
import { touchesOfUnit } from './touches';
import { pickUnit } from './unitPick';

/** Commands that lead from the handbook into the code and to its pages. */
export function registerHandbookCommands(services: Services, places: CodePlaces, tree: NodeTree): DisposableStore {
  const { log, harness } = services;
  const store = new DisposableStore();
  store.add(
    registerCommand('harnessmith.openSite', log, async (place, options) => {
      if (!harness.root) return;
      await places.show(harness.root, place, { focus: options?.focus ?? true, column: options?.column });
    }),
  );
  store.add(
    registerCommand('harnessmith.searchHandbook', log, async () => {
      const map = await mapOf(services);
      const unit = await pickUnit(services, map, {
        title: 'Behaviour units of the harness',
        button: {
          icon: 'book',
          tooltip: 'Open the page of the unit',
          run: (chosen) => void runCommand('harnessmith.openUnitPage', chosen.id),
        },
      });
      if (!unit) return;
      await runCommand('harnessmith.openSite', unit.sites[0]!);
      if (tree.view.visible) await revealUnit(tree, map, unit);
    }),
  );
  store.add(
    registerCommand('harnessmith.openUnitPage', log, async (given) => {
      const unit = await givenUnit(services, given, 'Page of which behaviour unit?');
      if (unit) await openPage(services, unit.id);
    }),
  );
  store.add(
    registerCommand('harnessmith.openHandbook', log, async () => {
      await mapOf(services);
      await openPage(services, null);
    }),
  );
  store.add(
    registerCommand('harnessmith.showUnitSteps', log, async (given) => {
      const unit = await givenUnit(services, given, 'Steps that lead to which behaviour unit?');
      if (!unit) return;
      await services.traces.ensure();
      const { steps } = touchesOfUnit(unit, services.traces.diagnosis.touches);
      await pickStep(services, steps, `Steps that lead to ${unit.title}`);
    }),
  );
  store.add(
    registerCommand('harnessmith.locate', log, async (request) => {
      await mapOf(services);
      await showLocatePick(services, request);
    }),
  );
  return store;
}
