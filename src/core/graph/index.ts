import type { SymbolFact } from './fileFacts';
import { languageOf } from './languages';

export { exportGraph, GraphExport } from './exportGraph';
export { hashText } from './hash';
export { indexHarness, loadGraph } from './indexHarness';
export { type Indexed, IndexSession } from './indexSession';
export { IndexStats } from './indexStats';
export * from './model';
export { ProgramGraph } from './programGraph';

/** Places of a text that its parser cannot understand; empty when no parser reads such a path. */
export async function syntaxErrors(path: string, text: string): Promise<{ line: number; message: string }[]> {
  return (await languageOf(path)?.syntaxErrors(text)) ?? [];
}

/** The symbols that one text defines, without looking at any other file; undefined when no parser reads such a path. */
export async function symbolsIn(path: string, text: string): Promise<SymbolFact[] | undefined> {
  return (await languageOf(path)?.analyze(text))?.symbols;
}
