import { InputError, throwIfCancelled } from '../../errors';
import type { GraphNode, ProgramGraph } from '../../graph';
import { type Harness, readHarnessFile } from '../../harness';
import type { WorkOptions } from '../../progress';
import type { Site } from '../model';
import { linesOf, siteOf } from '../site';

/** The text of the indexed files, as lines; read once for one derivation. */
export class Sources {
  /** Files of the graph that are gone since it was made. */
  readonly missing: string[] = [];

  constructor(private readonly texts: ReadonlyMap<string, readonly string[]>) {}

  lines(file: string): readonly string[] {
    return this.texts.get(file) ?? [];
  }

  has(file: string): boolean {
    return this.texts.has(file);
  }

  /** The text of a line range, from 1, both ends included. */
  text(file: string, start: number, end: number): string {
    return this.lines(file)
      .slice(start - 1, end)
      .join('\n');
  }

  site(file: string, symbol: string, start: number, end: number): Site {
    return siteOf(file, symbol, start, end, this.lines(file));
  }

  nodeSite(node: GraphNode): Site {
    return this.site(node.file, node.qualname, node.start, node.end);
  }
}

/**
 * Reads every file of the graph.
 * @throws EnvironmentError when a file exists but cannot be read.
 */
export async function loadSources(
  graph: ProgramGraph,
  harness: Pick<Harness, 'root'>,
  work: WorkOptions = {},
): Promise<Sources> {
  const texts = new Map<string, string[]>();
  const sources = new Sources(texts);
  const files = graph.data.files.map((file) => file.path);
  for (let at = 0; at < files.length; at += 32) {
    throwIfCancelled(work.signal, 'Reading sources');
    const batch = files.slice(at, at + 32);
    const read = await Promise.all(
      batch.map((path) =>
        readHarnessFile(harness, path).catch((error: unknown) => {
          if (error instanceof InputError) return undefined;
          throw error;
        }),
      ),
    );
    batch.forEach((path, index) => {
      const text = read[index];
      if (text === undefined) sources.missing.push(path);
      else texts.set(path, linesOf(text));
    });
  }
  return sources;
}
