import type { AttributeFact, SymbolFact } from '../fileFacts';
import { type FileEntry, symbolId } from './fileEntry';
import { lastName, Reader, TrackedMap } from './tracking';

/** One place that declares or assigns an attribute. */
export interface AttributePlace {
  fact: AttributeFact;
  file: FileEntry;
}

/** A class, or an object literal with functions: that has no node, but may stand for an interface. */
export class ClassEntry {
  readonly id: string;
  readonly qualname: string;
  readonly members: TrackedMap<SymbolFact>;
  readonly attributes: TrackedMap<AttributePlace[]>;
  /** Asks which classes it inherits from. */
  readonly bases = new ClassBases(this);
  /** What other places than its declaration say it inherits from. */
  more: { text: string; file: FileEntry; scope: string }[] = [];
  /** Place among the classes of its file. */
  order = 0;
  private declared: SymbolFact;
  private allKeys: Set<string> | undefined;
  private direct: ClassEntry[] = [];

  constructor(
    readonly file: FileEntry,
    symbol: SymbolFact,
    readonly literal: boolean,
  ) {
    this.id = classId(file.path, symbol.qualname, literal);
    this.qualname = symbol.qualname;
    this.declared = symbol;
    this.members = new TrackedMap(file.lookups, [], this.whole);
    this.attributes = new TrackedMap(file.lookups, [], this.whole);
  }

  get symbol(): SymbolFact {
    this.file.lookups.note(lastName(this.qualname));
    return this.declared;
  }

  /** All keys of the object literal. */
  get keys(): Set<string> | undefined {
    this.file.lookups.note(this.whole);
    return this.allKeys;
  }

  /** Direct subclasses; filled when bases are resolved. */
  get subclasses(): readonly ClassEntry[] {
    this.file.lookups.note(this.below);
    return this.direct;
  }

  /** Under which a look-up of its subclasses is noted. */
  get below(): string {
    return `<${this.qualname}`;
  }

  private get whole(): string {
    return wholeClass(this.qualname);
  }

  /** Takes the facts of a new text. */
  renew(symbol: SymbolFact, keys: Set<string> | undefined): void {
    this.declared = symbol;
    this.allKeys = keys;
    this.members.replace(new Map());
    this.attributes.replace(new Map());
  }

  /** The same without noting who asks. */
  get directSubclasses(): readonly ClassEntry[] {
    return this.direct;
  }

  setSubclasses(classes: ClassEntry[]): void {
    this.direct = classes;
  }
}

/** The question which classes a class inherits from. */
export class ClassBases extends Reader {
  /** The answer that was noted with them. */
  joined: ClassEntry[] = [];

  constructor(readonly entry: ClassEntry) {
    super();
  }
}

export function classId(path: string, qualname: string, literal: boolean): string {
  return `${symbolId(path, qualname)}${literal ? '{}' : ''}`;
}

/** Under which a walk over all members of a class is noted. */
export function wholeClass(qualname: string): string {
  return `${lastName(qualname)}{}`;
}
