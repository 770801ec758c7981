import type { ByteRange, TraceSource } from './source';
import { QUOTE, StringWalk } from './stringWalk';

/** A value directly inside an object or a list: its key (the number of an element), and where it stands. */
export interface Child extends ByteRange {
  key: string;
  complete: boolean;
}

const PIECE = 1024 * 1024;

/**
 * The places of the values directly inside the object or list in `range`, found without parsing them: how a reader
 * goes down to one event of one sample in a large document. Memory grows with the number of values only. Empty when
 * there is no object or list. A value that the range ends in is told with `complete: false`.
 */
export async function childrenOf(source: TraceSource, range: ByteRange): Promise<Child[]> {
  const held = range.part === undefined ? source : await source.part(range.part);
  const walk = new ChildWalk(range.part);
  const end = Math.min(range.offset + range.length, held.size);
  for (let at = range.offset; at < end && !walk.ended; ) {
    const bytes = await held.read(at, Math.min(PIECE, end - at));
    if (bytes.length === 0) break;
    walk.feed(bytes, at);
    at += bytes.length;
  }
  return walk.finish(end);
}

/** The child with this key; the last one wins, as in `JSON.parse`. */
export function childOf(children: readonly Child[], key: string): Child | undefined {
  return children.findLast((child) => child.key === key);
}

/** The child's value, or undefined when it is missing, too large or no JSON. */
export async function childValue(source: TraceSource, children: readonly Child[], key: string): Promise<unknown> {
  const child = childOf(children, key);
  return child === undefined ? undefined : (await source.value(child))?.value;
}

class ChildWalk {
  ended = false;
  private depth = 0;
  private list = false;
  private readonly string = new StringWalk();
  private afterColon = false;
  private start = -1;
  private solid = 0;
  private readonly found: Child[] = [];

  constructor(private readonly part: string | undefined) {}

  feed(bytes: Buffer, base: number): void {
    for (let index = 0; index < bytes.length && !this.ended; index += 1) {
      if (this.string.inside) {
        index = this.string.pass(bytes, index);
        if (!this.string.inside) this.solid = base + index + 1;
        continue;
      }
      const byte = bytes[index] ?? 0;
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      this.structure(byte, base + index);
    }
  }

  finish(end: number): Child[] {
    if (this.start >= 0) this.add(end - this.start, false);
    return this.found;
  }

  private structure(byte: number, at: number): void {
    if (this.depth === 0) {
      if (byte === 0x7b || byte === 0x5b) [this.depth, this.list] = [1, byte === 0x5b];
      // A byte order mark may stand before a document; anything else is no object or list.
      else if (byte !== 0xef && byte !== 0xbb && byte !== 0xbf) this.ended = true;
    } else if (byte === QUOTE) {
      this.begin(at);
      this.string.begin(this.depth === 1 && !this.list && !this.afterColon);
    } else if (byte === 0x7b || byte === 0x5b) {
      this.begin(at);
      this.depth += 1;
    } else if (byte === 0x7d || byte === 0x5d) {
      this.depth -= 1;
      if (this.depth === 0) this.separate();
      this.ended = this.depth === 0;
      this.solid = at + 1;
    } else if (byte === 0x2c && this.depth === 1) this.separate();
    else if (byte === 0x3a && this.depth === 1) this.afterColon = true;
    else {
      this.begin(at);
      this.solid = at + 1;
    }
  }

  private begin(at: number): void {
    if (this.depth === 1 && this.start < 0 && (this.list || this.afterColon)) this.start = at;
  }

  private separate(): void {
    if (this.start >= 0) this.add(this.solid - this.start, true);
    this.start = -1;
    this.afterColon = false;
  }

  private add(length: number, complete: boolean): void {
    const key = this.list ? String(this.found.length) : this.string.key;
    const part = this.part === undefined ? {} : { part: this.part };
    this.found.push({ key, offset: this.start, length, complete, ...part });
  }
}
