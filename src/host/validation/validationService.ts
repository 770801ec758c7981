import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { EnvironmentError, InputError } from '../../core/errors';
import type { RunManifest, Trial } from '../../core/validation/model';
import { DisposableStore, Emitter } from '../disposable';
import type { HarnessService } from '../harness/harnessService';
import type { Log } from '../log';
import type { Params, Result } from '../work/methods';
import type { Work } from '../work/workClient';
import { isAlive, startRunner, stopRunner } from './runProcess';
import { type RunState, RunWatch } from './runWatch';

export interface ValidationRequest {
  suite: string;
  /** Null runs the baseline against itself. */
  proposal: string | null;
  trials: number | null;
  tasks: string[] | null;
}

export interface RunListener {
  onChange(state: RunState, newTrials: readonly Trial[]): void;
  onError(error: unknown): void;
}

/** Starts runs in processes of their own, follows them by their files, and stops them when asked. */
export class ValidationService extends DisposableStore {
  private readonly changes = this.add(new Emitter<string>((error) => this.log.error('A view missed a run', error)));
  /** Fires with the id of a run whose files changed. */
  readonly onDidChange = this.changes.event;

  constructor(
    private readonly work: Work,
    private readonly harness: HarnessService,
    private readonly cli: string,
    private readonly log: Log,
  ) {
    super();
  }

  /** Runs of the harness, newest first. */
  async runs(): Promise<RunManifest[]> {
    const root = this.harness.root;
    return root ? this.work.call('listRuns', { root }) : [];
  }

  /** Runs of a suite with verdict, cost and lineage, newest first. */
  async history(suite: string): Promise<Result<'runHistory'>> {
    const root = this.harness.root;
    return root ? this.work.call('runHistory', { root, suite }) : [];
  }

  /** Records that a person goes against the verdict of a run. */
  async override(run: string, reason: string): Promise<void> {
    await this.work.call('overrideRun', { root: this.harnessRoot(), run, reason });
    this.changes.fire(run);
  }

  /** Plans more repeats of a finished run; `start` makes them. */
  async extend(run: string, repeats: number): Promise<void> {
    await this.work.call('extendRun', { root: this.harnessRoot(), run, repeats });
  }

  /** A run written down, or its comparison with another one. */
  report(run: string, against: string | null, format: Params<'writeReport'>['format']): Promise<string> {
    return this.work.call('writeReport', { root: this.harnessRoot(), run, against, format });
  }

  private harnessRoot(): string {
    if (this.harness.root) return this.harness.root;
    throw new InputError('There is no harness in this window.', { code: 'no-harness', nextStep: 'Open one.' });
  }

  read(run: string): Promise<RunState> {
    const root = this.harness.root;
    if (!root)
      throw new InputError('There is no harness in this window.', { code: 'no-harness', nextStep: 'Open one.' });
    return this.work.call('judgeRun', { root, run });
  }

  /** Fixes a run: commits, tasks, rule. Nothing is run yet. */
  async create(request: ValidationRequest): Promise<RunManifest> {
    const root = this.harness.root;
    if (!root)
      throw new InputError('There is no harness in this window.', { code: 'no-harness', nextStep: 'Open one.' });
    return this.work.call('createRun', { root, ...request });
  }

  /** Starts a runner for what is missing of a run. */
  async start(run: string): Promise<void> {
    const root = this.harness.root;
    const { runner, folder } = await this.read(run);
    if (!root || runner !== null) return;
    const pid = await startRunner({ cli: this.cli, root, run, folder });
    this.log.info(`Run ${run} is carried out by process ${pid}; its output is in ${join(folder, 'runner.log')}`);
    this.pids.set(run, pid);
  }

  private readonly pids = new Map<string, number>();

  /** Follows a run to its end. Rejects when its runner ended without finishing. */
  async follow(run: string, listener: RunListener): Promise<void> {
    const { folder } = await this.read(run);
    const watch = this.add({ dispose: () => inner.stop() });
    const inner: RunWatch = new RunWatch({
      folder,
      read: () => this.read(run),
      onChange: (state, trials) => {
        listener.onChange(state, trials);
        this.changes.fire(run);
        const pid = this.pids.get(run);
        const gone = state.manifest.state === 'interrupted' && state.runner === null && (!pid || !isAlive(pid));
        if (gone) {
          inner.stop();
          void this.explain(run, folder).then(listener.onError);
        }
      },
      onError: listener.onError,
    });
    await inner.ended;
    watch.dispose();
    this.pids.delete(run);
  }

  /** Stops a run; what is finished is kept and the rest can be resumed. */
  async cancel(run: string): Promise<void> {
    const root = this.harness.root;
    const { runner } = await this.read(run);
    const pid = runner ?? this.pids.get(run);
    if (root && pid) await this.work.call('cancelRun', { root, run });
    if (pid) await stopRunner(pid);
  }

  private async explain(run: string, folder: string): Promise<EnvironmentError> {
    const text = await readFile(join(folder, 'runner.log'), 'utf8').catch(() => '');
    const last = text.trim().split('\n').slice(-3).join(' ').slice(-600);
    return new EnvironmentError(`Run ${run} ended before its trials were done.${last ? ` It said: ${last}` : ''}`, {
      code: 'runner-ended',
      nextStep: 'Run "Harnessmith: Resume a Run"; finished trials are kept.',
    });
  }
}
