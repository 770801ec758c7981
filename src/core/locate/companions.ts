import type { GraphNode, ProgramGraph } from '../graph';
import { isTestFile, type Sources, type Unit } from '../handbook';
import type { LocateAnswer, LocatedSite } from './model';
import type { Prepared } from './prepare';
import { coChanged } from './ranking';

type Companion = LocateAnswer['alsoLookAt'][number];

const shown = 10;
/** A name with more definitions than this is a word, not an interface. */
const mostImplementations = 6;

/**
 * What tends to change along: other implementations of the same method, files that changed together in the past,
 * fallback paths, descriptors, prompts and configuration of the units, tests and documents that name the definitions.
 */
export function companions(
  sites: readonly LocatedSite[],
  units: readonly Unit[],
  graph: ProgramGraph,
  { sources, corpus }: Pick<Prepared, 'sources' | 'corpus'>,
): Companion[] {
  const found = new Map<string, Companion>();
  const own = new Set(sites.map((site) => site.file));
  const add = (companion: Companion): void => {
    if (companion.file !== '' && !found.has(companion.file) && !own.has(companion.file))
      found.set(companion.file, companion);
  };
  for (const companion of implementations(sites.slice(0, 3), graph)) add(companion);
  for (const companion of ofUnits(units, graph)) add(companion);
  for (const companion of changedTogether(sites, corpus)) add(companion);
  for (const companion of namedIn(sites.slice(0, 5), graph, sources)) add(companion);
  return [...found.values()].slice(0, shown);
}

/** Methods of the same name in other classes: siblings of a protocol, wrappers, the other provider. */
function implementations(sites: readonly LocatedSite[], graph: ProgramGraph): Companion[] {
  return sites.flatMap(({ file, symbol }) => {
    const node = graph.node(`${file}#${symbol}`);
    if (node?.kind !== 'method' || node.name.length < 4 || /^(__\w+__|constructor)$/.test(node.name)) return [];
    const same = graph.data.nodes.filter(
      (other) => other.kind === 'method' && other.name === node.name && other.file !== file && !isTestFile(other.file),
    );
    if (same.length > mostImplementations) return [];
    return same.map((other) => at(other, `\`${other.qualname}\` is another implementation of \`${node.name}\``));
  });
}

function ofUnits(units: readonly Unit[], graph: ProgramGraph): Companion[] {
  return units.flatMap((unit) => {
    const parts = [...unit.tools, ...unit.prompts, ...unit.config].flatMap((id) => graph.node(id) ?? []);
    return parts.map((node) => at(node, `${wordsOfPart(node)} \`${node.name}\`, used by "${unit.title}"`));
  });
}

function wordsOfPart({ kind }: GraphNode): string {
  if (kind === 'tool') return 'descriptor of the tool';
  return kind === 'prompt' ? 'text for the model' : 'configuration of';
}

function changedTogether(sites: readonly LocatedSite[], { index, history }: Prepared['corpus']): Companion[] {
  if (!history) return [];
  const files = [...new Set(sites.slice(0, 3).map((site) => site.file))];
  return files.flatMap((path) => {
    const file = index.fileOfPath.get(path);
    if (file === undefined) return [];
    return coChanged(history, file).map(({ file: other, together, times }) => ({
      file: index.files[other]?.path ?? '',
      line: 1,
      reason: `changed together with ${path} in ${together} of ${times} commits`,
    }));
  });
}

function namedIn(sites: readonly LocatedSite[], graph: ProgramGraph, sources: Sources): Companion[] {
  const names = [...new Set(sites.map((site) => site.symbol.slice(site.symbol.lastIndexOf('.') + 1)))].filter(
    (name) => name.length >= 5 && !/^(__\w+__|constructor)$/.test(name),
  );
  return graph.data.files.flatMap(({ path }): Companion[] => {
    const test = isTestFile(path);
    if (!test && !/(^|\/)(readme|docs?\/)[^/]*.*\.md$/i.test(path)) return [];
    const lines = sources.lines(path);
    for (const name of names) {
      const line = lines.findIndex((text) => text.includes(name));
      if (line !== -1)
        return [{ file: path, line: line + 1, reason: `${test ? 'test' : 'document'} that names \`${name}\`` }];
    }
    return [];
  });
}

function at(node: GraphNode, reason: string): Companion {
  return { file: node.file, line: node.start, reason };
}
