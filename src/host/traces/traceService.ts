import type { TraceRun } from '../../core/traces/model';
import { Emitter } from '../disposable';
import type { HarnessService } from '../harness/harnessService';
import type { Log } from '../log';
import type { Catalog, Diagnosis } from '../work/methods';
import type { Work } from '../work/workClient';

const nothingKnown: Diagnosis = { touches: [], findings: [], flaws: [] };

/** The traces of the harness, and what they say about its code. Loaded on first use. */
export class TraceService {
  private catalogOf: { root: string; catalog: Catalog } | null = null;
  private diagnosisOf: { root: string; diagnosis: Diagnosis } | null = null;
  private loading: Promise<Catalog | null> | null = null;
  private diagnosing: Promise<void> | null = null;
  private asked = new AbortController();
  private readonly changes = new Emitter<void>((error) => this.log.error('A view could not follow the traces', error));
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly work: Work,
    private readonly harness: HarnessService,
    private readonly log: Log,
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

  run(id: string): TraceRun | undefined {
    return this.catalog?.runs.find((run) => run.id === id);
  }

  /** Loads catalog and diagnosis unless done; resolves when both are there. */
  async ensure(): Promise<void> {
    await this.harness.ensure();
    if (!this.catalog) await this.refresh();
    else await this.diagnosing;
  }

  /** Reads the catalog again, then recomputes links and findings. */
  async refresh(): Promise<void> {
    const root = this.harness.root;
    if (!root) return;
    this.loading ??= this.load(root, () => this.work.call('loadCatalog', { root }));
    if (await this.loading) await this.diagnose();
  }

  /** Adds files and folders to the catalog. Returns how many runs and unknown files it has then. */
  async import(paths: string[], signal: AbortSignal): Promise<Catalog | null> {
    const root = this.harness.root;
    if (!root) return null;
    const catalog = await this.load(root, () => this.work.call('importTraces', { root, paths }, { signal }));
    await this.diagnose();
    return catalog;
  }

  private async load(root: string, read: () => Promise<Catalog>): Promise<Catalog | null> {
    this.changes.fire();
    try {
      const catalog = await read();
      this.catalogOf = { root, catalog };
      return catalog;
    } catch (error) {
      this.log.error('The traces could not be read', error);
      throw error;
    } finally {
      this.loading = null;
      this.changes.fire();
    }
  }

  /** Asks anew and gives up the question before: only an answer on the newest source counts. */
  private async diagnose(): Promise<void> {
    const root = this.harness.root;
    if (!root || this.harness.get().status !== 'ready') return;
    this.asked.abort();
    const asked = new AbortController();
    this.asked = asked;
    this.diagnosing = this.work
      .call('diagnose', { root }, { signal: asked.signal })
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
    this.catalogOf = null;
    this.diagnosisOf = null;
    this.changes.fire();
  }
}
