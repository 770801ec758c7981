import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Trial } from '../../core/validation/model';
import type { Result } from '../work/methods';

export type RunState = Result<'judgeRun'>;

export interface RunWatchOptions {
  /** Folder of the run. */
  folder: string;
  read(): Promise<RunState>;
  onChange(state: RunState, newTrials: readonly Trial[]): void;
  onError(error: unknown): void;
  /** How often the files are looked at, in milliseconds. */
  every?: number;
}

/** Follows a run by its files, so it does not matter which process or window started it. Ends itself with the run. */
export class RunWatch {
  private timer: NodeJS.Timeout | undefined;
  private seen = '';
  private readonly known = new Set<string>();
  private stopped = false;
  readonly ended: Promise<void>;
  private end: () => void = () => {};

  constructor(private readonly options: RunWatchOptions) {
    this.ended = new Promise((resolve) => {
      this.end = resolve;
    });
    void this.look();
  }

  stop(): void {
    this.stopped = true;
    clearTimeout(this.timer);
    this.end();
  }

  private async look(): Promise<void> {
    try {
      const mark = await this.mark();
      if (mark !== this.seen) {
        this.seen = mark;
        await this.report();
      }
    } catch (error) {
      this.options.onError(error);
    }
    if (!this.stopped) this.timer = setTimeout(() => void this.look(), this.options.every ?? 500);
  }

  private async report(): Promise<void> {
    const state = await this.options.read();
    if (this.stopped) return;
    const key = (trial: Trial) => `${trial.task}\n${trial.arm}\n${trial.repeat}\n${trial.started}`;
    const fresh = state.trials.filter((trial) => !this.known.has(key(trial)));
    for (const trial of fresh) this.known.add(key(trial));
    this.options.onChange(state, fresh);
    if (state.manifest.state === 'finished' || state.manifest.state === 'cancelled') this.stop();
    // An interrupted run is either not started yet or its runner died: look again even if no file changes.
    if (state.manifest.state === 'interrupted') this.seen = '';
  }

  /** Size and time of the files that change while a run is under way. */
  private async mark(): Promise<string> {
    const files = ['manifest.json', 'trials.jsonl', 'verdict.json'];
    const facts = files.map(async (name) => {
      const found = await stat(join(this.options.folder, name)).catch(() => null);
      return found ? `${found.size}:${found.mtimeMs}` : '-';
    });
    return (await Promise.all(facts)).join(' ');
  }
}
