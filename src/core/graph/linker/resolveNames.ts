import type { AttributeFact, SymbolFact } from '../fileFacts';
import { type Segment, segmentOf } from './chains';
import { elementMethods, elementsOf, held, sameMethods } from './containers';
import { isGeneratedSetter } from './generated';
import { assignedValues, heldValues } from './given';
import { Hierarchy } from './hierarchy';
import { importedValues, isRoot, macro, moduleAt, openedOutside, rooted } from './imported';
import { Memos } from './memos';
import { joinPackages } from './packages';
import { parameterValues } from './parameters';
import { joinReceivers } from './receivers';
import { aliasOf, typedValues } from './resolveTypes';
import { type ClassEntry, type FileEntry, parentScope, type SymbolTable } from './symbolTable';
import { returnOfFunctionType } from './typeText';
import { builtin, distinct, isHeld, narrowed, type Value, wrappedBy } from './values';

/** Evaluates chains and type annotations to what they may mean, across files. */
export class NameResolver {
  readonly hierarchy: Hierarchy;
  readonly memos: Memos;
  private readonly evaluated: (file: FileEntry, question: string) => Value[];
  private readonly typedOnce: (file: FileEntry, question: string) => Value[];
  private readonly exportedOnce: (file: FileEntry, name: string) => Value[];

  constructor(readonly table: SymbolTable) {
    this.memos = new Memos(table.tracking);
    const scoped = (find: (text: string, file: FileEntry, scope: string) => Value[]) => {
      return (file: FileEntry, question: string) => {
        const end = question.indexOf('\0');
        return find(question.slice(end + 1), file, question.slice(0, end));
      };
    };
    this.evaluated = this.memos.define(
      '',
      none,
      scoped((chain, file, scope) => this.findValues(chain, file, scope)),
    );
    this.typedOnce = this.memos.define(
      ':',
      none,
      scoped((text, file, scope) => this.findTyped(text, file, scope)),
    );
    this.exportedOnce = this.memos.define('>', none, (file, name) => this.findExported(file, name));
    this.hierarchy = new Hierarchy(table, this.memos, (chain, file, scope) => this.evaluate(chain, file, scope));
    joinPackages(table);
    joinReceivers(this);
    this.hierarchy.joinSubclasses();
  }

  /** Everything a chain may evaluate to in a scope of a file; empty when nothing is known. */
  evaluate(chain: string, file: FileEntry, scope: string): Value[] {
    return this.evaluated(file, `${scope}\0${chain}`);
  }

  private findValues(chain: string, file: FileEntry, scope: string): Value[] {
    const segments = chain.split('.').map(segmentOf);
    const start = this.start(segments, file, scope);
    let values = start.values;
    for (let at = start.used; at < segments.length && values.length > 0; at++) {
      const { name, suffix } = segments[at]!;
      const isCalled = suffix.startsWith('()');
      const same = isCalled ? values.filter((value) => isGeneratedSetter(this.hierarchy, value, name)) : [];
      const other = values.filter((value) => !same.includes(value)).flatMap((value) => this.member(value, name));
      values = [...this.suffixed(same, suffix.slice(2)), ...this.suffixed(distinct(other), suffix)];
    }
    // `env := env.New()` calls the package that the local of its name hides afterwards.
    const isHidden = values.length === 0 && scope !== '' && file.language.typing !== undefined;
    return isHidden && this.isHiding(segments[0]!.name, file, scope) ? this.evaluate(chain, file, '') : values;
  }

  /** What values of an annotated type are. */
  typed(text: string, file: FileEntry, scope: string, result = 0): Value[] {
    return this.typedOnce(file, `${scope}\0${result}\0${text}`);
  }

  private findTyped(question: string, file: FileEntry, scope: string): Value[] {
    const end = question.indexOf('\0');
    const text = question.slice(end + 1);
    const read = file.language.typeText?.(text, Number(question.slice(0, end))) ?? text;
    return typedValues(this, read, file, scope);
  }

  /** The file an import of a file means, or null. */
  fileOf(module: string, from: FileEntry): FileEntry | null {
    const known = from.found.get(module);
    if (known !== undefined) return known;
    // A module that is looked for while it is looked for is not found that way.
    from.found.set(module, null);
    const path = from.modules.find(module, from.path);
    const steps = path === null && from.language.typing === 'nominal' ? moduleAt(this, module, from) : null;
    const found = path ? (this.table.files.get(path) ?? this.table.packages.get(path) ?? null) : steps;
    from.found.set(module, found);
    return found;
  }

  /** What a module gives under a name, through re-exports. */
  exported(file: FileEntry, name: string): Value[] {
    return this.exportedOnce(file, name);
  }

  private findExported(file: FileEntry, name: string): Value[] {
    const fact = file.exports.get(name);
    if (fact) {
      if (fact.module === null) return this.evaluate(fact.chain, file, '');
      const target = this.fileOf(fact.module, file);
      if (!target) return [{ kind: 'external', name: file.language.externalName(fact.module, fact.chain) }];
      return fact.chain === '*' ? [{ kind: 'module', file: target }] : this.exported(target, fact.chain);
    }
    if (file.symbols.has(name) || file.locals.get('').has(name)) return this.named(name, file, '');
    if (bindsOpenly(file) && file.imports.has(name)) return importedValues(this, name, file);
    for (const module of file.openExports) {
      const target = this.fileOf(module, file);
      const found = target ? this.exported(target, name) : [];
      if (found.length > 0) return found;
    }
    return file.declarations ? this.exported(file.declarations, name) : [];
  }

  /** What calling a function gives. */
  returned(file: FileEntry, symbol: SymbolFact, result = 0): Value[] {
    const declared = file.declarations?.symbols.get(symbol.qualname);
    const literal = this.literalOf(file, symbol.qualname);
    if (declared?.returns)
      return narrowed(this.typed(declared.returns, file.declarations!, declared.qualname), literal);
    if (symbol.returns) return narrowed(this.typed(symbol.returns, file, symbol.qualname, result), literal);
    const chains = symbol.returned ?? [];
    return distinct([...chains.flatMap((chain) => this.evaluate(chain, file, symbol.qualname)), ...literal]);
  }

  /** What an attribute holds, from its annotations and everything assigned to it. */
  attributeValues(places: readonly { fact: AttributeFact; file: FileEntry }[]): Value[] {
    return distinct(
      places.flatMap(({ fact, file }) => {
        const held = (fact.values ?? []).flatMap((chain) => this.evaluate(chain, file, fact.scope));
        return fact.type ? [...this.typed(fact.type, file, fact.scope), ...held.filter(isHeld)] : held;
      }),
    );
  }

  private start(segments: Segment[], file: FileEntry, scope: string): { values: Value[]; used: number } {
    const first = segments[0]!;
    if (first.name === 'super' && first.suffix === '') return { values: [builtin], used: 1 };
    if (first.name === 'super') return { values: this.superOf(file, scope), used: 1 };
    // `import a.b.c` makes the whole dotted name reachable.
    for (let length = Math.min(segments.length, 5); length > 1; length--) {
      const dotted = segments
        .slice(0, length)
        .map(({ name }) => name)
        .join('.');
      if (!file.imports.has(dotted)) continue;
      return { values: this.suffixed(importedValues(this, dotted, file), segments[length - 1]!.suffix), used: length };
    }
    return { values: this.suffixed(this.named(first.name, file, scope), first.suffix), used: 1 };
  }

  private superOf(file: FileEntry, scope: string): Value[] {
    const owner = this.enclosingClass(file, scope);
    if (!owner) return [];
    const { classes, externals } = this.hierarchy.bases(owner);
    return [
      ...classes.map((entry): Value => ({ kind: 'instance', entry, exact: true })),
      ...externals.map((name): Value => ({ kind: 'external', name: `${name}()` })),
    ];
  }

  enclosingClass(file: FileEntry, scope: string): ClassEntry | undefined {
    for (let at = scope; at; at = parentScope(at)) {
      const entry = this.table.classes.in(file, at);
      if (entry) return this.table.classOf(file, at);
    }
    return undefined;
  }

  /** A plain name, from the innermost scope outwards. */
  named(name: string, file: FileEntry, scope: string): Value[] {
    if (name === '""') return [builtin];
    if (name.endsWith('!')) return macro(this, name.slice(0, -1), file);
    if (name.startsWith('::')) return rooted(this, name.slice(2), file, scope);
    if ((name === 'self' || name === 'this') && !file.language.typing) {
      const entry = this.enclosingClass(file, scope);
      if (entry) return [{ kind: 'instance', entry }];
      const holder = file.symbols.get(scope)?.holder ?? parentScope(scope);
      const literal = this.table.classes.in(file, holder, true);
      return literal ? [{ kind: 'instance', entry: literal, exact: true }] : [];
    }
    if (name === 'cls') {
      const entry = this.enclosingClass(file, scope);
      return entry ? [{ kind: 'class', entry }] : [];
    }
    for (let at = scope; ; at = parentScope(at)) {
      const found = this.inScope(name, file, at);
      if (found) return found;
      if (!at) break;
    }
    if (file.package?.exports.has(name)) return this.exported(file.package, name);
    if (file.imports.has(name)) return importedValues(this, name, file);
    if (file.declarations) {
      const declared = file.declarations.symbols.has(name) || file.declarations.imports.has(name);
      if (declared) return this.named(name, file.declarations, '');
    }
    for (const module of file.openExports) {
      const target = this.fileOf(module, file);
      const found = target && bindsOpenly(file) ? this.exported(target, name) : [];
      if (found.length > 0) return found;
    }
    return file.language.builtins.has(name) ? [{ kind: 'external', name }] : openedOutside(this, name, file);
  }

  private inScope(name: string, file: FileEntry, scope: string): Value[] | undefined {
    const enclosing = file.symbols.get(scope);
    const parameter = enclosing?.parameters?.find((candidate) => candidate.name === name);
    const local = file.locals.get(scope).get(name);
    if (parameter) {
      return distinct([
        ...parameterValues(this, file, enclosing!, parameter),
        ...(local?.values ?? []).flatMap((chain) => this.evaluate(chain, file, scope)),
      ]);
    }
    const mayBeSymbol = enclosing?.kind !== 'class' && file.names.has(name);
    const symbol = mayBeSymbol ? file.symbols.get(scope ? `${scope}.${name}` : name) : undefined;
    if (symbol?.kind === 'class') {
      const entry = this.table.classOf(file, symbol.qualname);
      return entry ? [{ kind: 'class', entry }] : [];
    }
    if (symbol?.kind === 'function') return [{ kind: 'function', file, symbol }];
    if (local?.alias && local.type && file.language.typing) return aliasOf(this, local.name, local.type, file, scope);
    if (local) {
      const held = distinct([
        ...(local.values ?? []).flatMap((chain) => this.evaluateFor(name, chain, file, scope)),
        ...this.literalOf(file, scope ? `${scope}.${name}` : name),
        ...wrappedBy(file, symbol),
        ...heldValues(this, file, scope, name),
      ]);
      return local.type ? narrowed(this.typed(local.type, file, scope), held) : held;
    }
    return undefined;
  }

  /** What a local holds; in `env := env.New()` the name on the right is that of the scope around it. */
  private evaluateFor(name: string, chain: string, file: FileEntry, scope: string): Value[] {
    if (chain === name) return [];
    const shadows = file.language.typing !== undefined && scope !== '' && /^[\w$]+/.exec(chain)?.[0] === name;
    if (!shadows) return this.evaluate(chain, file, scope);
    const inner = this.evaluate(chain, file, parentScope(scope));
    return inner.length > 0 || !file.imports.has(name) ? inner : this.evaluate(chain, file, '');
  }

  private isHiding(name: string, file: FileEntry, scope: string): boolean {
    const isOuter = file.imports.has(name) || file.symbols.has(name) || file.package?.exports.has(name);
    return isOuter === true && file.locals.get(scope).get(name)?.values !== undefined;
  }

  /** An object literal with functions, by the name it is bound to. */
  private literalOf(file: FileEntry, path: string): Value[] {
    const entry = this.table.classes.in(file, path, true);
    return entry ? [{ kind: 'instance', entry, exact: true }] : [];
  }

  private suffixed(values: Value[], suffix: string): Value[] {
    let current = values;
    for (const part of suffix.match(/\(\d*\)|\[\]/g) ?? []) {
      const result = Number(part.slice(1, -1));
      current = distinct(
        current.flatMap((value) => (part === '[]' ? elementsOf(value, this.hierarchy) : this.called(value, result))),
      );
    }
    return current;
  }

  private called(value: Value, result: number): Value[] {
    switch (value.kind) {
      case 'class':
        return [{ kind: 'instance', entry: value.entry, exact: true }];
      case 'function':
        return value.symbol.getter ? [] : this.returned(value.file, value.symbol, result);
      case 'external':
        return [value.name.length > 160 ? builtin : { kind: 'external', name: `${value.name}()` }];
      case 'slot': {
        const type = value.entry.attributes.get(value.name)?.find(({ fact }) => fact.type);
        const returns = type?.fact.type ? returnOfFunctionType(type.fact.type) : undefined;
        return returns ? this.typed(returns, type!.file, type!.fact.scope) : [];
      }
      case 'container':
        if (value.called === 'element') return elementsOf(value, this.hierarchy);
        return value.called === 'same' ? [{ kind: 'container', of: value.of }] : [];
      default:
        return [];
    }
  }

  /** What a value has by a name. */
  member(value: Value, given: string): Value[] {
    const name = given.replace(/!$/, '');
    switch (value.kind) {
      case 'module': {
        const found = isRoot(name) ? rooted(this, name, value.file) : this.exported(value.file, name);
        if (found.length > 0) return found;
        const submodule = value.file.language.id === 'python' ? this.fileOf(`.${name}`, value.file) : null;
        return submodule ? [{ kind: 'module', file: submodule }] : [];
      }
      case 'external':
        return [value.name === '""' ? value : { kind: 'external', name: `${value.name}.${name}` }];
      case 'container':
        if (value.named && Object.hasOwn(value.named, name)) return value.named[name]!;
        if (elementMethods.has(name)) return [{ ...value, called: 'element' }];
        return sameMethods.has(name) ? [{ ...value, called: 'same' }] : [builtin];
      case 'function':
        return name === 'bind' || name === 'call' || name === 'apply' ? [value] : held(value, name);
      case 'class':
      case 'instance':
        return this.classMember(value, name);
      case 'slot':
        return [];
    }
  }

  private classMember(value: Extract<Value, { kind: 'class' | 'instance' }>, name: string): Value[] {
    const { entry } = value;
    const found = this.hierarchy.inClass(entry, name);
    if (!found) {
      const externals = this.hierarchy.externals(entry);
      if (externals.length === 0) return held(value, name);
      return externals.slice(0, 2).map((base) => ({ kind: 'external', name: `${base}.${name}` }));
    }
    const { owner, method, file } = found;
    if (method) {
      if (method.getter) return this.returned(file, method);
      const exact = value.kind === 'class' || value.exact;
      return [{ kind: 'function', file, symbol: method, ...(exact ? {} : { receiver: entry }) }];
    }
    const places = this.hierarchy.lineage(entry).flatMap((each) => each.attributes.get(name) ?? []);
    const values = [...this.attributeValues(places)];
    const isSlot = places.some(
      ({ fact }) =>
        fact.type && (returnOfFunctionType(fact.type) !== undefined || /Function$|Fn$|Callback$/.test(fact.type)),
    );
    for (const each of this.hierarchy.lineage(entry))
      values.push(...heldValues(this, each.file, each.qualname, name, true));
    if (isSlot || values.length === 0) values.push(...assignedValues(this, owner, name));
    return isSlot ? [...values, { kind: 'slot', entry: owner, name }] : values;
  }
}

const none: Value[] = [];

/** Whether a file sees the names of modules it imports or passes on as a whole. */
function bindsOpenly(file: FileEntry): boolean {
  return file.language.id === 'python' || file.language.typing !== undefined;
}
