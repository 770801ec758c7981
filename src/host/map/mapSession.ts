import type { FromMapPage, MapMatch, ToMapPage } from '../../../webview/shared/mapProtocol';
import type { BehaviourMap } from '../../core/handbook/model';
import type { SiteTouches } from '../../core/links/model';
import { UnitFinder } from '../handbook/anchors';
import type { SiteStates } from '../handbook/siteStates';
import { placeOf, searchUnits } from '../handbook/unitWords';
import type { UnitCost } from '../work/methods';
import { foldersStage, mapView } from './mapView';

/** What the map page needs from the extension. */
export interface MapHost {
  map(): BehaviourMap | null;
  touches(): readonly SiteTouches[];
  states(): SiteStates;
  traced(): boolean;
  /** Adds up costs in the worker. */
  costs(): Promise<UnitCost[]>;
  post(message: ToMapPage): void;
  openCode(unit: string): void;
  openPage(unit: string): void;
  showSteps(unit: string): void;
  /** Says that something went wrong which the page need not show. */
  failed(error: unknown): void;
}

const matchesShown = 12;

/** One map page: what is unfolded and must be seen, and answers to its messages. Free of the editor, so tests need none. */
export class MapSession {
  private readonly opened = new Set<string>();
  private readonly wanted = new Set<string>();
  private costsOf: { map: BehaviourMap; costs: ReadonlyMap<string, UnitCost> } | null = null;
  private costsAsked = false;
  /** The map whose costs are being added up. */
  private addingFor: BehaviourMap | null = null;
  private ready = false;
  /** A unit to show as soon as the page is ready. */
  private awaited: string | null = null;

  constructor(private readonly host: MapHost) {}

  /** Draws the map anew, after the handbook or the traces changed. */
  refresh(): void {
    const map = this.host.map();
    if (!this.ready || !map) return;
    const costs = this.costsOf?.map === map ? this.costsOf.costs : null;
    this.host.post({
      type: 'view',
      view: mapView({
        map,
        touches: this.host.touches(),
        states: this.host.states(),
        costs,
        costsLoading: this.costsAsked && !costs,
        traced: this.host.traced(),
        opened: this.opened,
        wanted: this.wanted,
      }),
    });
    if (this.costsAsked && !costs && this.addingFor !== map) void this.addUpCosts(map);
  }

  /** Selects a unit on the page, now or when it is ready. */
  focus(unit: string): void {
    if (!this.ready) {
      this.awaited = unit;
      return;
    }
    this.want(unit);
    this.host.post({ type: 'focus', unit });
  }

  receive(message: FromMapPage): void {
    switch (message.type) {
      case 'ready':
        this.ready = true;
        for (const stage of message.opened) this.opened.add(stage);
        if (message.selected) this.wanted.add(message.selected);
        this.refresh();
        if (this.awaited) this.focus(this.awaited);
        this.awaited = null;
        return;
      case 'fold':
        this.fold(message.stage, message.open);
        return;
      case 'show':
        this.want(message.unit);
        return;
      case 'costs':
        this.costsAsked = true;
        this.refresh();
        return;
      case 'search':
        this.search(message.request, message.text);
        return;
      case 'openCode':
        this.host.openCode(message.unit);
        return;
      case 'openPage':
        this.host.openPage(message.unit);
        return;
      case 'showSteps':
        this.host.showSteps(message.unit);
        return;
    }
  }

  private fold(stage: string, open: boolean): void {
    if (open) this.opened.add(stage);
    else {
      this.opened.delete(stage);
      // What a search brought into sight must not keep a folded stage open.
      const map = this.host.map();
      const members = map?.stages
        .filter((one) => one.id === stage || stage === foldersStage)
        .flatMap((one) => one.units);
      for (const unit of members ?? []) this.wanted.delete(unit);
    }
    this.refresh();
  }

  private want(unit: string): void {
    this.wanted.add(unit);
    this.refresh();
  }

  private search(request: number, text: string): void {
    const map = this.host.map();
    if (!map) {
      this.host.post({ type: 'found', request, matches: [], total: 0 });
      return;
    }
    const finder = UnitFinder.of(map);
    const found = searchUnits(map.units, text);
    const matches = found.slice(0, matchesShown).map(
      (unit): MapMatch => ({
        unit: unit.id,
        title: unit.title,
        stage: finder.stageOf(unit)?.title ?? unit.stage,
        detail: placeOf(unit.sites[0]!),
      }),
    );
    this.host.post({ type: 'found', request, matches, total: found.length });
  }

  private async addUpCosts(map: BehaviourMap): Promise<void> {
    this.addingFor = map;
    try {
      const costs = await this.host.costs();
      if (this.host.map() !== map) return;
      this.costsOf = { map, costs: new Map(costs.map((cost) => [cost.unit, cost])) };
    } catch (error) {
      this.costsAsked = false;
      this.host.failed(error);
    } finally {
      if (this.addingFor === map) this.addingFor = null;
    }
    this.refresh();
  }
}
