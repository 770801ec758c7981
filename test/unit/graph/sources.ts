import { recordOf } from '../../../src/core/graph/analyzeFile';
import { joinFiles } from '../../../src/core/graph/assemble';
import type { FileFacts } from '../../../src/core/graph/fileFacts';
import { hashText } from '../../../src/core/graph/hash';
import type { GraphCounts } from '../../../src/core/graph/indexStats';
import { Linker } from '../../../src/core/graph/linker/link';
import type { EdgeKind } from '../../../src/core/graph/model';
import { splitFacts } from '../../../src/core/graph/outline';
import { ProgramGraph } from '../../../src/core/graph/programGraph';

/** The graph of sources given as path and text, without a file system. */
export async function graphOf(sources: Record<string, string>): Promise<{ graph: ProgramGraph; counts: GraphCounts }> {
  const files = [];
  const analyzed = [];
  const packages = [];
  const artifacts = [];
  for (const [path, text] of Object.entries(sources)) {
    const { language, lines, facts, artifact, package: found } = await recordOf(path, text);
    const parseErrors = facts?.parseErrors ?? 0;
    files.push({ path, language, hash: hashText(text), lines, bytes: text.length, parseErrors });
    if (found) packages.push(found);
    if (artifact) artifacts.push(artifact);
    if (!facts) continue;
    const { outline, body } = splitFacts(facts);
    analyzed.push({ path, language, outline, body: () => body });
  }
  const linker = new Linker(analyzed, packages);
  await linker.linkAll();
  const { data, counts } = joinFiles('/harness', files, linker.linked, artifacts);
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
