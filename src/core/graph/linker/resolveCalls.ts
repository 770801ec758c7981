import type { CallFact, SymbolFact } from '../fileFacts';
import { boundaryOf, libraryName } from './boundaries';
import type { Dispatch, Target } from './dispatch';
import { isGeneratedSetter } from './generated';
import type { GraphBuilder } from './graphBuilder';
import type { NameResolver } from './resolveNames';
import type { TextResolver } from './resolveTexts';
import { type FileEntry, parentScope, symbolId } from './symbolTable';
import { isTestFile, outsideTests, placeOf } from './testFiles';
import type { Value } from './values';

const mostCandidates = 5;

export interface CallCounts {
  calls: number;
  /** Led to code of the harness or to a boundary. */
  resolved: number;
  /** Library and built-in calls. */
  external: number;
  unresolved: number;
}

/** Turns the raw calls of files into edges. */
export class CallLinker {
  constructor(
    private readonly names: NameResolver,
    private readonly dispatch: Dispatch,
    private readonly texts: TextResolver,
    private readonly builder: GraphBuilder,
  ) {}

  link(file: FileEntry): CallCounts {
    const counts: CallCounts = { calls: 0, resolved: 0, external: 0, unresolved: 0 };
    for (const call of file.facts.calls) {
      counts.calls += 1;
      counts[this.linkCall(file, call)] += 1;
    }
    for (const access of file.facts.accesses)
      if (access.callback) this.linkCallback(file, access.chain, access.scope, access.line);
    return counts;
  }

  private linkCall(file: FileEntry, call: CallFact): 'resolved' | 'external' | 'unresolved' {
    const values = this.names.evaluate(call.callee, file, call.scope);
    let linked = false;
    let external = false;
    for (const value of values) {
      if (value.kind === 'external') {
        external = true;
        const reached = this.linkBoundary(file, call, value.name);
        if (!reached && !call.decorates) this.noteLibrary(file, call, value.name);
        linked = reached || linked;
      } else linked = this.linkValue(file, call, value) || linked;
    }
    if (linked) return 'resolved';
    if (external || call.decorates || this.isBuiltinMethod(file, call.callee) || isImplicit(file, call.callee))
      return 'external';
    if (this.isGenerated(file, call)) return 'external';
    const candidates = this.candidates(file, call);
    for (const target of candidates) this.calls(file, call, target);
    if (candidates.length > 0) return 'resolved';
    this.builder.data.unresolved.push({
      from: symbolId(file.path, call.scope),
      text: call.text,
      file: file.path,
      line: call.line,
    });
    return 'unresolved';
  }

  private linkValue(file: FileEntry, call: CallFact, value: Value): boolean {
    switch (value.kind) {
      case 'function':
        for (const target of this.dispatch.targets(value.file, value.symbol, value.receiver))
          this.calls(file, call, target);
        return true;
      case 'class': {
        const { entry } = value;
        this.add(file, call, 'constructs', symbolId(entry.file.path, entry.symbol.qualname), true);
        const made = this.names.hierarchy.inClass(entry, entry.file.language.constructorName);
        if (made?.method) this.calls(file, call, { file: made.file, symbol: made.method, certain: true });
        return true;
      }
      case 'instance': {
        const invoked = this.names.hierarchy.inClass(value.entry, '__call__');
        if (invoked?.method) this.calls(file, call, { file: invoked.file, symbol: invoked.method, certain: true });
        return invoked?.method !== undefined;
      }
      case 'slot': {
        const targets = this.dispatch.implementations(value.entry, value.name);
        for (const target of targets) this.calls(file, call, target);
        return targets.length > 0;
      }
      default:
        return false;
    }
  }

  private linkBoundary(file: FileEntry, call: CallFact, external: string): boolean {
    const address = call.arguments?.[0] ? this.texts.textOf(call.arguments[0], file, call.scope) : undefined;
    const boundary = boundaryOf(external, file.language, address);
    if (!boundary) return false;
    this.add(file, call, 'calls', this.builder.boundary(boundary.kind, boundary.name), true);
    return true;
  }

  private noteLibrary(file: FileEntry, { scope, line }: CallFact, external: string): void {
    const name = isTestFile(file.path) ? undefined : libraryName(external, file.language);
    if (name === undefined) return;
    const from = this.builder.idOf(symbolId(file.path, scope));
    this.builder.data.libraryCalls.push({ from, name, file: file.path, line });
  }

  /** `text.trim()`: a method of built-in types that nothing in the harness has. */
  private isBuiltinMethod(file: FileEntry, callee: string): boolean {
    const dot = callee.lastIndexOf('.');
    const name = callee.slice(dot + 1);
    if (dot < 0 || !file.language.builtinMethods.has(name)) return false;
    // Where types are declared, a receiver of the harness would be known.
    return file.language.typing !== undefined || !this.names.table.membersByName.has(name);
  }

  /** A method that is in no source, because a derive makes it. */
  private isGenerated(file: FileEntry, { callee, scope }: CallFact): boolean {
    const dot = callee.lastIndexOf('.');
    if (dot < 0 || file.language.typing !== 'nominal') return false;
    const owners = this.names.evaluate(callee.slice(0, dot), file, scope);
    return owners.some((value) => isGeneratedSetter(this.names.hierarchy, value, callee.slice(dot + 1)));
  }

  /** Methods with the called name, when the receiver is unknown: all when they are few, else those of an interface. */
  private candidates(file: FileEntry, call: CallFact): Target[] {
    const dot = call.callee.lastIndexOf('.');
    const name = call.callee.slice(dot + 1);
    if (dot < 0 || file.language.builtinMethods.has(name) || name === file.language.constructorName) return [];
    const receivers = this.names.evaluate(call.callee.slice(0, dot), file, call.scope);
    if (receivers.length === 0) return this.named(name, file);
    // A class is known that has no such function: only what inherits from it may have one.
    return receivers.flatMap((value) =>
      value.kind === 'instance' || value.kind === 'class' ? this.dispatch.implementations(value.entry, name) : [],
    );
  }

  private named(name: string, file: FileEntry): Target[] {
    const all = (this.names.table.membersByName.get(name) ?? []).filter(
      (candidate) => candidate.file.language.constructorName === file.language.constructorName,
    );
    if (file.language.typing === 'nominal') return this.onlyOne(name, all, file);
    const named = isTestFile(file.path) ? all : outsideTests(all, placeOf);
    const isOnlyInTests = named.every((candidate) => isTestFile(placeOf(candidate))) && !isTestFile(file.path);
    if (named.length > mostCandidates || isOnlyInTests) return this.dispatch.byInterface(name, file);
    // Several of one name that nothing joins would be guesses.
    if (named.length > 1 && !this.areKin(named)) return this.dispatch.byInterface(name, file);
    return named.map(({ file: owner, symbol }) => ({ file: owner, symbol, certain: false }));
  }

  /** Whether one of the methods is what all others override. */
  private areKin(named: readonly { file: FileEntry; symbol: SymbolFact }[]): boolean {
    const { table, hierarchy } = this.names;
    const owners = named.map(({ file, symbol }) => table.classes.in(file, parentScope(symbol.qualname)));
    return owners.some(
      (root) => root && owners.every((owner) => owner !== undefined && hierarchy.lineage(owner).includes(root)),
    );
  }

  /** Types of libraries have most methods there: a name counts only when it is telling and stands for one thing. */
  private onlyOne(name: string, all: readonly { file: FileEntry; symbol: SymbolFact }[], file: FileEntry): Target[] {
    if (!name.includes('_')) return [];
    const named = outsideTests(all, placeOf);
    if (named.length !== 1) return this.dispatch.byInterface(name, file, 1);
    const [only] = named;
    return placeOf(only!) === only!.file.path ? [{ ...only!, certain: false }] : [];
  }

  /** A function handed over may be called by whoever gets it. */
  private linkCallback(file: FileEntry, chain: string, scope: string, line: number): void {
    for (const value of this.names.evaluate(chain, file, scope)) {
      if (value.kind !== 'function' || value.symbol.getter) continue;
      const to = symbolId(value.file.path, value.symbol.qualname);
      this.builder.edge({
        from: symbolId(file.path, scope),
        to,
        kind: 'calls',
        file: file.path,
        line,
        text: chain,
        certain: false,
      });
    }
  }

  private calls(file: FileEntry, call: CallFact, { file: owner, symbol, certain }: Target): void {
    this.add(file, call, 'calls', symbolId(owner.path, symbol.qualname), certain);
  }

  private add(file: FileEntry, call: CallFact, kind: 'calls' | 'constructs', to: string, certain: boolean): void {
    const from = symbolId(file.path, call.scope);
    const base = { from, to, kind, file: file.path, line: call.line, text: call.text };
    this.builder.edge(certain ? base : { ...base, certain });
  }
}

/** The base has no constructor in the source: calling it runs nothing that could be shown. */
function isImplicit(file: FileEntry, callee: string): boolean {
  return callee === `super().${file.language.constructorName}`;
}
