import type { GraphNode, ProgramGraph } from '../../graph';
import { wordsOf } from '../vocabulary';
import type { Area } from './areas';
import type { Group } from './folders';
import { isFunction } from './reach';

/** Remaining definitions of one class or of the top level of one file. */
export interface Atom {
  path: string[];
  weight: number;
  file: string;
  owner: string;
  nodes: GraphNode[];
}

/** Longest comment that a title quotes, and how many names it lists. */
const longestDoc = 70;
const mostNames = 3;

/** Part of the id of a unit: the folder, file or class that its group is. */
export function placeOf(group: Group<Atom>): string {
  const [first] = group.items as [Atom];
  const isFile = group.path.length >= first.path.length - 1;
  if (!isFile) return group.path.join('/') || '.';
  return group.path.length === first.path.length && first.owner !== '' ? `${first.file}#${first.owner}` : first.file;
}

/** Folder a group lies in, `.` at the top. */
export function folderOf(group: Group<Atom>): string {
  const [first] = group.items as [Atom];
  return group.path.slice(0, first.path.length - 2).join('/') || '.';
}

/**
 * `SessionManager: Keeps the sessions of a user` for a class with a comment, `Session manager (packages/agent/src)` for a
 * file, `Paths, git, text and 4 more files of src/utils` for several.
 */
export function titleOf(group: Group<Atom>, graph: ProgramGraph): string {
  const [first] = group.items as [Atom];
  const folder = folderOf(group);
  if (group.path.length === first.path.length && first.owner !== '') return classTitle(first, folder, graph);
  const files = filesOf(group, graph);
  if (files.length === 1) return `${sentence(stemOf(first.file))}${folder === '.' ? '' : ` (${folder})`}`;
  return `${namesOf(files)} of ${folder === '.' ? 'the top folder' : folder}`;
}

/** `Policy engine: PolicyEngine`, `Hooks: HookSystem (8 files of packages/core/src/hooks)`. */
export function areaTitle(area: Area, group: Group<Atom>, heart: GraphNode | undefined): string {
  const files = new Set(group.items.map((atom) => atom.file)).size;
  const folder = folderOf(group);
  const name = heart?.kind === 'variable' ? stemOf(heart.file) : (heart?.name ?? '');
  const where = files === 1 ? '' : ` (${files} files${folder === '.' ? '' : ` of ${folder}`})`;
  return `${area.title}: ${name}${where}`;
}

export function reasonOf(group: Group<Atom>): string {
  const [first] = group.items as [Atom];
  const node = first.nodes[0] as GraphNode;
  return `grouped by ${group.path.length >= first.path.length - 1 ? 'file and class' : 'folder'} (${node.file}:${node.start})`;
}

function classTitle(atom: Atom, folder: string, graph: ProgramGraph): string {
  const doc = graph.node(`${atom.file}#${atom.owner}`)?.doc?.replace(/\s+/g, ' ').trim() ?? '';
  const says = /^[^.:;]*/.exec(doc)?.[0].trim() ?? '';
  if (says.length >= 8 && says.length <= longestDoc) return `${atom.owner}: ${says}`;
  return `${atom.owner}${folder === '.' ? '' : ` (${folder})`}`;
}

/** Files of a group, those with most functions first. */
function filesOf(group: Group<Atom>, graph: ProgramGraph): string[] {
  return [...new Set(group.items.map((atom) => atom.file))]
    .map((file) => ({ file, size: graph.inFile(file).filter(isFunction).length }))
    .sort((a, b) => b.size - a.size || (a.file < b.file ? -1 : 1))
    .map(({ file }) => file);
}

function namesOf(files: readonly string[]): string {
  const names = [...new Set(files.map((file) => wordsOf(stemOf(file)).join(' ')))];
  const shown = names.slice(0, mostNames).join(', ');
  const left = files.length - mostNames;
  const more = names.length > mostNames ? ` and ${left} more file${left === 1 ? '' : 's'}` : '';
  return `${shown.slice(0, 1).toUpperCase()}${shown.slice(1)}${more}`;
}

function stemOf(file: string): string {
  const parts = file.split('/');
  const stem = (parts.at(-1) ?? '').replace(/\.[^.]*$/, '');
  return /^(index|__init__|mod|main|lib)$/.test(stem) && parts.length > 1 ? `${parts.at(-2)} ${stem}` : stem;
}

function sentence(stem: string): string {
  const words = wordsOf(stem).join(' ');
  return words === '' ? stem : words.slice(0, 1).toUpperCase() + words.slice(1);
}
