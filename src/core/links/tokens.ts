import { scan } from './scan';

/** A text as words and signs; white space is left out, so differences in it do not count. */
export interface Tokens {
  ids: Int32Array;
  /** Weight of each token in bits: how much it says that two texts are the same. */
  weights: Float32Array;
  /** Where each token starts and ends in the text, in UTF-16 units. */
  starts: Int32Array;
  ends: Int32Array;
}

// Words that stand in any English text; finding them in two texts proves little however rare they are in a tree.
const COMMON = new Set(
  `a about after all also an and any are as at be because been before but by can could did do does each file files
  for from get has have how if in into is it its just let like make may more must need new no not now of on one only or
  other out over please run see should so some than that the their them then there these they this to up use used using
  was we were what when where which will with would you your`.split(/\s+/),
);
const HEAVIEST = 6;
const COMMON_WEIGHT = 0.5;
const SIGN_WEIGHT = 0.15;

/** The words of a harness's literals with how often each occurs; unknown words of a trace get no id (-1). */
export class Vocabulary {
  private readonly ids = new Map<string, number>();
  private readonly words: string[] = [];
  private readonly frequencies: number[] = [];
  private weights = new Float32Array(0);

  /** Adds the tokens of one literal and tells on which of its lines each stands. Call {@link close} after the last. */
  add(text: string): { ids: Int32Array; lines: Uint16Array } {
    const ids: number[] = [];
    const lines: number[] = [];
    const seen = new Set<number>();
    let [line, counted] = [0, 0];
    scan(text, (word, start) => {
      for (; counted < start; counted += 1) if (text.charCodeAt(counted) === 10) line += 1;
      let id = this.ids.get(word);
      if (id === undefined) {
        id = this.words.length;
        this.ids.set(word, id);
        this.words.push(word);
        this.frequencies.push(0);
      }
      ids.push(id);
      lines.push(Math.min(line, 65_535));
      if (!seen.has(id)) this.frequencies[id] = (this.frequencies[id] ?? 0) + 1;
      seen.add(id);
    });
    return { ids: Int32Array.from(ids), lines: Uint16Array.from(lines) };
  }

  /** Fixes the weights. `literals` is the number of literals added; a floor keeps small harnesses steady. */
  close(literals: number): void {
    const total = Math.max(2000, literals);
    this.weights = Float32Array.from(this.words, (word, id) =>
      weightOf(word, total / Math.max(1, this.frequencies[id] ?? 1)),
    );
  }

  weight(id: number): number {
    return this.weights[id] ?? 0;
  }

  word(id: number): string {
    return this.words[id] ?? '';
  }

  /** The tokens of a text from a trace. */
  read(text: string): Tokens {
    const places: number[] = [];
    scan(text, (word, start, end) => places.push(this.ids.get(word) ?? -1, start, end));
    const count = places.length / 3;
    const ids = new Int32Array(count);
    const weights = new Float32Array(count);
    const starts = new Int32Array(count);
    const ends = new Int32Array(count);
    for (let at = 0; at < count; at += 1) {
      const id = places[3 * at] ?? -1;
      ids[at] = id;
      weights[at] = id < 0 ? 0 : this.weight(id);
      starts[at] = places[3 * at + 1] ?? 0;
      ends[at] = places[3 * at + 2] ?? 0;
    }
    return { ids, weights, starts, ends };
  }
}

function weightOf(word: string, rarity: number): number {
  if (!/[\p{L}\p{N}]/u.test(word)) return SIGN_WEIGHT;
  if (/^\d{1,2}$/.test(word) || COMMON.has(word.toLowerCase())) return COMMON_WEIGHT;
  return Math.min(HEAVIEST, Math.max(1, Math.log2(rarity)));
}
