import { throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import type { ByteRange, TraceSource } from './source';
import { QUOTE, StringWalk } from './stringWalk';

export interface DocumentMember extends ByteRange {
  key: string;
  /** False when the file ends inside this value. */
  complete: boolean;
  /** Byte ranges of the elements when the value is a list; complete ones only. */
  elements: ByteRange[] | null;
}

/** Where things stand in one JSON document, found without parsing its values. */
export interface JsonDocument {
  root: 'object' | 'list';
  /** Members of the root object; for a root list one member with an empty key. */
  members: DocumentMember[];
  /** Where the document itself stands: without a byte order mark before it and without what follows it. */
  place: ByteRange;
  /** False when the file ends before the document does. */
  complete: boolean;
  /** True when something other than white space follows the document. */
  more: boolean;
}

/** Finds a member by key; the last one wins, as in `JSON.parse`. */
export function memberOf(document: JsonDocument, key: string): DocumentMember | undefined {
  return document.members.findLast((member) => member.key === key);
}

/**
 * Walks one JSON document byte by byte and notes the ranges of the root's members and of the elements of lists
 * directly below the root, so that a large list of steps can be read one element at a time. Memory grows with the
 * number of elements only. Returns null when the file does not start with an object or a list.
 */
export async function scanDocument(source: TraceSource, work: WorkOptions = {}): Promise<JsonDocument | null> {
  const scanner = new DocumentScanner();
  for await (const { offset, bytes } of source.chunks()) {
    throwIfCancelled(work.signal, 'Reading the trace');
    if (!scanner.feed(bytes, offset)) break;
  }
  return scanner.finish(source.size);
}

const COMMA = 0x2c;
const COLON = 0x3a;

class DocumentScanner {
  private root: 'object' | 'list' | null = null;
  private ended = false;
  private more = false;
  private failed = false;
  private depth = 0;
  private readonly string = new StringWalk();
  private afterColon = false;
  private member: DocumentMember | null = null;
  private elementStart = -1;
  private start = 0;
  private lastSolid = 0;
  private readonly members: DocumentMember[] = [];

  /** Returns false once nothing more can be learned. */
  feed(bytes: Buffer, base: number): boolean {
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index] ?? 0;
      if (this.string.inside) {
        index = this.string.pass(bytes, index);
        if (!this.string.inside) this.lastSolid = base + index + 1;
        continue;
      }
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      if (!this.structure(byte, base + index)) return false;
    }
    return true;
  }

  finish(size: number): JsonDocument | null {
    if (this.root === null || this.failed) return null;
    if (this.member !== null) {
      this.member.length = size - this.member.offset;
      this.member.complete = false;
      this.members.push(this.member);
    }
    const place = { offset: this.start, length: (this.ended ? this.lastSolid : size) - this.start };
    return { root: this.root, members: this.members, place, complete: this.ended, more: this.more };
  }

  private structure(byte: number, at: number): boolean {
    if (this.ended) {
      this.more = true;
      return false;
    }
    if (this.root === null) {
      if (byte === 0xef || byte === 0xbb || byte === 0xbf) return true; // byte order mark
      if (byte !== 0x7b && byte !== 0x5b) {
        this.failed = true;
        return false;
      }
      this.root = byte === 0x7b ? 'object' : 'list';
      this.start = at;
      this.depth = 1;
      if (this.root === 'list') this.member = { key: '', offset: at, length: 0, complete: true, elements: [] };
      return true;
    }
    if (byte === QUOTE) {
      this.beginValue(at, false);
      this.string.begin(this.root === 'object' && this.depth === 1 && !this.afterColon);
    } else if (byte === 0x7b || byte === 0x5b) {
      this.beginValue(at, byte === 0x5b);
      this.depth += 1;
    } else if (byte === 0x7d || byte === 0x5d) this.close(at);
    else if (byte === COMMA) this.separate();
    else if (byte === COLON && this.depth === 1) this.afterColon = true;
    else {
      this.beginValue(at, false);
      this.lastSolid = at + 1;
    }
    return true;
  }

  /** Depth at which elements of the list being noted stand. */
  private elementDepth(): number {
    return this.root === 'list' ? 1 : 2;
  }

  private beginValue(at: number, list: boolean): void {
    if (this.root === 'object' && this.depth === 1 && this.afterColon && this.member === null) {
      this.member = { key: this.string.key, offset: at, length: 0, complete: true, elements: list ? [] : null };
    } else if (this.depth === this.elementDepth() && this.elementStart < 0 && this.member?.elements) {
      this.elementStart = at;
    }
  }

  private close(at: number): void {
    if (this.depth === this.elementDepth()) this.endElement();
    this.depth -= 1;
    // The last member of an object ends before the closing brace, a root list with its bracket.
    if (this.depth === 0 && this.root === 'object') this.endMember();
    this.lastSolid = at + 1;
    if (this.depth > 0) return;
    this.endMember();
    this.ended = true;
  }

  private separate(): void {
    if (this.depth === this.elementDepth()) this.endElement();
    if (this.depth === 1 && this.root === 'object') this.endMember();
  }

  private endElement(): void {
    if (this.elementStart < 0) return;
    this.member?.elements?.push({ offset: this.elementStart, length: this.lastSolid - this.elementStart });
    this.elementStart = -1;
  }

  private endMember(): void {
    this.afterColon = false;
    if (this.member === null) return;
    this.member.length = this.lastSolid - this.member.offset;
    this.members.push(this.member);
    this.member = null;
  }
}
