/** A text as words and signs; white space is left out, so differences in it do not count. */
export interface Tokens {
  ids: Int32Array;
  /** Weight of each token in bits: how much it says that two texts are the same. */
  weights: Float32Array;
}

const TOKEN = /[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu;

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

/** For each token of a text the number of line breaks before it. */
export function linesOfTokens(text: string): Uint16Array {
  const counts = text.split('\n').map((line) => line.match(TOKEN)?.length ?? 0);
  const lines = new Uint16Array(counts.reduce((sum, count) => sum + count, 0));
  let at = 0;
  for (const [line, count] of counts.entries()) {
    lines.fill(Math.min(line, 65_535), at, at + count);
    at += count;
  }
  return lines;
}

/** The words of a harness's literals with how often each occurs; unknown words of a trace get no id (-1). */
export class Vocabulary {
  private readonly ids = new Map<string, number>();
  private readonly words: string[] = [];
  private readonly frequencies: number[] = [];
  private weights = new Float32Array(0);

  /** Adds the tokens of one literal. Call {@link close} after the last. */
  add(text: string): Int32Array {
    const words = text.match(TOKEN) ?? [];
    const ids = new Int32Array(words.length);
    const seen = new Set<number>();
    for (const [at, word] of words.entries()) {
      let id = this.ids.get(word);
      if (id === undefined) {
        id = this.words.length;
        this.ids.set(word, id);
        this.words.push(word);
        this.frequencies.push(0);
      }
      ids[at] = id;
      if (!seen.has(id)) this.frequencies[id] = (this.frequencies[id] ?? 0) + 1;
      seen.add(id);
    }
    return ids;
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
    const words = text.match(TOKEN) ?? [];
    const ids = new Int32Array(words.length);
    const weights = new Float32Array(words.length);
    for (const [at, word] of words.entries()) {
      const id = this.ids.get(word) ?? -1;
      ids[at] = id;
      weights[at] = id < 0 ? 0 : this.weight(id);
    }
    return { ids, weights };
  }
}

function weightOf(word: string, rarity: number): number {
  if (!/[\p{L}\p{N}]/u.test(word)) return SIGN_WEIGHT;
  if (/^\d{1,2}$/.test(word) || COMMON.has(word.toLowerCase())) return COMMON_WEIGHT;
  return Math.min(HEAVIEST, Math.max(1, Math.log2(rarity)));
}
