import { type FileHandle, open } from 'node:fs/promises';
import { InputError, messageOf } from '../../errors';
import { type LenientValue, parseLenient } from './lenientJson';

/** A piece of a file, in bytes. */
export interface ByteRange {
  offset: number;
  length: number;
}

/** Largest single record that is held and parsed. Longer ones are reported, not read. */
export const RECORD_CAP = 32 * 1024 * 1024;

const WINDOW = 1024 * 1024;

/** Random access to one trace file, with one read-ahead window; nothing else of the file is held. */
export class TraceSource {
  private window = Buffer.alloc(0);
  private windowStart = 0;

  private constructor(
    readonly file: string,
    readonly size: number,
    readonly mtimeMs: number,
    private readonly handle: FileHandle,
  ) {}

  /** Opens a file for reading. Throws {@link InputError} `trace-unreadable` when that fails or it is no file. */
  static async open(file: string): Promise<TraceSource> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(file, 'r');
      const stats = await handle.stat();
      if (!stats.isFile()) throw new Error('it is not a regular file');
      return new TraceSource(file, stats.size, stats.mtimeMs, handle);
    } catch (error) {
      await handle?.close();
      throw new InputError(`Cannot read the trace ${file}: ${messageOf(error)}.`, {
        code: 'trace-unreadable',
        nextStep: 'Check that the file exists and that you may read it.',
        cause: error,
      });
    }
  }

  /** The bytes of a range; shorter at the end of the file or when the file shrank meanwhile. */
  async read(offset: number, length: number): Promise<Buffer> {
    const end = Math.min(offset + length, this.size);
    if (end <= offset) return Buffer.alloc(0);
    const inside = offset >= this.windowStart && end <= this.windowStart + this.window.length;
    if (!inside) {
      const target = Buffer.allocUnsafe(Math.min(Math.max(end - offset, WINDOW), this.size - offset));
      let filled = 0;
      while (filled < target.length) {
        const { bytesRead } = await this.handle.read(target, filled, target.length - filled, offset + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      this.window = target.subarray(0, filled);
      this.windowStart = offset;
    }
    return this.window.subarray(offset - this.windowStart, end - this.windowStart);
  }

  /** The file in pieces of about 1 MB. */
  async *chunks(): AsyncGenerator<{ offset: number; bytes: Buffer }> {
    for (let offset = 0; offset < this.size; ) {
      const bytes = await this.read(offset, WINDOW);
      if (bytes.length === 0) return;
      yield { offset, bytes };
      offset += bytes.length;
    }
  }

  /** The text of a range, as UTF-8. */
  async text(range: ByteRange): Promise<string> {
    return (await this.read(range.offset, range.length)).toString('utf8');
  }

  /** The JSON value of a range; null when it is over {@link RECORD_CAP} or no JSON. */
  async value(range: ByteRange): Promise<LenientValue | null> {
    if (range.length > RECORD_CAP) return null;
    return parseLenient(await this.text(range));
  }

  async close(): Promise<void> {
    this.window = Buffer.alloc(0);
    await this.handle.close();
  }
}
