import type { OutlineRecord } from './analyzeFile';
import type { ArtifactFacts } from './artifacts';
import { type Joined, joinFiles } from './assemble';
import type { CachedFile, IndexCache } from './indexCache';
import type { GraphCounts } from './indexStats';
import type { PackageFact } from './languages/language';
import type { FileGraph } from './linker/graphBuilder';
import { Linker } from './linker/link';
import type { AnalyzedFile } from './linker/symbolTable';
import type { GraphEdge, GraphFile } from './model';
import { NodeIndex } from './nodeIndex';
import type { Body } from './outline';
import { type ChangedEnds, ProgramGraph } from './programGraph';

interface Known {
  file: GraphFile;
  artifact: ArtifactFacts | null;
  package: PackageFact | null;
  isCode: boolean;
}

/** Files by path with what they say about themselves. */
export type Records = ReadonlyMap<string, { row: CachedFile; record: OutlineRecord }>;

/** The linked files of a harness with its prompts, descriptors and packages. Bodies stay in the cache. */
export class LinkedFiles {
  /** Files whose body the cache does not have, or not for this text: they were linked as if they had none. */
  readonly lost: CachedFile[] = [];
  private readonly known = new Map<string, Known>();
  private readonly linker: Linker;
  private readonly index = new NodeIndex();
  private joined: Joined | undefined;
  /** Links of files as they were when they were joined last. */
  private before = new Map<string, FileGraph>();
  private cache: IndexCache | undefined;

  constructor(records: Records) {
    const analyzed: AnalyzedFile[] = [];
    for (const { row, record } of records.values()) {
      this.known.set(row.path, knownOf(row, record));
      if (record.facts) analyzed.push(this.analyzed(row, record));
    }
    const packages = [...this.known.values()].flatMap((each) => each.package ?? []);
    this.linker = new Linker(analyzed, packages);
  }

  /** Links every file; lets other work of the thread in between. @throws CancelledError */
  async linkAll(cache: IndexCache, signal?: AbortSignal): Promise<void> {
    this.cache = cache;
    await this.linker.linkAll(signal);
    this.cache = undefined;
  }

  /** Takes new texts of files it knows. False when only a new instance can tell, and this one is of no use any more. */
  update(records: Records, cache: IndexCache): boolean {
    const analyzed: AnalyzedFile[] = [];
    for (const { row, record } of records.values()) {
      const before = this.known.get(row.path);
      const after = knownOf(row, record);
      if (before?.isCode !== after.isCode) return false;
      if (JSON.stringify(before.package) !== JSON.stringify(after.package)) return false;
      this.known.set(row.path, after);
      if (record.facts) analyzed.push(this.analyzed(row, record));
    }
    this.cache = cache;
    const linked = this.linker.update(analyzed);
    this.cache = undefined;
    return linked !== undefined;
  }

  /** The graph; `last` is the one that was joined before, if any. */
  join(root: string, last?: ProgramGraph): { graph: ProgramGraph; counts: GraphCounts } {
    const { linked } = this.linker;
    const before = this.joined;
    const joined = this.joinAll(root);
    const changed = before && last?.data === before.data ? this.changedEnds(last, before, joined) : undefined;
    this.joined = joined;
    this.before = new Map(linked);
    const byId = this.index.current();
    return { graph: new ProgramGraph(joined.data, { byId, ...(changed ? { changed } : {}) }), counts: joined.counts };
  }

  private changedEnds(before: ProgramGraph, last: Joined, joined: Joined): ChangedEnds {
    const from = new Set<string>();
    const to = new Set<string>();
    const add = (edges: readonly GraphEdge[]) => {
      for (const edge of edges) {
        from.add(edge.from);
        to.add(edge.to);
      }
    };
    add(last.made);
    add(joined.made);
    for (const [path, file] of this.linker.linked) {
      const old = this.before.get(path);
      if (old !== file) for (const edges of [...(old?.edges ?? []), ...file.edges]) add(edges);
    }
    // Whether a key is that of a file decides where edges of any file lead.
    for (const keys of [last.keys, joined.keys]) for (const id of keys) to.add(id);
    return { before, from, to };
  }

  private joinAll(root: string): Joined {
    const all = [...this.known.values()];
    const files = all.flatMap(({ file, artifact, isCode }) => (isCode || artifact ? file : []));
    return joinFiles(
      root,
      files,
      this.linker.linked,
      all.flatMap(({ artifact }) => artifact ?? []),
      this.index,
    );
  }

  private analyzed(row: CachedFile, { language, facts }: OutlineRecord): AnalyzedFile {
    const body = (): Body => {
      const stored = this.cache?.body(row.path, row.hash);
      if (!stored) this.lost.push(row);
      return stored ?? { calls: [], accesses: [], strings: [], tools: [], configurations: [] };
    };
    return { path: row.path, language, outline: facts!, body };
  }
}

function knownOf({ path, hash, bytes }: CachedFile, record: OutlineRecord): Known {
  const { language, lines, facts, artifact } = record;
  const file = { path, language, hash, lines, bytes, parseErrors: facts?.parseErrors ?? 0 };
  return { file, artifact, package: record.package, isCode: facts !== null };
}
