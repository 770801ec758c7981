import { throwIfCancelled } from '../errors';
import type { ProgramGraph } from '../graph';
import { type BehaviourMap, loadSources, type Sources } from '../handbook';
import { type Harness, readHarnessFile, walkFiles } from '../harness';
import type { WorkOptions } from '../progress';
import { pastOf } from './past';
import {
  buildSearchIndex,
  type Corpus,
  type FileTerms,
  findReferences,
  layHistory,
  maximumSearchableBytes,
  meaningOf,
  searchableKind,
  termsOfFile,
  termsOfIndexed,
} from './ranking';
import { type UnitIndex, unitIndexOf } from './units';
import { shippedVectors } from './vectorTable';

/** A harness made ready for requests. */
export interface Prepared {
  map: BehaviourMap;
  corpus: Corpus;
  sources: Sources;
  units: UnitIndex;
  /** Row of a graph node, by id. */
  rowOfNode: ReadonlyMap<string, number>;
}

/** One preparation a graph; a refresh makes a new graph and so a new one. */
const prepared = new WeakMap<ProgramGraph, Prepared>();
/** Words of files by content, so that a refresh counts only what changed. */
const counted = new Map<string, FileTerms>();
const countedLimit = 20_000;

/** Words, references, history and meaning of a harness; kept until its graph changes. */
export async function prepare(
  input: WorkOptions & { harness: Harness; graph: ProgramGraph; map: BehaviourMap },
): Promise<Prepared> {
  const { graph, map } = input;
  const known = prepared.get(graph);
  if (known) {
    if (known.map !== map) Object.assign(known, { map, units: unitIndexOf(map, graph) });
    return known;
  }
  const sources = await loadSources(graph, input.harness, input);
  const index = buildSearchIndex([...indexedFiles(graph, sources), ...(await otherFiles(input))]);
  const history = layHistory(index, await pastOf(input.harness, input));
  const vectors = await shippedVectors();
  throwIfCancelled(input.signal, 'Preparing the search');
  const made: Prepared = {
    map,
    sources,
    corpus: {
      index,
      references: findReferences(index),
      history,
      ...(vectors ? { meaning: meaningOf(index, vectors) } : {}),
    },
    units: unitIndexOf(map, graph),
    rowOfNode: new Map(index.rows.map(({ file, name }, row) => [`${index.files[file]?.path}#${name}`, row])),
  };
  prepared.set(graph, made);
  return made;
}

interface Source {
  path: string;
  terms: FileTerms;
}

function indexedFiles(graph: ProgramGraph, sources: Sources): Source[] {
  if (counted.size > countedLimit) counted.clear();
  return graph.data.files.flatMap(({ path, hash, bytes }) => {
    if (bytes > maximumSearchableBytes || !searchableKind(path) || !sources.has(path)) return [];
    const key = `${path} ${hash}`;
    let terms = counted.get(key);
    if (!terms) {
      terms = termsOfIndexed(sources.lines(path).join('\n'), graph.inFile(path));
      counted.set(key, terms);
    }
    return [{ path, terms }];
  });
}

/** Shell scripts, commands without an ending and other texts that the index does not read. */
async function otherFiles(input: WorkOptions & { harness: Harness; graph: ProgramGraph }): Promise<Source[]> {
  const indexed = new Set(input.graph.data.files.map(({ path }) => path));
  const { files } = await walkFiles(input.harness, input);
  const found: Source[] = [];
  for (const { path, bytes } of files) {
    if (indexed.has(path) || bytes > maximumSearchableBytes || !searchableKind(path)) continue;
    throwIfCancelled(input.signal, 'Reading sources');
    const text = await readHarnessFile(input.harness, path).catch(() => undefined); // removed meanwhile
    if (text === undefined || text.includes('\0')) continue;
    found.push({ path, terms: await termsOfFile(path, text) });
  }
  return found;
}
