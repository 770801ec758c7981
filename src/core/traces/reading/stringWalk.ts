import { parseLenient } from './lenientJson';

const BACKSLASH = 0x5c;

/** Starts and ends a string in JSON. */
export const QUOTE = 0x22;

/** Follows a JSON string through pieces of a file, and keeps its text where it is a key. */
export class StringWalk {
  inside = false;
  /** The text of the last key. */
  key = '';
  private escaped = false;
  private pieces: Buffer[] | null = null;

  /** Enters a string, after its opening quote. */
  begin(isKey: boolean): void {
    this.inside = true;
    this.pieces = isKey ? [] : null;
  }

  /**
   * Goes on to the end of the string or of this piece and returns the last index looked at. Strings are most of a trace,
   * so this loop touches nothing but the bytes.
   */
  pass(bytes: Buffer, from: number): number {
    let at = this.escaped ? from + 1 : from;
    while (at < bytes.length) {
      const byte = bytes[at];
      if (byte === QUOTE) break;
      at += byte === BACKSLASH ? 2 : 1;
    }
    // A backslash at the end of this piece speaks of the first byte of the next one.
    this.escaped = at > bytes.length;
    const end = Math.min(at, bytes.length);
    this.pieces?.push(bytes.subarray(from, end));
    if (at < bytes.length) this.end();
    return end;
  }

  private end(): void {
    this.inside = false;
    if (this.pieces === null) return;
    const text = Buffer.concat(this.pieces).toString('utf8');
    const value = parseLenient(`"${text}"`)?.value;
    this.key = typeof value === 'string' ? value : text;
    this.pieces = null;
  }
}
