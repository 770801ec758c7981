import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProgramGraph } from '../../graph';
import type { Harness } from '../../harness';
import { isForeignFile, isTestFile } from '../vocabulary';
import type { Entry } from './entries';
import type { FoundLoop } from './loops';
import { type Reach, reachedFrom } from './reach';

const manifest = /^(?:package\.json|pyproject\.toml|Cargo\.toml|go\.mod|requirements\.txt)$/;
/** Packages of a workspace lie this deep, and no more folders are looked into. */
const deepest = 4;
const mostFolders = 600;
const languageOf: Record<string, string> = { py: 'python', go: 'go', rs: 'rust' };

/** Folders that describe a package of their own, with a slash at the end; the root as the empty text. */
export async function packageRoots(graph: ProgramGraph, harness: Harness): Promise<string[]> {
  const folders = new Set<string>(['']);
  for (const { path } of graph.data.files) {
    if (isTestFile(path) || isForeignFile(path)) continue;
    const parts = path.split('/');
    for (let depth = 1; depth <= Math.min(deepest, parts.length - 1); depth++)
      folders.add(`${parts.slice(0, depth).join('/')}/`);
  }
  const found: string[] = [''];
  for (const folder of [...folders].sort().slice(0, mostFolders)) {
    // A folder of the graph that is gone by now describes nothing.
    const names = await readdir(join(harness.root, folder)).catch(() => []);
    if (folder !== '' && names.some((name) => manifest.test(name))) found.push(folder);
  }
  return found;
}

export interface ApartInput {
  graph: ProgramGraph;
  reach: Reach;
  entries: readonly Entry[];
  loops: readonly FoundLoop[];
  packages: readonly string[];
}

/**
 * Whether a file belongs to another program of the same repository: to a package that no call from the loop, or from the
 * entry points that come first, leads to, or to code in another language that neither leads to. Without a loop nothing is.
 */
export function otherPrograms({ graph, reach, entries, loops, packages }: ApartInput): (file: string) => boolean {
  const loop = loops[0]?.node;
  if (!loop) return () => false;
  const starts = [loop.id, ...entries.slice(0, 2).flatMap((entry) => startsOf(entry, graph))];
  const files = new Set([...reachedFrom(starts, reach)].map((id) => graph.node(id)?.file ?? ''));
  const packageOf = (file: string): string => {
    let best = '';
    for (const folder of packages) if (folder.length > best.length && file.startsWith(folder)) best = folder;
    return best;
  };
  const reached = new Set([...files].map(packageOf));
  return (file) => !files.has(file) && (!reached.has(packageOf(file)) || isForeignTo(loop.file, file));
}

function startsOf(entry: Entry, graph: ProgramGraph): string[] {
  return [entry.id, ...graph.out(entry.id, 'calls').map((edge) => edge.to)];
}

/** Whether both are code, in languages that do not call each other. */
function isForeignTo(loop: string, file: string): boolean {
  const [a, b] = [loop, file].map((path) => {
    const ending = path.slice(path.lastIndexOf('.') + 1);
    return languageOf[ending] ?? (/^[cm]?[jt]sx?$/.test(ending) ? 'typescript' : undefined);
  });
  return a !== undefined && b !== undefined && a !== b;
}
