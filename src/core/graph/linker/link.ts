import { setImmediate } from 'node:timers/promises';
import { throwIfCancelled } from '../../errors';
import type { PackageFact } from '../languages/language';
import { affectedBy } from './affected';
import {
  addAttributes,
  addConfiguration,
  addImports,
  addInheritance,
  addLiterals,
  addSymbols,
  addTools,
  twinsOf,
} from './declarations';
import { Dispatch } from './dispatch';
import { type FileGraph, GraphBuilder } from './graphBuilder';
import { type LoopCall, loopsIn } from './libraryLoops';
import { addForeignMembers } from './receivers';
import { type Change, renew } from './renew';
import { type CallCounts, CallLinker } from './resolveCalls';
import { NameResolver } from './resolveNames';
import { StateLinker } from './resolveState';
import { TextResolver } from './resolveTexts';
import { type AnalyzedFile, type FileEntry, SymbolTable } from './symbolTable';

/** Milliseconds after which other work of the thread gets its turn. */
const longestTurn = 20;

/** What the links of one file gave. */
export interface LinkedFile extends FileGraph {
  counts: CallCounts;
  /** Calls that may run a loop in a library. */
  loops: LoopCall[];
}

/**
 * Joins the facts of single files into one graph, file by file. It remembers who looked up what, so that a changed text
 * costs work only for its file and for those whose links come out otherwise.
 */
export class Linker {
  /** Links of each file, in the order of the files. */
  readonly linked = new Map<string, LinkedFile>();
  private readonly table: SymbolTable;
  private readonly names: NameResolver;
  private readonly texts: TextResolver;
  private readonly builder: GraphBuilder;
  private readonly dispatch: Dispatch;
  private readonly calls: CallLinker;
  private readonly state: StateLinker;

  constructor(analyzed: readonly AnalyzedFile[], packages: readonly PackageFact[]) {
    this.table = new SymbolTable(analyzed, packages);
    this.names = new NameResolver(this.table);
    this.texts = new TextResolver(this.names);
    this.builder = new GraphBuilder(twinsOf(this.table));
    this.dispatch = new Dispatch(this.table, this.names.hierarchy, this.names.memos);
    this.calls = new CallLinker(this.names, this.dispatch, this.texts, this.builder);
    this.state = new StateLinker(this.names, this.texts, this.builder);
  }

  /** Links every file; other work of the thread gets its turn in between. @throws CancelledError between files */
  async linkAll(signal?: AbortSignal): Promise<void> {
    let began = performance.now();
    for (const file of this.table.files.values()) {
      if (performance.now() - began > longestTurn) {
        await setImmediate();
        throwIfCancelled(signal, 'Indexing');
        began = performance.now();
      }
      this.link(file);
    }
  }

  /**
   * Takes new texts of files it knows and links what changed with them.
   *
   * @returns paths of the files that were linked; undefined when only a new linker can tell, and this one is of no use
   */
  update(analyzed: readonly AnalyzedFile[]): Set<string> | undefined {
    const changes: Change[] = [];
    for (const file of analyzed) {
      const change = renew(this.table, file);
      if (!change) return undefined;
      changes.push(change);
    }
    const files = affectedBy(changes, this.names);
    for (const { file } of changes) files.add(file);
    for (const file of files) this.link(file);
    return new Set([...files].map(({ path }) => path));
  }

  private link(file: FileEntry): void {
    const { builder, names, table } = this;
    const more = names.memos.alone(file.links, () => {
      addSymbols(builder, file);
      builder.nextPart();
      addForeignMembers(builder, names, file);
      for (const entry of file.classes) {
        if (table.isShadow(entry)) continue;
        addAttributes(builder, names, entry);
        addInheritance(builder, names, entry);
      }
      builder.nextPart();
      addImports(builder, names, file);
      addLiterals(builder, file);
      addConfiguration(builder, file);
      addTools(builder, names, this.texts, this.dispatch, file);
      const found = this.calls.link(file);
      this.state.link(file);
      return { counts: found, loops: loopsIn(file) };
    });
    file.releaseBody();
    this.linked.set(file.path, { ...builder.take(), ...more });
  }
}
