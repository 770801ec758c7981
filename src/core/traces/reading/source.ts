import { type FileHandle, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { InputError, messageOf } from '../../errors';
import { Archive } from './archive';
import { type LenientValue, parseLenient } from './lenientJson';

/** A piece of a file, in bytes. */
export interface ByteRange {
  offset: number;
  length: number;
  /** Where it lies when not in the file itself: a member of the archive, or a file named relative to its folder. */
  part?: string;
}

/** Largest single record that is held and parsed. Longer ones are reported, not read. */
export const RECORD_CAP = 32 * 1024 * 1024;

const WINDOW = 1024 * 1024;

/** Bytes before the end that must be the same after the file grew. */
const TAIL = 256;

/** Parts that stay open at a time; steps near each other lie in the same part. */
const PARTS_OPEN = 8;

/** Random access to one trace file, with one read-ahead window; nothing else of the file is held. */
export class TraceSource {
  private window: Buffer = Buffer.alloc(0);
  private windowStart = 0;
  private zip: Archive | null = null;
  private readonly parts = new Map<string, TraceSource>();

  private constructor(
    readonly file: string,
    private length: number,
    private modified: number,
    /** Null for the bytes of an archive's member, which are held whole. */
    private readonly handle: FileHandle | null,
    private readonly readAhead = WINDOW,
  ) {}

  /** Bytes of the file as far as they are known; more once {@link growTo} was called. */
  get size(): number {
    return this.length;
  }

  /** Set while the end of the file is no end: whoever reads to it waits for more. */
  private waiting: { wake(more: boolean): void } | null = null;
  private waits: (() => void) | null = null;

  private static ofBytes(file: string, bytes: Buffer): TraceSource {
    const source = new TraceSource(file, bytes.length, 0, null);
    source.window = bytes;
    return source;
  }

  /**
   * Opens a file for reading, at least `readAhead` bytes at a time. Throws {@link InputError} `trace-unreadable` when that
   * fails or it is no file.
   */
  static async open(file: string, readAhead = WINDOW): Promise<TraceSource> {
    let handle: FileHandle | undefined;
    try {
      handle = await open(file, 'r');
      const stats = await handle.stat();
      if (!stats.isFile()) throw new Error('it is not a regular file');
      return new TraceSource(file, stats.size, stats.mtimeMs, handle, readAhead);
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
    const inside = this.handle === null || (offset >= this.windowStart && end <= this.windowStart + this.window.length);
    if (!inside && this.handle !== null) {
      const target = Buffer.allocUnsafe(Math.min(Math.max(end - offset, this.readAhead), this.size - offset));
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
    for (let offset = 0; ; ) {
      if (offset >= this.size && !(await this.more())) return;
      const bytes = await this.read(offset, WINDOW);
      if (bytes.length === 0) {
        if (await this.more()) continue;
        return;
      }
      yield { offset, bytes };
      offset += bytes.length;
    }
  }

  /** The archive this file is. Throws {@link InputError} when it is none or damaged. */
  async archive(): Promise<Archive> {
    this.zip ??= await Archive.open(this.file);
    return this.zip;
  }

  /**
   * A part of the trace that lies elsewhere: a member of this archive, or another file named relative to this one's
   * folder. The part is closed with this source. Throws {@link InputError} when it cannot be read.
   */
  async part(name: string): Promise<TraceSource> {
    const known = this.parts.get(name);
    if (known !== undefined) return known;
    const opened =
      this.zip === null
        ? await TraceSource.open(resolve(dirname(this.file), name))
        : TraceSource.ofBytes(this.file, await this.zip.bytes(name));
    // The oldest goes first; bytes of archive members are held whole.
    const limit = this.zip === null ? PARTS_OPEN : 2;
    for (const [oldest, source] of this.parts) {
      if (this.parts.size < limit) break;
      this.parts.delete(oldest);
      await source.close();
    }
    this.parts.set(name, opened);
    return opened;
  }

  /** The range of a part as a whole. Throws as {@link part} does. */
  async whole(part: string): Promise<ByteRange> {
    return { offset: 0, length: (await this.part(part)).size, part };
  }

  /** The text of a range, as UTF-8. */
  async text(range: ByteRange): Promise<string> {
    const held = range.part === undefined ? this : await this.part(range.part);
    return (await held.read(range.offset, range.length)).toString('utf8');
  }

  /** The JSON value of a range; null when it is over {@link RECORD_CAP} or no JSON. */
  async value(range: ByteRange): Promise<LenientValue | null> {
    if (range.length > RECORD_CAP) return null;
    const text = await this.text(range);
    // Files that are one record each may begin with a byte order mark.
    return parseLenient(range.offset === 0 && text.startsWith('\ufeff') ? text.slice(1) : text);
  }

  /** True when the file is no longer the one that was opened: it grew, shrank or was written again. */
  async changed(): Promise<boolean> {
    const stats = await this.handle?.stat();
    return stats !== undefined && (stats.size !== this.size || stats.mtimeMs !== this.modified);
  }

  /** From now on the end of the file is waited at instead of ending {@link chunks}; `atEnd` is called each time. */
  waitAtEnd(atEnd: () => void): void {
    this.waits = atEnd;
  }

  stopWaiting(): void {
    this.waits = null;
    this.waiting?.wake(false);
    this.waiting = null;
  }

  private more(): Promise<boolean> {
    const { waits } = this;
    if (!waits) return Promise.resolve(false);
    return new Promise((resolve) => {
      this.waiting = { wake: resolve };
      waits();
    });
  }

  /** Whether the file of this name is still the one that is open. */
  async isFile(stats: { ino: number; dev: number }): Promise<boolean> {
    const open = await this.handle?.stat();
    return open !== undefined && open.ino === stats.ino && open.dev === stats.dev;
  }

  /** Takes what was added to the file into account; false when what was there before is no longer the same. */
  async growTo({ size, mtimeMs }: { size: number; mtimeMs: number }): Promise<boolean> {
    if (this.handle === null || size < this.length) return false;
    const known = this.window.subarray(Math.max(0, this.window.length - TAIL));
    const at = this.windowStart + this.window.length - known.length;
    const again = Buffer.alloc(known.length);
    const { bytesRead } = await this.handle.read(again, 0, again.length, at);
    if (bytesRead < known.length || !again.equals(known)) return false;
    this.length = size;
    this.modified = mtimeMs;
    this.waiting?.wake(true);
    this.waiting = null;
    return true;
  }

  async close(): Promise<void> {
    this.window = Buffer.alloc(0);
    for (const part of this.parts.values()) await part.close();
    this.parts.clear();
    this.zip?.close();
    await this.handle?.close();
  }
}
