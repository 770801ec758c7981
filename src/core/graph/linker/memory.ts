import type { FileEntry } from './symbolTable';
import type { Value } from './values';

const deepest = 24;
/** Stands for an evaluation that is under way: a chain that needs itself gives nothing the second time. */
const running: Value[] = [];

/**
 * Remembers what was evaluated in a file. Chains may need themselves; what is found inside such a circle, before the
 * evaluation it hangs on is finished, is only kept until then, so that the answers do not depend on who asked first.
 */
export class Memory {
  private depth = 0;
  /** Depth of the lowest unfinished evaluation that the current one hangs on. */
  private lowest = Number.POSITIVE_INFINITY;
  private readonly depths = new Map<string, number>();
  private readonly unsure = new Map<Value[], number>();
  private readonly passing: { file: FileEntry; key: string; values: Value[] }[] = [];

  once(file: FileEntry, key: string, evaluate: () => Value[]): Value[] {
    const known = file.known.get(key);
    if (known === running) {
      this.lowest = Math.min(this.lowest, this.depths.get(`${file.path}\0${key}`) ?? 0);
      return known;
    }
    if (known) {
      const low = this.unsure.get(known);
      if (low !== undefined) this.lowest = Math.min(this.lowest, low);
      return known;
    }
    if (this.depth >= deepest) {
      this.lowest = 0;
      return [];
    }
    return this.evaluated(file, key, evaluate);
  }

  private evaluated(file: FileEntry, key: string, evaluate: () => Value[]): Value[] {
    const depth = this.depth;
    const outer = this.lowest;
    const before = this.passing.length;
    const place = `${file.path}\0${key}`;
    file.known.set(key, running);
    this.depths.set(place, depth);
    this.depth += 1;
    this.lowest = Number.POSITIVE_INFINITY;
    try {
      const values = evaluate();
      if (this.lowest >= depth) {
        this.forget(before);
        file.known.set(key, values);
        this.lowest = outer;
        return values;
      }
      const own = [...values];
      file.known.set(key, own);
      this.unsure.set(own, this.lowest);
      this.passing.push({ file, key, values: own });
      this.lowest = Math.min(outer, this.lowest);
      return own;
    } finally {
      this.depth = depth;
      this.depths.delete(place);
    }
  }

  /** The circle is closed: what was found inside it is to be evaluated again when it is asked for. */
  private forget(from: number): void {
    for (const { file, key, values } of this.passing.splice(from)) {
      this.unsure.delete(values);
      if (file.known.get(key) === values) file.known.delete(key);
    }
  }
}
