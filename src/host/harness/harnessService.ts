import type { BehaviourMap } from '../../core/handbook/model';
import type { ProgressReport } from '../../core/progress';
import { Emitter } from '../disposable';
import type { Log } from '../log';
import { userMessage } from '../log';
import type { HarnessHead } from '../work/methods';
import type { Work } from '../work/workClient';
import { chooseHarness, type FolderFact } from './harnessChoice';

/** What the service needs from the editor. */
export interface HarnessHost {
  folders(): Promise<FolderFact[]>;
  remembered(): string | undefined;
  remember(root: string): void;
  /** Shows how far long work is, with a way to cancel it where the person asked for it; returns what `task` returns. */
  withProgress<T>(
    title: string,
    task: (report: (report: ProgressReport) => void, signal: AbortSignal) => Promise<T>,
    asked: boolean,
  ): Promise<T>;
}

export type HarnessState =
  | { status: 'idle' }
  | { status: 'none'; reason: 'noFolder' | 'ambiguous' }
  | { status: 'indexing'; root: string; name: string; head: HarnessHead | null; map: BehaviourMap | null }
  | { status: 'ready'; root: string; head: HarnessHead; map: BehaviourMap; refreshedAt: number; seconds: number }
  | { status: 'error'; root: string; message: string; nextStep: string | null };

/** The one harness of the window: which folder, and its behaviour map. Nothing is read before `ensure`. */
export class HarnessService {
  private state: HarnessState = { status: 'idle' };
  private readonly changes: Emitter<HarnessState>;
  readonly onDidChange: Emitter<HarnessState>['event'];
  private current: Promise<void> | null = null;
  private again = false;
  private generation = 0;
  private asked = false;
  /** Files saved since the last run; null when any may have changed. */
  private saved: Set<string> | null = null;
  /** The newest map with what the worker knows it by. */
  private held: { map: BehaviourMap; fingerprint: string } | null = null;
  private indexing = new AbortController();

  constructor(
    private readonly work: Work,
    private readonly host: HarnessHost,
    private readonly log: Log,
  ) {
    this.changes = new Emitter((error) => log.error('A view could not follow the harness', error));
    this.onDidChange = this.changes.event;
  }

  get(): HarnessState {
    return this.state;
  }

  /** Root of the chosen harness, or null before one is chosen. */
  get root(): string | null {
    return 'root' in this.state ? this.state.root : null;
  }

  get map(): BehaviourMap | null {
    return 'map' in this.state ? this.state.map : null;
  }

  get head(): HarnessHead | null {
    return 'head' in this.state ? this.state.head : null;
  }

  /**
   * Finds and indexes the harness on first use. Failures become the state, never an exception, and are tried again
   * only by `refresh`: what failed once would fail for every view that asks.
   */
  ensure(): Promise<void> {
    if (this.current) return this.current;
    return this.state.status === 'idle' ? this.start() : Promise.resolve();
  }

  /**
   * Indexes again; only changed files are read. Requests during a run are folded into one more run. `asked` says that a
   * person wants it now, and so gets to see it and may cancel it.
   *
   * @param saved paths of the only files that changed, relative to the root
   */
  refresh(asked = false, saved?: readonly string[]): Promise<void> {
    this.asked ||= asked;
    if (!saved) this.saved = null;
    for (const path of saved ?? []) this.saved?.add(path);
    if (this.current) {
      this.again = true;
      return this.current;
    }
    return this.start();
  }

  /** Ends the indexing under way, and what was to follow it. False when there is none. */
  cancel(): boolean {
    if (!this.current) return false;
    this.again = false;
    this.asked = false;
    this.indexing.abort();
    return true;
  }

  /** Takes another folder and remembers it. Work on the folder before is given up. */
  async choose(root: string): Promise<void> {
    this.host.remember(root);
    this.indexing.abort();
    this.generation++;
    this.again = false;
    this.saved = null;
    this.current = null;
    await this.start();
  }

  private start(): Promise<void> {
    const generation = this.generation;
    const run = this.load(generation).finally(() => {
      if (generation !== this.generation) return;
      this.current = null;
      if (!this.again) return;
      this.again = false;
      return this.start();
    });
    this.current = run;
    return run;
  }

  private async load(generation: number): Promise<void> {
    const { asked } = this;
    this.asked = false;
    const saved = this.saved ? [...this.saved] : undefined;
    this.saved = new Set();
    const indexing = new AbortController();
    this.indexing = indexing;
    const choice = chooseHarness(await this.host.folders(), this.host.remembered());
    if (choice.kind !== 'chosen') {
      this.set(generation, { status: 'none', reason: choice.kind });
      return;
    }
    const { root, name } = choice.folder;
    const previous = this.root === root ? this.map : null;
    const before = this.state;
    const held = this.held?.map === previous ? this.held : null;
    this.set(generation, { status: 'indexing', root, name, head: this.head, map: previous });
    try {
      const head = await this.work.call('openHarness', { root }, { signal: indexing.signal });
      this.set(generation, { status: 'indexing', root, name: head.name, head, map: previous });
      const built = await this.host.withProgress(
        `Indexing ${head.name}`,
        (progress, signal) => {
          const either = AbortSignal.any([signal, indexing.signal]);
          const known = held?.fingerprint ?? null;
          return this.work.call(
            'buildHandbook',
            { root, known, ...(saved ? { saved } : {}) },
            { progress, signal: either },
          );
        },
        asked,
      );
      const map = built.map ?? held?.map;
      if (!map) throw new Error('The worker sent no map, and there is none from before.');
      if (generation === this.generation) this.held = { map, fingerprint: built.fingerprint };
      this.set(generation, {
        status: 'ready',
        root,
        head,
        map,
        refreshedAt: Date.now(),
        seconds: built.seconds,
      });
      this.log.info(
        `Indexed ${head.name}: ${built.files} files, ${built.parsed} parsed, ${built.seconds.toFixed(2)} s`,
      );
    } catch (error) {
      this.log.error(`Indexing of ${root} ended`, error);
      this.saved = null;
      const message = userMessage(error);
      // A cancelled refresh leaves the handbook as it was.
      if (!message && before.status === 'ready' && before.root === root) return this.set(generation, before);
      this.set(generation, {
        status: 'error',
        root,
        message: message?.text ?? 'Indexing was cancelled.',
        nextStep: message ? message.nextStep : 'Refresh the handbook to start again.',
      });
    }
  }

  /** Results of a harness that is no longer the chosen one are dropped. */
  private set(generation: number, state: HarnessState): void {
    if (generation !== this.generation) return;
    this.state = state;
    this.changes.fire(state);
  }
}
