import type { FileEntry } from './fileEntry';
import { Lookups, type Reader, type Tracking } from './tracking';

/** Things of all files by name, in the order of the files; look-ups are noted by name. */
export class NameLists<T extends { file: FileEntry }> {
  private readonly lists = new Map<string, T[]>();
  readonly lookups: Lookups;

  constructor(
    tracking: Tracking,
    private readonly same: (a: T, b: T) => boolean,
  ) {
    this.lookups = new Lookups(tracking);
  }

  get(name: string): readonly T[] | undefined {
    this.lookups.note(name);
    return this.lists.get(name);
  }

  has(name: string): boolean {
    this.lookups.note(name);
    return this.lists.has(name);
  }

  /** Adds the things of a file that comes after all others so far. */
  addAll(items: ReadonlyMap<string, T[]>): void {
    for (const [name, own] of items) {
      const list = this.lists.get(name);
      if (list) list.push(...own);
      else this.lists.set(name, own);
    }
  }

  /** Adds one thing at the place its file has among the others. */
  insert(name: string, item: T): void {
    const list = this.lists.get(name) ?? [];
    const at = list.findIndex(({ file }) => file.order > item.file.order);
    this.lists.set(name, at < 0 ? [...list, item] : list.toSpliced(at, 0, item));
  }

  /** Puts other things of a file in the place of those it had; gives those who looked up a list that changed. */
  replace(file: FileEntry, before: ReadonlyMap<string, T[]>, after: ReadonlyMap<string, T[]>): Reader[] {
    const readers: Reader[] = [];
    for (const name of new Set([...before.keys(), ...after.keys()])) {
      const old = before.get(name) ?? [];
      const items = after.get(name) ?? [];
      if (old.length !== items.length || old.some((item, at) => !this.same(item, items[at]!)))
        for (const reader of this.lookups.of(name)) readers.push(reader);
      const others = (this.lists.get(name) ?? []).filter((item) => item.file !== file);
      const at = others.findIndex((item) => item.file.order > file.order);
      const list = at < 0 ? [...others, ...items] : [...others.slice(0, at), ...items, ...others.slice(at)];
      if (list.length > 0) this.lists.set(name, list);
      else this.lists.delete(name);
    }
    return readers;
  }
}
