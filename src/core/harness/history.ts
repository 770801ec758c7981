import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { throwIfCancelled } from '../errors';
import type { WorkOptions } from '../progress';
import { quietEnvironment, quietly } from './git';
import { attributes, definedName, definitionPattern, driverOptions } from './historyDefinitions';
import { gitLines, pathOfGit } from './historyLines';

export const TouchedFile = z.object({
  path: z.string(),
  /** Last names of the definitions in which lines changed. */
  names: z.array(z.string()),
});

/** One commit as far as it tells where behaviour lives. */
export const PastChange = z.object({
  id: z.string(),
  /** Seconds since 1970. */
  time: z.int(),
  message: z.string(),
  files: z.array(TouchedFile),
});
export type PastChange = z.infer<typeof PastChange>;

export interface HistoryOptions extends WorkOptions {
  /** Commits whose ancestors are read. */
  heads: readonly string[];
  /** Commits that are known already, with all their ancestors. */
  known?: readonly string[];
  /** At most this many commits, newest first. */
  limit?: number;
  /** Files that count; a commit that touches none of them is left out. */
  accepts: (path: string) => boolean;
}

/** Wider commits move or reformat; they say nothing of one behaviour. */
const widest = 40;
const longestMessage = 4_000;
const longestLine = 400;

/**
 * Changes of the past, newest first: which definitions each commit touched, by the names in hunk headers and changed
 * lines. Reads from git as it goes, so memory holds only what is returned. Merges are left out; a rename is a file that
 * went and one that came.
 */
export async function readHistory(folder: string, options: HistoryOptions): Promise<PastChange[]> {
  const scratch = await mkdtemp(join(tmpdir(), 'harnessmith-history-'));
  try {
    const file = join(scratch, 'attributes');
    await writeFile(file, attributes);
    return await readLog(folder, ['-c', `core.attributesFile=${file}`, ...driverOptions], options);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** What is worth diffing; data, pictures and lock files are large and tell nothing. */
const sources = (
  'py ts tsx mts cts js jsx mjs cjs go rs sh j2 jinja jinja2 prompt hbs mustache liquid tpl gotmpl md txt yaml yml toml ' +
  'proto sb'
).split(' ');
const pathspecs = [
  ...[...sources.map((ending) => `*.${ending}`), '**/bin/**', '**/commands/**', '**/lib/**'],
  ...['dist', 'node_modules', 'vendor', 'docs'].map((folder) => `:(exclude,glob)**/${folder}/**`),
  ...['*.min.js', '*.snap', '*.d.ts'].map((name) => `:(exclude)${name}`),
];

/** A partial clone may lack objects, at which git stops; so often it is started again behind such a commit. */
const maximumGaps = 40;

async function readLog(folder: string, settings: readonly string[], options: HistoryOptions): Promise<PastChange[]> {
  const reader = new LogReader(options.accepts);
  for (let gaps = 0; gaps <= maximumGaps; gaps++) {
    const before = reader.seen;
    if ((await readFrom(folder, settings, options, reader)) === 0 || reader.seen === before) break;
  }
  throwIfCancelled(options.signal, 'Reading history');
  return reader.finish();
}

/** Goes on behind the commits that the reader has seen; returns the exit code of git. */
async function readFrom(
  folder: string,
  settings: readonly string[],
  options: HistoryOptions,
  reader: LogReader,
): Promise<number> {
  const args = [
    ...[...quietly, ...settings, '-c', 'log.showRoot=true'],
    ...['log', '--no-merges', '--no-renames', '--no-ext-diff', '--no-textconv', '--no-color', '-p', '-U0', '-w'],
    // Settings of a repository or a person must change nothing. No message holds a NUL; it ends on a line
    // of its own, as of long lines only the start is read.
    ...['--no-show-signature', '--encoding=UTF-8', '--inter-hunk-context=0', '--no-relative'],
    ...['--format=%x00%H %ct%n%B%n%x00', '--diff-filter=AMD', '--no-prefix'],
    ...[`--max-count=${(options.limit ?? 5_000) - reader.seen}`, `--skip=${reader.seen}`, '--end-of-options'],
    ...[...options.heads, ...(options.known ?? []).map((id) => `^${id}`), '--', ...pathspecs],
  ];
  const child = spawn('git', args, {
    cwd: folder,
    env: { ...quietEnvironment(), GIT_NO_LAZY_FETCH: '1' },
    stdio: ['ignore', 'pipe', 'ignore'],
    signal: options.signal,
  });
  const ended = new Promise<number>((resolve) => {
    child.on('error', () => resolve(1));
    child.on('close', (code) => resolve(code ?? 1));
  });
  for await (const line of gitLines(child.stdout)) {
    reader.take(line);
    if (line.startsWith('\0') && reader.seen % 200 === 0)
      options.progress?.({ message: 'Reading history', done: reader.seen });
  }
  return ended;
}

/** Takes the lines of `git log -p` one by one. */
export class LogReader {
  readonly changes: PastChange[] = [];
  /** Commits begun so far. */
  seen = 0;
  private current: { id: string; time: number; message: string[]; files: Map<string, Set<string>> } | undefined;
  private inMessage = false;
  private names: Set<string> | undefined;
  private pattern: RegExp | undefined;
  private inHunk = false;
  /** The definition that git sees around the hunk, until its first line is read. */
  private around: string | undefined;

  constructor(private readonly accepts: (path: string) => boolean) {}

  take(line: string): void {
    if (this.inMessage) this.takeMessage(line);
    else if (line.startsWith('\0')) this.begin(line);
    else if (line.startsWith('diff --git ')) {
      this.names = undefined;
      this.inHunk = false;
    } else if (!this.inHunk && (line.startsWith('+++ ') || line.startsWith('--- '))) this.takePath(line.slice(4));
    else if (line.startsWith('@@ ')) this.takeHunk(line);
    else if (this.inHunk && /^[+-]/.test(line)) this.takeChange(line.slice(1));
  }

  finish(): PastChange[] {
    this.close();
    return this.changes;
  }

  private begin(line: string): void {
    this.close();
    this.seen += 1;
    const [id = '', time = ''] = line.slice(1).split(' ');
    this.current = { id, time: Number(time) || 0, message: [], files: new Map() };
    this.inMessage = true;
    this.names = undefined;
    this.inHunk = false;
  }

  private takeMessage(line: string): void {
    this.inMessage = !line.endsWith('\0');
    this.current?.message.push(this.inMessage ? line : line.slice(0, -1));
  }

  /** The old path comes first and the new one after it; one of them may be `/dev/null`. */
  private takePath(text: string): void {
    const path = pathOfGit(text.replace(/\t$/, ''));
    if (text === '/dev/null' || !this.current) return;
    this.names = undefined;
    if (!this.accepts(path)) return;
    this.pattern = definitionPattern(path);
    this.names = this.current.files.get(path) ?? new Set();
    this.current.files.set(path, this.names);
  }

  private takeHunk(line: string): void {
    this.inHunk = true;
    const header = line.slice(line.indexOf(' @@') + 4);
    this.around = this.pattern && header !== '' ? definedName(this.pattern, header) : undefined;
  }

  private takeChange(line: string): void {
    if (!this.names || !this.pattern || line.length > longestLine || line.trim() === '') return;
    const name = definedName(this.pattern, line);
    // Git names the function above, although a definition at the margin begins after it.
    if (this.around && !(name && /^\S/.test(line))) this.names.add(this.around);
    this.around = undefined;
    if (name) this.names.add(name);
  }

  private close(): void {
    const done = this.current;
    this.current = undefined;
    if (!done || done.files.size === 0 || done.files.size > widest) return;
    this.changes.push({
      id: done.id,
      time: done.time,
      message: done.message.join('\n').trim().slice(0, longestMessage),
      files: [...done.files].map(([path, names]) => ({ path, names: [...names] })),
    });
  }
}
