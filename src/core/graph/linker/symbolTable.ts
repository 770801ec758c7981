import type { AssignmentFact, SymbolFact } from '../fileFacts';
import { languageById } from '../languages';
import type { Language, ModuleFinder, PackageFact } from '../languages/language';
import { append } from '../lists';
import type { HandedCall } from '../outline';
import { type ClassEntry, classId } from './classEntry';
import { type AnalyzedFile, FileEntry } from './fileEntry';
import { addAttributes, addClasses, addFunctions } from './members';
import { NameLists } from './nameLists';
import { everything, Lookups, lastName, type Reader, Tracking } from './tracking';

export { ClassEntry } from './classEntry';
export { type AnalyzedFile, FileEntry, parentScope, symbolId } from './fileEntry';

/** All names of all files, without what they mean. */
export class SymbolTable {
  readonly tracking = new Tracking();
  readonly files = new Map<string, FileEntry>();
  /** Packages by the path that imports of them lead to. */
  readonly packages = new Map<string, FileEntry>();
  readonly classes = new ClassTable(this.tracking, this.files);
  /** Files of members that lie in another file than their class. */
  readonly homes = new Map<SymbolFact, FileEntry>();
  /** Calls that hand something over, by the last name of the callee. */
  readonly callers = new NameLists<{ file: FileEntry; call: HandedCall }>(this.tracking, sameCaller);
  /** Interfaces and protocols by the names of their functions. */
  readonly interfacesByName = new NameLists<ClassEntry>(this.tracking, (a, b) => a === b);
  /** Functions that are members of something, by last name. */
  readonly membersByName = new NameLists<{ file: FileEntry; symbol: SymbolFact }>(
    this.tracking,
    (a, b) => a.symbol === b.symbol,
  );
  /** What is given to members of objects, by the name of the member. */
  readonly assigned = new NameLists<{ file: FileEntry; fact: AssignmentFact }>(this.tracking, sameAssignment);
  /** Classes and object literals by the names of their own functions. */
  readonly ownersByName = new NameLists<ClassEntry>(this.tracking, (a, b) => a === b);

  constructor(analyzed: readonly AnalyzedFile[], packages: readonly PackageFact[]) {
    const paths = analyzed.map((file) => file.path);
    const finders = new Map<Language['modules'], ModuleFinder>();
    for (const file of analyzed) {
      const language = languageById(file.language);
      if (!language) continue;
      const modules = finders.get(language.modules) ?? language.modules(paths, packages);
      finders.set(language.modules, modules);
      this.files.set(file.path, new FileEntry(file, language, modules, this.tracking, this.files.size));
    }
    for (const entry of this.files.values()) this.joinDeclarations(entry);
    for (const entry of this.files.values()) addClasses(this, entry);
    for (const entry of this.files.values()) {
      addFunctions(this, entry);
      addAttributes(this, entry);
    }
    for (const entry of this.files.values()) this.list(entry);
  }

  /** The class of a symbol; a declared class gives its compiled twin. */
  classOf(file: FileEntry, qualname: string): ClassEntry | undefined {
    const twin = file.compiled ? this.classes.in(file.compiled, qualname) : undefined;
    return twin ?? this.classes.in(file, qualname);
  }

  /** A declared class that its compiled twin stands for. */
  isShadow(entry: ClassEntry): boolean {
    return entry.file.compiled !== undefined && this.classOf(entry.file, entry.qualname) !== entry;
  }

  /** What a file gives to the lists of all files. */
  listed(file: FileEntry) {
    const members = new Map<string, { file: FileEntry; symbol: SymbolFact }[]>();
    const owners = new Map<string, ClassEntry[]>();
    const interfaces = new Map<string, ClassEntry[]>();
    const callers = new Map<string, { file: FileEntry; call: HandedCall }[]>();
    const assigned = new Map<string, { file: FileEntry; fact: AssignmentFact }[]>();
    for (const symbol of file.symbols.values()) {
      if (symbol.kind === 'method' && !symbol.abstract && !file.compiled)
        append(members, symbol.name, { file, symbol });
    }
    for (const entry of file.classes) {
      for (const name of entry.members.keys()) append(owners, name, entry);
      if (!entry.symbol.abstract || this.isShadow(entry)) continue;
      const slots = [...entry.attributes].filter(([, places]) => places.some(({ fact }) => fact.type?.includes('=>')));
      for (const name of [...entry.members.keys(), ...slots.map(([slot]) => slot)]) append(interfaces, name, entry);
    }
    for (const fact of file.facts.assignments) append(assigned, lastName(fact.chain), { file, fact });
    for (const call of file.handed) {
      append(callers, call.callee.slice(call.callee.lastIndexOf('.') + 1), { file, call });
    }
    return { members, owners, interfaces, callers, assigned };
  }

  /** Lists again what a file gives; `before` is what it gave. Gives those who looked up a name that changed. */
  relist(file: FileEntry, before: ReturnType<SymbolTable['listed']>): Reader[] {
    const after = this.listed(file);
    return [
      ...this.membersByName.replace(file, before.members, after.members),
      ...this.ownersByName.replace(file, before.owners, after.owners),
      ...this.interfacesByName.replace(file, before.interfaces, after.interfaces),
      ...this.callers.replace(file, before.callers, after.callers),
      ...this.assigned.replace(file, before.assigned, after.assigned),
    ];
  }

  private list(file: FileEntry): void {
    const { members, owners, interfaces, callers, assigned } = this.listed(file);
    this.assigned.addAll(assigned);
    this.membersByName.addAll(members);
    this.ownersByName.addAll(owners);
    this.interfacesByName.addAll(interfaces);
    this.callers.addAll(callers);
  }

  private joinDeclarations(entry: FileEntry): void {
    const stem = /^(.*)\.d\.([cm]?)ts$/.exec(entry.path);
    const compiled = stem ? this.files.get(`${stem[1]}.${stem[2]}js`) : undefined;
    if (!compiled) return;
    entry.compiled = compiled;
    compiled.declarations = entry;
  }
}

/** All classes and object literals with functions, by id. */
export class ClassTable {
  private readonly byId = new Map<string, ClassEntry>();
  private readonly lookups: Lookups;

  constructor(
    tracking: Tracking,
    private readonly files: ReadonlyMap<string, FileEntry>,
  ) {
    this.lookups = new Lookups(tracking);
  }

  /** The class of a file, or the object literal. */
  in(file: FileEntry, qualname: string, literal = false): ClassEntry | undefined {
    file.lookups.note(lastName(qualname));
    return this.byId.get(classId(file.path, qualname, literal));
  }

  get(id: string): ClassEntry | undefined {
    const path = id.slice(0, id.indexOf('#'));
    const qualname = id.slice(path.length + 1).replace(/\{\}$/, '');
    this.files.get(path)?.lookups.note(lastName(qualname));
    return this.byId.get(id);
  }

  has(entry: ClassEntry): boolean {
    return this.byId.get(entry.id) === entry;
  }

  values(): MapIterator<ClassEntry> {
    this.lookups.note(everything);
    return this.byId.values();
  }

  /** Who walked over all classes. */
  get walkers() {
    return this.lookups.of(everything);
  }

  set(entry: ClassEntry): void {
    this.byId.set(entry.id, entry);
  }

  delete(entry: ClassEntry): void {
    this.byId.delete(entry.id);
  }
}

function sameCaller(a: { call: HandedCall }, b: { call: HandedCall }): boolean {
  return (
    a.call === b.call ||
    (a.call.scope === b.call.scope &&
      a.call.callee === b.call.callee &&
      `${a.call.arguments}` === `${b.call.arguments}`)
  );
}

function sameAssignment(a: { fact: AssignmentFact }, b: { fact: AssignmentFact }): boolean {
  return a.fact === b.fact || JSON.stringify(a.fact) === JSON.stringify(b.fact);
}
