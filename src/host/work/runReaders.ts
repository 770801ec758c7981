import { InputError } from '../../core/errors';
import type { WorkOptions } from '../../core/progress';
import { openTrace, type TraceReader, type TraceRun } from '../../core/traces';

/** Readers hold an offset table and a file handle each. */
const kept = 8;

/** The open traces of the worker, by run id; the ones used longest ago are closed first. */
export class RunReaders {
  private readonly readers = new Map<string, Promise<TraceReader>>();

  /** Opens the run unless it is open already. Throws what the trace reader throws. */
  open(run: TraceRun, work: WorkOptions): Promise<TraceReader> {
    const known = this.readers.get(run.id);
    if (known) return this.touch(run.id, known);
    const opening = openTrace(run, work);
    this.readers.set(run.id, opening);
    opening.catch(() => this.readers.delete(run.id));
    for (const id of this.readers.keys()) {
      if (this.readers.size <= kept) break;
      void this.close(id);
    }
    return opening;
  }

  /** The reader of an open run. @throws InputError when it is not open (any more). */
  get(id: string): Promise<TraceReader> {
    const known = this.readers.get(id);
    if (known) return this.touch(id, known);
    throw new InputError(`The trace ${id} is not open any more.`, {
      code: 'trace-closed',
      nextStep: 'Close its page and open it again.',
    });
  }

  async close(id: string): Promise<void> {
    const known = this.readers.get(id);
    this.readers.delete(id);
    if (known) await (await known).close();
  }

  private touch(id: string, reader: Promise<TraceReader>): Promise<TraceReader> {
    this.readers.delete(id);
    this.readers.set(id, reader);
    return reader;
  }
}
