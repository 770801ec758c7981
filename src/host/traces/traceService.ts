import type { ProgressReport, WorkOptions } from '../../core/progress';
import type { TraceRun } from '../../core/traces/model';
import { Emitter } from '../disposable';
import type { HarnessService } from '../harness/harnessService';
import type { StepTarget } from '../ids';
import type { Log } from '../log';
import type { Catalog, Diagnosis } from '../work/methods';
import type { Work } from '../work/workClient';

const nothingKnown: Diagnosis = { touches: [], findings: [], flaws: [], skipped: [] };

/** Shows how far long work is in the view of the traces; returns what `task` returns. */
export type ShowProgress = <T>(
  title: string,
  task: (report: (report: ProgressReport) => void) => Promise<T>,
) => Promise<T>;

/** The traces of the harness, and what they say about its code. Loaded on first use. */
export class TraceService {
  private catalogOf: { root: string; catalog: Catalog } | null = null;
  private diagnosisOf: { root: string; diagnosis: Diagnosis } | null = null;
  private loading: Promise<Catalog | null> | null = null;
  private reading = new AbortController();
  /** Root of the newest reading. */
  private readingOf: string | null = null;
  private diagnosing: Promise<void> | null = null;
  private asked = new AbortController();
  private readonly changes = new Emitter<void>((error) => this.log.error('A view could not follow the traces', error));
  readonly onDidChange = this.changes.event;
  private readonly stops = new Emitter<StepTarget>((error) => this.log.error('A page could not follow', error));
  /** A step is looked at elsewhere, so that a page that shows its run goes there too. */
  readonly onDidStopAt = this.stops.event;

  constructor(
    private readonly work: Work,
    private readonly harness: HarnessService,
    private readonly log: Log,
    private readonly show: ShowProgress = (_title, task) => task(() => {}),
  ) {
    harness.onDidChange((state) => {
      // A new map moves sites and units; what was said about old ones no longer holds.
      if (state.status === 'ready' && this.catalogOf) void this.diagnose();
      if ('root' in state && this.catalogOf && this.catalogOf.root !== state.root) this.forget();
    });
  }

  /** Null until loaded. */
  get catalog(): Catalog | null {
    return this.catalogOf && this.catalogOf.root === this.harness.root ? this.catalogOf.catalog : null;
  }

  /** Empty until computed. */
  get diagnosis(): Diagnosis {
    return this.diagnosisOf && this.diagnosisOf.root === this.harness.root ? this.diagnosisOf.diagnosis : nothingKnown;
  }

  get isLoading(): boolean {
    return this.loading !== null;
  }

  stopAt(target: StepTarget): void {
    this.stops.fire(target);
  }

  run(id: string): TraceRun | undefined {
    return this.catalog?.runs.find((run) => run.id === id);
  }

  /** Loads catalog and diagnosis unless done; resolves when both are there. */
  async ensure(): Promise<void> {
    await this.harness.ensure();
    if (this.catalog) return void (await this.diagnosing);
    if (!this.loading || this.readingOf !== this.harness.root) return this.refresh();
    await this.loading;
    await this.diagnosing;
  }

  /** Reads the catalog again, then recomputes links and findings. A reading under way is given up for it. */
  async refresh(): Promise<void> {
    const root = this.harness.root;
    if (root && (await this.load(root))) await this.diagnose();
  }

  /** Adds files and folders to the catalog. Returns how many runs and unknown files it has then. */
  async import(paths: string[], options: WorkOptions): Promise<Catalog | null> {
    const root = this.harness.root;
    if (!root) return null;
    const catalog = await this.work.call('importTraces', { root, paths }, options);
    // It holds what a reading that began before would find, and more.
    this.reading.abort();
    this.catalogOf = { root, catalog };
    this.changes.fire();
    await this.diagnose();
    return catalog;
  }

  /** The catalog, of the newest reading if several were asked for; null when it was given up for an import. */
  private load(root: string): Promise<Catalog | null> {
    this.reading.abort();
    const reading = new AbortController();
    this.reading = reading;
    this.readingOf = root;
    const loading = this.read(root, reading).finally(() => {
      if (this.loading === loading) this.loading = null;
      this.changes.fire();
    });
    this.loading = loading;
    this.changes.fire();
    return loading;
  }

  private async read(root: string, reading: AbortController): Promise<Catalog | null> {
    const { signal } = reading;
    try {
      const catalog = await this.show('Reading the traces', (progress) =>
        this.work.call('loadCatalog', { root }, { progress, signal }),
      );
      if (!signal.aborted) this.catalogOf = { root, catalog };
    } catch (error) {
      if (!signal.aborted) {
        this.log.error('The traces could not be read', error);
        throw error;
      }
    }
    return this.reading === reading ? this.catalog : this.loading;
  }

  /** Asks anew and gives up the question before: only an answer on the newest source counts. */
  private async diagnose(): Promise<void> {
    const root = this.harness.root;
    if (!root || this.harness.get().status !== 'ready') return;
    this.asked.abort();
    const asked = new AbortController();
    this.asked = asked;
    this.diagnosing = this.show('Linking traces to code', (progress) =>
      this.work.call('diagnose', { root }, { progress, signal: asked.signal }),
    )
      .then((diagnosis) => {
        if (asked.signal.aborted) return;
        this.diagnosisOf = { root, diagnosis };
        this.changes.fire();
      })
      .catch((error: unknown) => {
        if (!asked.signal.aborted) this.log.error('Links and findings could not be computed', error);
      })
      .then(() => (this.asked === asked ? undefined : this.diagnosing))
      .then(() => undefined);
    await this.diagnosing;
  }

  private forget(): void {
    this.reading.abort();
    this.asked.abort();
    this.catalogOf = null;
    this.diagnosisOf = null;
    this.changes.fire();
  }
}
