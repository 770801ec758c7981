import { scanValues } from './scanValues';
import { LONGEST_VALUE } from './values';

/** Places of a table; at most seven eighths are used. 20 bytes each. */
const FIRST_SIZE = 1 << 14;
const LARGEST = 1 << 20;
/** Longer texts are looked at in their start and end; what lies between is mostly listings. */
const LOOKED = 400_000;

export type Origin = 'prompt' | 'observation' | 'model';
const ORIGINS: readonly Origin[] = ['prompt', 'observation', 'model'];

export interface Seen {
  origin: Origin;
  step: number;
  /** Number of steps it stands in. */
  steps: number;
}

/**
 * Remembers where each value of a run was first seen, as two hashes instead of its text, in at most 21 MB: a run of a
 * hundred megabytes may hold millions of different words. When it is full, new values are not taken and `full` is set.
 */
export class ValueIndex {
  full = false;
  private size = FIRST_SIZE;
  private used = 0;
  private low = new Uint32Array(FIRST_SIZE);
  private high = new Uint32Array(FIRST_SIZE);
  private first = new Uint32Array(FIRST_SIZE);
  private last = new Uint32Array(FIRST_SIZE);
  private counts = new Uint32Array(FIRST_SIZE);
  private keyLow = 0;
  private keyHigh = 0;

  /** What is known of a value, or null. */
  find(value: string): Seen | null {
    this.key(value, 0, value.length);
    const at = this.place(this.keyLow, this.keyHigh);
    if (this.counts[at] === 0) return null;
    const packed = this.first[at];
    return { origin: ORIGINS[packed & 3], step: packed >>> 2, steps: this.counts[at] };
  }

  /** Notes that a value stands in a step. Steps come in order; a value counts once a step. */
  add(value: string, step: number, origin: Origin): void {
    this.note(value, 0, value.length, step, origin);
  }

  /** Notes all values of a text. */
  addText(text: string, step: number, origin: Origin): void {
    const parts = text.length <= LOOKED ? [text] : [text.slice(0, LOOKED / 2), text.slice(-LOOKED / 2)];
    for (const part of parts)
      scanValues(part, LONGEST_VALUE, (start, end) => {
        this.note(part, start, end, step, origin);
        return false;
      });
  }

  private note(text: string, start: number, end: number, step: number, origin: Origin): void {
    this.key(text, start, end);
    let at = this.place(this.keyLow, this.keyHigh);
    if (this.counts[at] === 0) {
      if (this.used >= this.size * 0.875) {
        if (this.size >= LARGEST) {
          this.full = true;
          return;
        }
        this.grow();
        at = this.place(this.keyLow, this.keyHigh);
      }
      this.used += 1;
      this.low[at] = this.keyLow;
      this.high[at] = this.keyHigh;
      this.first[at] = (step << 2) | ORIGINS.indexOf(origin);
    } else if (this.last[at] === step) return;
    this.last[at] = step;
    this.counts[at] += 1;
  }

  private place(low: number, high: number): number {
    let at = low & (this.size - 1);
    while (this.counts[at] > 0 && (this.low[at] !== low || this.high[at] !== high)) at = (at + 1) & (this.size - 1);
    return at;
  }

  /** Two independent 32-bit hashes in the manner of FNV-1a, in fields so that no pair is made for each word. */
  private key(text: string, start: number, end: number): void {
    let low = 0x811c9dc5;
    let high = 0x9747b28c;
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at);
      low = Math.imul(low ^ code, 0x01000193);
      high = Math.imul(high ^ code, 0x5bd1e995) ^ (high >>> 15);
    }
    this.keyLow = low >>> 0;
    this.keyHigh = high >>> 0;
  }

  private grow(): void {
    const { low, high, first, last, counts } = this;
    this.size *= 2;
    this.low = new Uint32Array(this.size);
    this.high = new Uint32Array(this.size);
    this.first = new Uint32Array(this.size);
    this.last = new Uint32Array(this.size);
    this.counts = new Uint32Array(this.size);
    for (let at = 0; at < counts.length; at += 1) {
      if (counts[at] === 0) continue;
      const to = this.place(low[at], high[at]);
      this.low[to] = low[at];
      this.high[to] = high[at];
      this.first[to] = first[at];
      this.last[to] = last[at];
      this.counts[to] = counts[at];
    }
  }
}
