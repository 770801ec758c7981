/**
 * Who looked up what while files were linked. A look-up is noted under the last part of its name in the file it was
 * made in: `Agent.run` under `run`. When facts of that name change, those who looked are asked again.
 */

/** Something that rests on what it looked up. */
export class Reader {
  /** Those that rest on it in turn; may repeat one. */
  users: Reader[] | undefined;

  usedBy(user: Reader): void {
    if (user === this) return;
    this.users ??= [];
    note(this.users, user);
  }
}

/** Whose look-ups are noted at the moment: null while tables are filled. */
export class Tracking {
  reader: Reader | null = null;

  /** Notes the look-ups of `work` for a reader. */
  as<T>(reader: Reader | null, work: () => T): T {
    const before = this.reader;
    this.reader = reader;
    try {
      return work();
    } finally {
      this.reader = before;
    }
  }
}

/** The look-ups made in one file, or in one table of all files. */
export class Lookups {
  private readonly byName = new Map<string, Reader[]>();

  /** @param self is not noted: it is asked again whenever anything here changes */
  constructor(
    private readonly tracking: Tracking,
    private readonly self: Reader | null = null,
  ) {}

  note(name: string): void {
    const { reader } = this.tracking;
    if (reader === null || reader === this.self) return;
    const known = this.byName.get(name);
    if (known) note(known, reader);
    else this.byName.set(name, [reader]);
  }

  of(name: string): readonly Reader[] {
    return this.byName.get(name) ?? [];
  }
}

/** Repeats come mostly one after the other; the others go when the list has doubled. */
function note(list: Reader[], reader: Reader): void {
  const { length } = list;
  if (list[length - 1] === reader) return;
  if (length >= 64 && (length & (length - 1)) === 0) {
    const distinct = new Set(list);
    if (distinct.size < length) {
      list.length = 0;
      for (const each of distinct) list.push(each);
      if (distinct.has(reader)) return;
    }
  }
  list.push(reader);
}

/** The part of a dotted name by which look-ups are noted, without the number of a repeated name. */
export function lastName(path: string): string {
  const dot = path.lastIndexOf('.');
  const last = dot < 0 ? path : path.slice(dot + 1);
  const repeated = last.indexOf('~');
  return repeated < 0 ? last : last.slice(0, repeated);
}

/** Stands for everything in a map: who walks over it is asked again whenever a name comes or goes. */
export const everything = '*';

/** A map whose look-ups are noted. */
export class TrackedMap<V> {
  private entriesOf: Map<string, V>;

  constructor(
    private readonly lookups: Lookups,
    entries: Iterable<readonly [string, V]> = [],
    private readonly whole: string = everything,
  ) {
    this.entriesOf = entries instanceof Map ? entries : new Map(entries);
  }

  get(name: string): V | undefined {
    this.lookups.note(lastName(name));
    return this.entriesOf.get(name);
  }

  has(name: string): boolean {
    this.lookups.note(lastName(name));
    return this.entriesOf.has(name);
  }

  set(name: string, value: V): this {
    this.entriesOf.set(name, value);
    return this;
  }

  /** Takes other entries; those who looked are not told. */
  replace(entries: Map<string, V>): void {
    this.entriesOf = entries;
  }

  get size(): number {
    this.lookups.note(this.whole);
    return this.entriesOf.size;
  }

  keys(): MapIterator<string> {
    this.lookups.note(this.whole);
    return this.entriesOf.keys();
  }

  values(): MapIterator<V> {
    this.lookups.note(this.whole);
    return this.entriesOf.values();
  }

  entries(): MapIterator<[string, V]> {
    this.lookups.note(this.whole);
    return this.entriesOf.entries();
  }

  [Symbol.iterator](): MapIterator<[string, V]> {
    return this.entries();
  }
}
