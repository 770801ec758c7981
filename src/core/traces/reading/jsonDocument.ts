import { throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import type { ByteRange, TraceSource } from './source';

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

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;

class DocumentScanner {
  private root: 'object' | 'list' | null = null;
  private ended = false;
  private more = false;
  private failed = false;
  private depth = 0;
  private inString = false;
  private escaped = false;
  private key: Buffer[] | null = null;
  private lastKey = '';
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
      if (this.inString) {
        index = this.passString(bytes, index, base);
        continue;
      }
      if (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) continue;
      if (!this.structure(byte, base + index)) return false;
    }
    return true;
  }

  /**
   * Goes to the end of a string and returns the last index looked at. Strings are most of a trace, so this loop touches
   * nothing but the bytes.
   */
  private passString(bytes: Buffer, from: number, base: number): number {
    let at = this.escaped ? from + 1 : from;
    while (at < bytes.length) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      at += byte === BACKSLASH ? 2 : 1;
    }
    // A backslash at the end of this piece speaks of the first byte of the next one.
    this.escaped = at > bytes.length;
    const end = Math.min(at, bytes.length);
    if (this.key !== null) this.key.push(bytes.subarray(from, end + 1));
    if (at < bytes.length) this.closeString(base + at);
    return end;
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
      this.inString = true;
      if (this.atKey()) this.key = [Buffer.from('"')];
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

  private atKey(): boolean {
    return this.root === 'object' && this.depth === 1 && !this.afterColon;
  }

  private beginValue(at: number, list: boolean): void {
    if (this.root === 'object' && this.depth === 1 && this.afterColon && this.member === null) {
      this.member = { key: this.lastKey, offset: at, length: 0, complete: true, elements: list ? [] : null };
    } else if (this.depth === this.elementDepth() && this.elementStart < 0 && this.member?.elements) {
      this.elementStart = at;
    }
  }

  private closeString(at: number): void {
    this.inString = false;
    this.lastSolid = at + 1;
    if (this.key === null) return;
    this.lastKey = String(JSON.parse(safeKey(Buffer.concat(this.key).toString('utf8'))));
    this.key = null;
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

function safeKey(quoted: string): string {
  try {
    JSON.parse(quoted);
    return quoted;
  } catch {
    return JSON.stringify(quoted);
  }
}
