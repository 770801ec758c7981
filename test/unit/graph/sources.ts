import { recordOf } from '../../../src/core/graph/analyzeFile';
import { assemble, type GraphCounts } from '../../../src/core/graph/assemble';
import type { FileFacts } from '../../../src/core/graph/fileFacts';
import { hashText } from '../../../src/core/graph/hash';
import type { EdgeKind } from '../../../src/core/graph/model';
import { ProgramGraph } from '../../../src/core/graph/programGraph';

/** The graph of sources given as path and text, without a file system. */
export async function graphOf(sources: Record<string, string>): Promise<{ graph: ProgramGraph; counts: GraphCounts }> {
  const indexed = [];
  for (const [path, text] of Object.entries(sources)) {
    indexed.push({ path, hash: hashText(text), bytes: text.length, record: await recordOf(path, text) });
  }
  const { data, counts } = assemble('/harness', indexed);
  return { graph: new ProgramGraph(data), counts };
}

/** Facts of one source. */
export async function factsOf(path: string, text: string): Promise<FileFacts> {
  const { facts } = await recordOf(path, text);
  if (!facts) throw new Error(`No parser reads ${path}.`);
  return facts;
}

/** Ends of the edges that leave a node, sorted; a `?` marks those that are not certain. */
export function ends(graph: ProgramGraph, from: string, kind: EdgeKind): string[] {
  return graph
    .out(from, kind)
    .map((edge) => edge.to + (edge.certain === false ? ' ?' : ''))
    .sort();
}
