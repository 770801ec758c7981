import { readdir, realpath, stat } from 'node:fs/promises';
import { extname, join, resolve } from 'node:path';
import { InputError, throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import type { UnknownFile } from './model';
import { inNumberOrder } from './reading/folder';
import { mayHoldTrace, startsLikeTrace } from './reading/head';

const SKIPPED_FOLDERS = new Set(['node_modules', '.git', '.hg', '.svn', '__pycache__', '.venv']);
const MOST_FILES = 100_000;
const DEEPEST = 40;

/** Files to look at, and what was left out with the reason. */
export interface FoundFiles {
  files: string[];
  notRead: UnknownFile[];
}

/**
 * The files that paths stand for. Folders are searched with their subfolders; symbolic links are followed once, so a
 * loop ends. A path that is named directly is taken whatever its ending.
 * @throws InputError `path-missing` when a path does not exist.
 */
export async function collectFiles(paths: readonly string[], work: WorkOptions = {}): Promise<FoundFiles> {
  const search = new Search(work);
  for (const path of paths) {
    const full = resolve(path);
    const stats = await stat(full).catch((cause: unknown) => {
      throw new InputError(`${path} does not exist or cannot be read.`, {
        code: 'path-missing',
        nextStep: 'Give a trace file or a folder with traces.',
        cause,
      });
    });
    if (stats.isDirectory()) await search.folder(full, 0);
    else await search.file(full);
  }
  return { files: search.files, notRead: search.notRead };
}

class Search {
  readonly files: string[] = [];
  readonly notRead: UnknownFile[] = [];
  private readonly seen = new Set<string>();

  constructor(private readonly work: WorkOptions) {}

  async file(full: string): Promise<void> {
    const real = await realpath(full);
    if (this.seen.has(real)) return;
    this.seen.add(real);
    this.files.push(full);
  }

  async folder(full: string, depth: number): Promise<void> {
    throwIfCancelled(this.work.signal, 'Searching for traces');
    let real: string;
    let names: string[];
    try {
      real = await realpath(full);
      if (this.seen.has(real)) return;
      this.seen.add(real);
      names = (await readdir(full)).sort(inNumberOrder);
    } catch {
      this.notRead.push({ file: full, reason: 'the folder cannot be read' });
      return;
    }
    if (depth > DEEPEST) {
      this.notRead.push({ file: full, reason: `more than ${DEEPEST} folders deep; it was not searched` });
      return;
    }
    const others = new Map<string, number>();
    for (const name of names) await this.entry(join(full, name), name, depth, others);
    if (others.size === 0) return;
    const count = [...others.values()].reduce((sum, times) => sum + times, 0);
    const endings = [...others.keys()].slice(0, 6).join(', ');
    const files = count === 1 ? '1 file with another ending' : `${count} files with other endings`;
    const reason = `${files} (${endings}), such as notes and code, not read as traces; name a file directly to try it`;
    this.notRead.push({ file: full, reason });
  }

  private async entry(full: string, name: string, depth: number, others: Map<string, number>): Promise<void> {
    const stats = await stat(full).catch(() => null);
    if (stats === null) {
      this.notRead.push({ file: full, reason: 'it cannot be read (a broken link or no permission)' });
    } else if (stats.isDirectory()) {
      if (!SKIPPED_FOLDERS.has(name)) await this.folder(full, depth + 1);
    } else if (stats.isFile()) {
      // A recording belongs to the trace it lies beside; links read it.
      if (name.endsWith('.recording.jsonl')) return;
      if (!mayHoldTrace(name) && !(await startsLikeTrace(full))) {
        const ending = extname(name).toLowerCase();
        others.set(ending, (others.get(ending) ?? 0) + 1);
      } else if (this.files.length < MOST_FILES) await this.file(full);
      else this.notRead.push({ file: full, reason: `more than ${MOST_FILES} files; import the rest apart` });
    }
  }
}
