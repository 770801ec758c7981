/** Where each term occurs: documents and counts, in three flat arrays. */
export class Postings {
  private constructor(
    private readonly offsets: Int32Array,
    readonly documents: Int32Array,
    readonly counts: Float32Array,
    /** Occurrences of all terms, by document. */
    readonly lengths: Float64Array,
    /** Mean of the lengths, at least a tiny bit above zero. */
    readonly average: number,
  ) {}

  /** From pairs of term and count, one list a document. */
  static of(terms: number, documents: readonly (readonly number[])[]): Postings {
    const offsets = new Int32Array(terms + 1);
    const lengths = new Float64Array(documents.length);
    let total = 0;
    documents.forEach((pairs, document) => {
      for (let at = 0; at < pairs.length; at += 2) {
        const slot = (pairs[at] as number) + 1;
        offsets[slot] = (offsets[slot] as number) + 1;
        lengths[document] = (lengths[document] as number) + (pairs[at + 1] as number);
      }
      total += lengths[document] as number;
    });
    for (let term = 0; term < terms; term++)
      offsets[term + 1] = (offsets[term + 1] as number) + (offsets[term] as number);
    const next = offsets.slice();
    const where = new Int32Array(offsets[terms] as number);
    const counts = new Float32Array(where.length);
    documents.forEach((pairs, document) => {
      for (let at = 0; at < pairs.length; at += 2) {
        const term = pairs[at] as number;
        const slot = next[term] as number;
        next[term] = slot + 1;
        where[slot] = document;
        counts[slot] = pairs[at + 1] as number;
      }
    });
    return new Postings(offsets, where, counts, lengths, total / Math.max(1, documents.length) || 1);
  }

  /** Slots of a term in `documents` and `counts`: from, to (exclusive). */
  range(term: number): [number, number] {
    return [this.offsets[term] ?? 0, this.offsets[term + 1] ?? 0];
  }

  /** The count of a slot over the length of its document; `b` is how far length is made up for (BM25). */
  normalized(slot: number, b: number): number {
    const length = this.lengths[this.documents[slot] as number] as number;
    return (this.counts[slot] as number) / (1 - b + (b * length) / this.average);
  }
}
