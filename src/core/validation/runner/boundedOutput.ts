import { type FileHandle, open } from 'node:fs/promises';
import { EnvironmentError } from '../../errors';

const keptBytes = 64 * 1024;

/**
 * Log file of a process that may write any amount: the first and the last 64 KB are kept, with a line between them that
 * says how much was left out. Holds at most a few chunks in memory, however fast the process writes.
 */
export class BoundedOutput {
  private written = 0;
  private dropped = 0;
  private tail: Buffer[] = [];
  private tailBytes = 0;
  private pending: Promise<unknown> = Promise.resolve();

  private constructor(
    private readonly handle: FileHandle,
    private readonly file: string,
  ) {}

  /** Starts an empty log; the first part can be read while the process still runs. */
  static async open(file: string): Promise<BoundedOutput> {
    return new BoundedOutput(await open(file, 'w'), file);
  }

  write(chunk: Buffer): void {
    const room = keptBytes - this.written;
    const head = chunk.subarray(0, Math.max(0, room));
    if (head.length > 0) {
      this.written += head.length;
      this.pending = this.pending.then(() => this.handle.write(head));
      // The failure is reported by finish(); until then it must not count as unhandled.
      this.pending.catch(() => undefined);
    }
    this.keep(chunk.subarray(head.length));
  }

  private keep(chunk: Buffer): void {
    if (chunk.length === 0) return;
    this.tail.push(chunk);
    this.tailBytes += chunk.length;
    while (this.tailBytes > keptBytes) {
      const first = this.tail[0] as Buffer;
      const surplus = Math.min(first.length, this.tailBytes - keptBytes);
      if (surplus === first.length) this.tail.shift();
      else this.tail[0] = Buffer.from(first.subarray(surplus)); // a copy, so that the whole chunk can be freed
      this.tailBytes -= surplus;
      this.dropped += surplus;
    }
  }

  /** Writes the last part and closes the file. Returns the bytes that were left out. @throws EnvironmentError */
  async finish(): Promise<{ dropped: number }> {
    try {
      await this.pending;
      if (this.dropped > 0) await this.handle.write(`\n[... ${this.dropped} bytes left out ...]\n`);
      for (const chunk of this.tail) await this.handle.write(chunk);
    } catch (error) {
      throw new EnvironmentError(`${this.file} cannot be written.`, {
        code: 'write-failed',
        nextStep: 'Check the free space of its disk, then resume the run.',
        cause: error,
      });
    } finally {
      await this.handle.close();
    }
    return { dropped: this.dropped };
  }
}
