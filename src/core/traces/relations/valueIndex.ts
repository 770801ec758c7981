/** Places of a table; at most seven eighths are used. 16 bytes each. */
const FIRST_SIZE = 1 << 14;
const LARGEST = 1 << 20;

export type Origin = 'prompt' | 'observation' | 'model';
const ORIGINS: readonly Origin[] = ['prompt', 'observation', 'model'];

export interface Seen {
  origin: Origin;
  step: number;
  /** Number of steps it stands in. */
  steps: number;
}

/**
 * Remembers where each value of a run was first seen, as two hashes instead of its text, in at most 17 MB: a run of a
 * hundred megabytes may hold millions of different words. When it is full, new values are not taken and `full` is set.
 */
export class ValueIndex {
  full = false;
  private size = FIRST_SIZE;
  private used = 0;
  private low = new Uint32Array(FIRST_SIZE);
  private high = new Uint32Array(FIRST_SIZE);
  private first = new Uint32Array(FIRST_SIZE);
  private counts = new Uint32Array(FIRST_SIZE);

  /** What is known of a value, or null. */
  find(value: string): Seen | null {
    const at = this.place(...hashes(value));
    if (this.counts[at] === 0) return null;
    const packed = this.first[at];
    return { origin: ORIGINS[packed & 3], step: packed >>> 2, steps: this.counts[at] };
  }

  /** Notes that a value stands in a step; call it once for each value of a step. */
  add(value: string, step: number, origin: Origin): void {
    const [low, high] = hashes(value);
    const at = this.place(low, high);
    if (this.counts[at] > 0) {
      this.counts[at] += 1;
      return;
    }
    if (this.used >= this.size * 0.875) {
      if (this.size >= LARGEST) this.full = true;
      else {
        this.grow();
        this.add(value, step, origin);
      }
      return;
    }
    this.used += 1;
    this.low[at] = low;
    this.high[at] = high;
    this.first[at] = (step << 2) | ORIGINS.indexOf(origin);
    this.counts[at] = 1;
  }

  private place(low: number, high: number): number {
    let at = low & (this.size - 1);
    while (this.counts[at] > 0 && (this.low[at] !== low || this.high[at] !== high)) at = (at + 1) & (this.size - 1);
    return at;
  }

  private grow(): void {
    const { low, high, first, counts } = this;
    this.size *= 2;
    this.low = new Uint32Array(this.size);
    this.high = new Uint32Array(this.size);
    this.first = new Uint32Array(this.size);
    this.counts = new Uint32Array(this.size);
    for (let at = 0; at < counts.length; at += 1) {
      if (counts[at] === 0) continue;
      const to = this.place(low[at], high[at]);
      this.low[to] = low[at];
      this.high[to] = high[at];
      this.first[to] = first[at];
      this.counts[to] = counts[at];
    }
  }
}

/** Two independent 32-bit FNV-1a hashes. */
function hashes(value: string): [number, number] {
  let low = 0x811c9dc5;
  let high = 0x9747b28c;
  for (let at = 0; at < value.length; at += 1) {
    const code = value.charCodeAt(at);
    low = Math.imul(low ^ code, 0x01000193);
    high = Math.imul(high ^ code, 0x5bd1e995) ^ (high >>> 15);
  }
  return [low >>> 0, high >>> 0];
}
