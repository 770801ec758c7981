import * as vscode from 'vscode';
import { FromMapPage, type ToMapPage } from '../../../webview/shared/mapProtocol';
import { registerCommand, runCommand, showError } from '../commands';
import { DisposableStore } from '../disposable';
import { UnitFinder } from '../handbook/anchors';
import { mapOf } from '../handbook/mapOf';
import { unitOf } from '../handbook/unitPick';
import { mapPanelId } from '../ids';
import type { HostContribution, Services } from '../services';
import { setUpPage } from '../webview/pageSetup';
import { MapSession } from './mapSession';

/** The behaviour map of the harness: one page a window, kept up to date while it is open. */
export const mapContribution: HostContribution = {
  name: 'behaviour map',
  activate(services: Services) {
    const store = new DisposableStore();
    const page = store.add(new MapPanel(services));
    store.add(services.harness.onDidChange((state) => state.status !== 'indexing' && page.refresh()));
    store.add(services.traces.onDidChange(() => page.refresh()));
    store.add(services.sites.onDidChange(() => page.refresh()));
    store.add(
      vscode.window.registerWebviewPanelSerializer(mapPanelId, {
        deserializeWebviewPanel: async (panel: vscode.WebviewPanel) => page.attach(panel),
      }),
    );
    store.add(
      registerCommand('harnessmith.openMap', services.log, async (given) => {
        await mapOf(services);
        page.open(unitOf(given));
      }),
    );
    return store;
  },
};

class MapPanel {
  private shown: { panel: vscode.WebviewPanel; session: MapSession } | null = null;

  constructor(private readonly services: Services) {}

  open(unit: string | undefined): void {
    if (this.shown) this.shown.panel.reveal(undefined, false);
    else {
      const options = { viewColumn: vscode.ViewColumn.Active, preserveFocus: false };
      this.attach(vscode.window.createWebviewPanel(mapPanelId, 'Behaviour map', options));
    }
    if (unit) this.shown?.session.focus(unit);
  }

  attach(panel: vscode.WebviewPanel): void {
    const { services } = this;
    this.shown?.panel.dispose();
    const session = new MapSession({
      map: () => services.harness.map,
      touches: () => services.traces.diagnosis.touches,
      states: () => services.sites.states,
      traced: () => (services.traces.catalog?.runs.length ?? 0) > 0,
      costs: async () => {
        const { root } = services.harness;
        return root ? services.work.call('unitCosts', { root }) : [];
      },
      post: (message: ToMapPage) => void panel.webview.postMessage(message),
      openCode: (unit) => this.openCode(unit, panel),
      openPage: (unit) => void runCommand('harnessmith.openUnitPage', unit),
      showSteps: (unit) => void runCommand('harnessmith.showUnitSteps', unit),
      failed: (error) => void showError(error, services.log, 'Behaviour map'),
    });
    this.shown = { panel, session };
    panel.webview.onDidReceiveMessage((raw: unknown) => {
      const message = FromMapPage.safeParse(raw);
      if (!message.success) return services.log.error('The map page sent an unknown message', message.error);
      if (message.data.type === 'ready') void this.load(panel);
      session.receive(message.data);
    });
    panel.onDidDispose(() => {
      if (this.shown?.panel === panel) this.shown = null;
    });
    setUpPage(panel.webview, services.context.extensionUri, 'map', 'Behaviour map');
  }

  refresh(): void {
    this.shown?.session.refresh();
    const state = this.services.harness.get();
    if (this.shown && state.status === 'error' && !this.services.harness.map) this.fail(state.message, state.nextStep);
  }

  dispose(): void {
    this.shown?.panel.dispose();
  }

  /** A page that comes back after a reload starts the indexing; traces are read for its heat. */
  private async load(panel: vscode.WebviewPanel): Promise<void> {
    try {
      await this.services.harness.ensure();
      this.refresh();
      if (!this.services.harness.map)
        this.fail('There is no handbook in this window yet.', 'Open the folder of a harness.');
      else await this.services.traces.ensure();
    } catch (error) {
      if (this.shown?.panel === panel) await showError(error, this.services.log, 'Behaviour map');
    }
  }

  private fail(message: string, nextStep: string | null): void {
    const { shown } = this;
    if (shown) void shown.panel.webview.postMessage({ type: 'failed', message, nextStep } satisfies ToMapPage);
  }

  /** The code opens beside the map, so that one can go on from there. */
  private openCode(unit: string, panel: vscode.WebviewPanel): void {
    const map = this.services.harness.map;
    const site = map && UnitFinder.of(map).unit(unit)?.sites[0];
    if (!site) return;
    const beside = (panel.viewColumn ?? vscode.ViewColumn.One) + 1;
    const { file, start, end, symbol } = site;
    void runCommand('harnessmith.openSite', { file, start, end, symbol }, { focus: true, column: beside });
  }
}
