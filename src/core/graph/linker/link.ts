import type { PackageFact } from '../languages/language';
import type { GraphData, GraphFile } from '../model';
import {
  addAttributes,
  addConfiguration,
  addImports,
  addInheritance,
  addLiterals,
  addSymbols,
  addTools,
} from './declarations';
import { Dispatch } from './dispatch';
import { GraphBuilder } from './graphBuilder';
import { joinLibraryLoops } from './libraryLoops';
import { addForeignMembers } from './receivers';
import { type CallCounts, CallLinker } from './resolveCalls';
import { NameResolver } from './resolveNames';
import { StateLinker } from './resolveState';
import { TextResolver } from './resolveTexts';
import { type AnalyzedFile, SymbolTable } from './symbolTable';

export interface LinkInput {
  root: string;
  files: GraphFile[];
  analyzed: readonly AnalyzedFile[];
  packages: readonly PackageFact[];
}

/** Joins the facts of single files into one graph. */
export function link({ root, files, analyzed, packages }: LinkInput): { data: GraphData; counts: CallCounts } {
  const builder = new GraphBuilder();
  for (const file of files) {
    const name = file.path.slice(file.path.lastIndexOf('/') + 1);
    builder.node({
      id: file.path,
      kind: 'file',
      name,
      qualname: '',
      file: file.path,
      start: 1,
      end: Math.max(1, file.lines),
    });
  }
  const table = new SymbolTable(analyzed, packages);
  const names = new NameResolver(table);
  const texts = new TextResolver(names);
  const calls = new CallLinker(names, new Dispatch(table, names.hierarchy), texts, builder);
  const state = new StateLinker(names, texts, builder);
  for (const file of table.files.values()) addSymbols(builder, file);
  addForeignMembers(builder, names);
  for (const entry of table.classes.values()) {
    if (table.isShadow(entry)) continue;
    addAttributes(builder, names, entry);
    addInheritance(builder, names, entry);
  }
  for (const file of table.files.values()) {
    addImports(builder, names, file);
    addLiterals(builder, file);
    addConfiguration(builder, file);
    addTools(builder, names, texts, file);
    calls.link(file);
    state.link(file);
  }
  const data = builder.finish(root, files);
  joinLibraryLoops(data, table.files);
  return { data, counts: calls.counts };
}
