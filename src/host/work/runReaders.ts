import { stat } from 'node:fs/promises';
import { HarnessmithError, InputError } from '../../core/errors';
import type { WorkOptions } from '../../core/progress';
import { type FollowedTrace, followTrace, openTrace, type TraceReader, type TraceRun } from '../../core/traces';

/** Readers hold an offset table and a file handle each. */
const kept = 8;

/** Smaller files are read again when they grew: that takes a moment and shows their last record at once. */
const followedFrom = 8 * 1024 * 1024;

interface Opened {
  reader: Promise<TraceReader>;
  /** Size and time of the file when it was opened. */
  stamp: Promise<string>;
  followed: FollowedTrace | null;
}

/** The open traces of the worker, by run id; the ones used longest ago are closed first. */
export class RunReaders {
  private readonly readers = new Map<string, Opened>();
  private readonly runs = new Map<string, TraceRun>();
  /** Runs that were closed for others only; they are opened again when they are asked for. */
  private readonly rested = new Map<string, TraceRun>();

  /** Opens the run unless it is open already. Throws what the trace reader throws. */
  open(run: TraceRun, work: WorkOptions): Promise<TraceReader> {
    const known = this.readers.get(run.id);
    if (known) return this.touch(run.id, known);
    const opened = this.put(run, openTrace(run, work), null);
    for (const id of this.readers.keys()) {
      if (this.readers.size <= kept) break;
      void this.close(id);
      this.rested.set(id, this.runs.get(id)!);
    }
    return opened.reader;
  }

  /** The reader of an open run, or of one that rests. @throws InputError when it was closed. */
  get(id: string): Promise<TraceReader> {
    const known = this.readers.get(id);
    if (known) return this.touch(id, known);
    const rested = this.rested.get(id);
    if (rested) return this.open(rested, {});
    throw new InputError(`The trace ${id} is not open any more.`, {
      code: 'trace-closed',
      nextStep: 'Close its page and open it again.',
    });
  }

  /**
   * Takes in what was added to the file of an open run. A large file of one record a line is read on where it grew; any
   * other one is read again. Throws what the trace reader throws.
   */
  async grow(run: TraceRun, work: WorkOptions): Promise<'same' | 'grew'> {
    const known = this.readers.get(run.id);
    if (!known) return 'same';
    await known.reader;
    if (known.followed) {
      const growth = await known.followed.grow();
      if (growth === 'same') return 'same';
      if (growth === 'rewritten') await this.again(run, work);
      return 'grew';
    }
    if ((await known.stamp) === (await stampOf(run.file))) return 'same';
    const followed = await this.followed(run, known, work);
    if (followed) await this.replace(run, Promise.resolve(followed), followed);
    else await this.again(run, work);
    return 'grew';
  }

  /** Reads a followed run once more from the start, so that its last turn counts too. Nothing to do for other runs. */
  async settle(run: TraceRun, work: WorkOptions): Promise<'same' | 'grew'> {
    const known = this.readers.get(run.id);
    if (!known?.followed) return 'same';
    await this.again(run, work);
    return 'grew';
  }

  async close(id: string): Promise<void> {
    const known = this.readers.get(id);
    this.readers.delete(id);
    this.rested.delete(id);
    if (known) await (await known.reader).close();
  }

  /** Null when the file is small, or gives its steps only at its end. */
  private async followed(run: TraceRun, known: Opened, work: WorkOptions): Promise<FollowedTrace | null> {
    const { size } = await stat(run.file);
    if (size < followedFrom) return null;
    try {
      const followed = await followTrace(run, work);
      // One turn may still be open.
      if (followed.stepCount + 2 >= (await known.reader).stepCount) return followed;
      await followed.close();
      return null;
    } catch (error) {
      if (error instanceof HarnessmithError && error.code === 'trace-not-followed') return null;
      throw error;
    }
  }

  private again(run: TraceRun, work: WorkOptions): Promise<void> {
    return this.replace(run, openTrace(run, work), null);
  }

  /** The reader before is closed once the new one is there; a file that cannot be read now keeps the old one. */
  private async replace(run: TraceRun, next: Promise<TraceReader>, followed: FollowedTrace | null): Promise<void> {
    const reader = await next;
    const before = this.readers.get(run.id);
    this.put(run, Promise.resolve(reader), followed);
    if (before) await (await before.reader).close();
  }

  private put(run: TraceRun, reader: Promise<TraceReader>, followed: FollowedTrace | null): Opened {
    const opened = { reader, stamp: stampOf(run.file), followed };
    this.readers.set(run.id, opened);
    this.runs.set(run.id, run);
    this.rested.delete(run.id);
    reader.catch(() => {
      if (this.readers.get(run.id) === opened) this.readers.delete(run.id);
    });
    return opened;
  }

  private touch(id: string, opened: Opened): Promise<TraceReader> {
    this.readers.delete(id);
    this.readers.set(id, opened);
    return opened.reader;
  }
}

async function stampOf(file: string): Promise<string> {
  const stats = await stat(file).catch(() => null);
  return stats ? `${stats.size} ${stats.mtimeMs}` : 'gone';
}
