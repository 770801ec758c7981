import { InputError } from '../../errors';

/**
 * Words as directions: words that are used in the same changes and definitions point the same way. Trained on the
 * histories of public harness repositories (`bench/locate/vectors.py`).
 */
export class TermVectors {
  private constructor(
    readonly words: readonly string[],
    readonly numbers: ReadonlyMap<string, number>,
    readonly dimensions: number,
    private readonly values: Int8Array,
    /** 1 over the length of each row. */
    private readonly inverse: Float32Array,
  ) {}

  /**
   * Reads a table: `HMV1`, three little-endian numbers of four bytes (words, dimensions, bytes of the words), the words by
   * line, and one signed byte a value.
   * @throws InputError when it is no such table.
   */
  static read(bytes: Uint8Array, file: string): TermVectors {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const damaged = new InputError(`${file} is no table of term vectors.`, {
      code: 'vectors-damaged',
      nextStep: 'Install the extension again.',
    });
    if (bytes.length < 16 || new TextDecoder().decode(bytes.subarray(0, 4)) !== 'HMV1') throw damaged;
    const [count, dimensions, length] = [4, 8, 12].map((at) => view.getUint32(at, true)) as [number, number, number];
    if (bytes.length !== 16 + length + count * dimensions) throw damaged;
    const words = new TextDecoder().decode(bytes.subarray(16, 16 + length)).split('\n');
    if (words.length !== count) throw damaged;
    const values = new Int8Array(bytes.buffer, bytes.byteOffset + 16 + length, count * dimensions);
    const inverse = new Float32Array(count);
    for (let word = 0; word < count; word++) {
      let square = 0;
      for (let at = word * dimensions; at < (word + 1) * dimensions; at++) square += (values[at] as number) ** 2;
      inverse[word] = square > 0 ? 1 / Math.sqrt(square) : 0;
    }
    return new TermVectors(words, new Map(words.map((word, at) => [word, at])), dimensions, values, inverse);
  }

  /** Adds the direction of a word, times a weight, to a vector that begins at `offset`. */
  add(word: number, weight: number, into: Float32Array, offset = 0): void {
    const scale = weight * (this.inverse[word] as number);
    const start = word * this.dimensions;
    for (let at = 0; at < this.dimensions; at++)
      into[offset + at] = (into[offset + at] as number) + scale * (this.values[start + at] as number);
  }

  /** Cosine of a word with a vector of length 1. */
  cosine(word: number, vector: Float32Array): number {
    const start = word * this.dimensions;
    let sum = 0;
    for (let at = 0; at < this.dimensions; at++) sum += (this.values[start + at] as number) * (vector[at] as number);
    return sum * (this.inverse[word] as number);
  }
}

/** Makes a part of a vector length 1; leaves nothing as it is. */
export function normalize(vector: Float32Array, offset: number, dimensions: number): void {
  let square = 0;
  for (let at = offset; at < offset + dimensions; at++) square += (vector[at] as number) ** 2;
  if (square === 0) return;
  const scale = 1 / Math.sqrt(square);
  for (let at = offset; at < offset + dimensions; at++) vector[at] = (vector[at] as number) * scale;
}
