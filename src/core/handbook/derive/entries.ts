import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { InputError } from '../../errors';
import type { GraphNode, ProgramGraph } from '../../graph';
import { type Harness, readHarnessFile } from '../../harness';
import { isForeignFile, isTestFile } from '../vocabulary';
import type { Reach } from './reach';
import type { Scope } from './scope';
import type { Sources } from './sources';

/** A place where a run starts: a function, or a file whose top level runs. */
export interface Entry {
  /** Graph id of a function, or of the file. */
  id: string;
  file: string;
  node?: GraphNode;
  /** A variable that declares a command. */
  variable?: GraphNode;
  start: number;
  end: number;
  reason: string;
}

/** Workspaces keep their packages this deep, and no more folders are looked into. */
const deepestPackage = 3;
const mostPackageFolders = 400;
const thinScript = 60;
/** Values that declare the commands of a program. */
const commandValue = /\bcobra\.Command\b|\bcli\.(?:App|Command)\b/;

const PackageJson = z.object({
  bin: z.union([z.string(), z.record(z.string(), z.string())]).optional(),
  main: z.string().optional(),
});

/** Entry points, configured ones first, then those that packages declare, then those that code shows. */
export async function findEntries(graph: ProgramGraph, harness: Harness, sources: Sources): Promise<Entry[]> {
  const entries = new Map<string, Entry>();
  const add = (entry: Entry | undefined): void => {
    if (entry && !entries.has(entry.id) && !isTestFile(entry.file)) entries.set(entry.id, entry);
  };
  for (const place of harness.config.entryPoints) add(entryAt(graph, sources, place, 'named in harness.json'));
  if (entries.size > 0) return [...entries.values()];
  const mains: PackageEntry[] = [];
  for (const folder of packageFolders(graph, harness)) {
    for (const found of await packageEntries(harness, folder)) {
      if (found.program) add(entryAt(graph, sources, found.path, found.reason));
      else mains.push(found);
    }
    for (const [module, name, reason] of await pythonScripts(harness, folder))
      add(scriptEntry(graph, sources, module, name, reason));
  }
  for (const node of graph.functions()) {
    if (isForeignFile(node.file)) continue;
    const decorator = node.decorators?.find(
      (text) => /(^|\.)(command|callback|cli|group|main)\b/.test(text) && !/property|pytest/.test(text),
    );
    if (decorator) add(functionEntry(node, `a command: \`${decorator.slice(0, 60)}\``));
    if (node.entry) add(functionEntry(node, node.entry === 'program' ? 'the main function' : 'run for a command'));
  }
  for (const node of graph.functions()) {
    // Cargo runs `build.rs` when it compiles; no run of the harness starts there.
    const isProgram = node.qualname === 'main' && /\.(?:go|rs)$/.test(node.file) && !/(^|\/)build\.rs$/.test(node.file);
    if (isProgram && !isForeignFile(node.file)) add(functionEntry(node, 'the `main` of a program'));
  }
  for (const node of graph.data.nodes) {
    if (node.kind !== 'variable' || isForeignFile(node.file) || !commandValue.test(node.detail ?? '')) continue;
    const { id, file, start, end } = node;
    add({ id, file, start, end, variable: node, reason: `declares a command: \`${node.name}\` (${file}:${start})` });
  }
  for (const file of graph.data.files) {
    const line = sources.lines(file.path).findIndex((text) => /^if __name__ == ['"]__main__['"]\s*:/.test(text));
    const known = [...entries.values()].some((entry) => entry.file === file.path);
    if (line !== -1 && !known) add(mainBlock(graph, sources, file.path, line + 1));
  }
  // What other packages import starts a run only where nothing else does.
  if (entries.size === 0) for (const found of mains) add(entryAt(graph, sources, found.path, found.reason));
  return [...entries.values()];
}

/** Folders that may hold the description of a package: the roots, and those of a workspace. */
function packageFolders(graph: ProgramGraph, harness: Harness): string[] {
  const roots = harness.config.roots.map((root) => (root === '.' ? '' : `${root.replace(/\/$/, '')}/`));
  const folders = new Set<string>();
  for (const { path } of graph.data.files) {
    if (isTestFile(path) || isForeignFile(path)) continue;
    const parts = path.split('/');
    for (let depth = 1; depth <= Math.min(deepestPackage, parts.length - 1); depth++)
      folders.add(`${parts.slice(0, depth).join('/')}/`);
  }
  return [...new Set([...roots, ...[...folders].sort().slice(0, mostPackageFolders)])];
}

function functionEntry(node: GraphNode, reason: string): Entry {
  return {
    id: node.id,
    file: node.file,
    node,
    start: node.start,
    end: node.end,
    reason: `${reason} (${node.file}:${node.start})`,
  };
}

/** `file`, `file#function` or `file:function`; of a file its `main` or what its top level calls. */
function entryAt(graph: ProgramGraph, sources: Sources, place: string, reason: string): Entry | undefined {
  const [path, symbol] = place.split(/#|:(?=[A-Za-z_$])/) as [string, string | undefined];
  const file = [path, ...sourceVariants(path)].find((candidate) => sources.has(candidate));
  if (!file) return undefined;
  const functions = graph.inFile(file).filter((node) => node.kind === 'function' || node.kind === 'method');
  const node = functions.find((candidate) => candidate.qualname === (symbol ?? 'main'));
  if (node) return functionEntry(node, reason);
  const calls = topLevelCalls(graph, file);
  const called = calls.find((candidate) => candidate.file === file && isStart(candidate.name));
  // A script of a few lines starts what it imports.
  const thin =
    sources.lines(file).length <= thinScript ? calls.find((candidate) => isStart(candidate.name)) : undefined;
  const starts = called ?? thin ?? calls.find((candidate) => candidate.file === file);
  if (starts) return functionEntry(starts, reason);
  return { id: file, file, start: 1, end: sources.lines(file).length, reason: `${reason} (${file}:1)` };
}

/** Built files stand for their source: `dist/cli.js` for `src/cli.ts`. */
function sourceVariants(path: string): string[] {
  const stem = path.replace(/\.(?:[cm]?js|ts)$/, '');
  const moved = stem.replace(/(^|\/)(dist|build|out|lib|bundle)\//, '$1src/');
  const beside = stem.replace(/(^|\/)(dist|build|out|lib|bundle)\//, '$1');
  return [stem, moved, beside].flatMap((base) =>
    ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '/index.ts', '/index.js'].map((ending) => base + ending),
  );
}

function isStart(name: string): boolean {
  return /^_?(?:main|run|start|cli|launch|execute|app)(?:[A-Z_]|$)/.test(name);
}

function mainBlock(graph: ProgramGraph, sources: Sources, file: string, line: number): Entry {
  const called = topLevelCalls(graph, file).find((node) => node.file === file);
  if (called) return functionEntry(called, `run when ${file} is the program`);
  return {
    id: file,
    file,
    start: line,
    end: sources.lines(file).length,
    reason: `run when the file is the program (${file}:${line})`,
  };
}

/** Functions that the top level of a file calls, last first: a program ends with the call that starts it. */
function topLevelCalls(graph: ProgramGraph, file: string): GraphNode[] {
  return graph
    .out(file, 'calls')
    .map((edge) => graph.node(edge.to))
    .filter((node) => node?.kind === 'function' || node?.kind === 'method')
    .reverse() as GraphNode[];
}

interface PackageEntry {
  path: string;
  reason: string;
  /** A program that is started; else the file that other packages import. */
  program: boolean;
}

async function packageEntries(harness: Harness, folder: string): Promise<PackageEntry[]> {
  const text = await readOptional(harness, `${folder}package.json`);
  if (text === undefined) return [];
  let parsed: z.infer<typeof PackageJson>;
  try {
    parsed = PackageJson.parse(JSON.parse(text));
  } catch {
    // A broken package.json is the package manager's to report; there may be other entry points.
    return [];
  }
  const bins = typeof parsed.bin === 'string' ? [parsed.bin] : Object.values(parsed.bin ?? {});
  const at = (path: string): string => folder + path.replace(/^\.\//, '');
  const found = bins.map((path) => ({ path: at(path), reason: `bin of ${folder}package.json`, program: true }));
  if (parsed.main) found.push({ path: at(parsed.main), reason: `main of ${folder}package.json`, program: false });
  return found;
}

/** `[project.scripts]` of pyproject.toml and console scripts of an installed distribution: module, function, reason. */
async function pythonScripts(harness: Harness, folder: string): Promise<[string, string, string][]> {
  const found: [string, string, string][] = [];
  const names = await readdir(join(harness.root, folder)).catch(() => []);
  const distributions = names
    .filter((name) => name.endsWith('.dist-info'))
    .map((name) => `${folder}${name}/entry_points.txt`);
  for (const path of [`${folder}pyproject.toml`, `${folder}setup.cfg`, ...distributions]) {
    const text = await readOptional(harness, path);
    let section = '';
    for (const line of (text ?? '').split(/\r?\n/)) {
      section = /^\s*\[([^\]]+)\]/.exec(line)?.[1]?.trim() ?? section;
      if (!/scripts$/.test(section)) continue;
      const script = /^\s*["']?[\w.-]+["']?\s*=\s*["']?([\w.]+):([\w.]+)/.exec(line);
      if (script) found.push([script[1] as string, script[2] as string, `script of ${path}`]);
    }
  }
  return found;
}

function scriptEntry(
  graph: ProgramGraph,
  sources: Sources,
  module: string,
  name: string,
  reason: string,
): Entry | undefined {
  const path = module.replaceAll('.', '/');
  const file = graph.data.files
    .map((candidate) => candidate.path)
    .find((candidate) =>
      [`${path}.py`, `${path}/__init__.py`].some((end) => candidate === end || candidate.endsWith(`/${end}`)),
    );
  if (!file) return undefined;
  const functions = graph.inFile(file).filter((node) => node.kind === 'function');
  // `app` is a Typer or Click object; the run starts in the function it decorates.
  const node =
    functions.find((candidate) => candidate.qualname === name) ??
    functions.find((candidate) =>
      candidate.decorators?.some((text) => text.replace(/^@/, '').startsWith(`${name}.`)),
    ) ??
    functions.find((candidate) => candidate.name === 'main');
  if (node) return functionEntry(node, reason);
  return { id: file, file, start: 1, end: sources.lines(file).length, reason: `${reason} (${file}:1)` };
}

async function readOptional(harness: Harness, path: string): Promise<string | undefined> {
  try {
    return await readHarnessFile(harness, path);
  } catch (error) {
    if (error instanceof InputError) return undefined;
    throw error;
  }
}

/** Number of calls from the nearest entry point to every function. */
export function distances(entries: readonly Entry[], reach: Reach, graph: ProgramGraph): Map<string, number> {
  const found = new Map<string, number>();
  let frontier: string[] = [];
  for (const entry of entries) {
    found.set(entry.id, 0);
    frontier.push(entry.id, ...graph.out(entry.id, 'calls').map((edge) => edge.to));
  }
  for (let depth = 1; frontier.length > 0; depth++) {
    const next: string[] = [];
    for (const id of frontier) {
      for (const edge of reach.calls(id)) {
        if (found.has(edge.to)) continue;
        found.set(edge.to, depth);
        next.push(edge.to);
      }
    }
    frontier = next;
  }
  return found;
}

/**
 * Entries in the order in which a person would name them: those that lead to the loop by few calls, declared by a package,
 * near the top of the repository and of the harness itself.
 */
export function rankEntries(
  entries: readonly Entry[],
  loop: { node: GraphNode } | undefined,
  reach: Reach,
  scope: Scope,
): Entry[] {
  const worth = (entry: Entry): number => {
    let score = 0;
    const hops = loop ? callsBetween(entry.id, loop.node.id, reach) : undefined;
    if (hops !== undefined) score += Math.max(1, 3 - 0.2 * hops);
    if (/^(?:named in|bin of|script of)/.test(entry.reason)) score += 2;
    if (scope.role(entry.file) !== 'harness') score -= 4;
    if (entry.node?.name === 'main') score += 0.5;
    if (/^root/i.test(entry.variable?.name ?? '')) score += 3;
    if (loop) score += sharedFolders(entry.file, loop.node.file);
    return score - 0.1 * entry.file.split('/').length;
  };
  return entries
    .map((entry, index) => ({ entry, index, score: worth(entry) }))
    .sort((a, b) => b.score - a.score || a.index - b.index)
    .map((item) => item.entry);
}

/** Share of the folders of the loop that a file lies under, from 0 to 1. */
function sharedFolders(file: string, loop: string): number {
  const [a, b] = [file.split('/').slice(0, -1), loop.split('/').slice(0, -1)];
  let shared = 0;
  while (shared < Math.min(a.length, b.length) && a[shared] === b[shared]) shared++;
  return b.length === 0 ? 0 : shared / b.length;
}

function callsBetween(from: string, to: string, reach: Reach): number | undefined {
  const seen = new Set([from]);
  let frontier = [from];
  for (let depth = 0; frontier.length > 0; depth++) {
    if (frontier.includes(to)) return depth;
    const next: string[] = [];
    for (const id of frontier) {
      for (const edge of reach.calls(id)) {
        if (seen.has(edge.to)) continue;
        seen.add(edge.to);
        next.push(edge.to);
      }
    }
    frontier = next;
  }
  return undefined;
}
