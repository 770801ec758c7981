import { append } from '../lists';
import { emptyEntry } from './fileEntry';
import type { FileEntry, SymbolTable } from './symbolTable';

/**
 * Makes an entry for each package whose files share their names. It declares nothing itself: its exports lead to the
 * files, to those for every platform first and to tests last.
 */
export function joinPackages({ files, packages, tracking }: SymbolTable): void {
  const members = new Map<string, { file: FileEntry; rank: number }[]>();
  for (const file of files.values()) {
    const place = file.language.packageOf?.(file.path, file.facts);
    if (place) append(members, place.key, { file, rank: place.rank });
  }
  for (const [key, list] of members) {
    list.sort((a, b) => a.rank - b.rank || (a.file.path < b.file.path ? -1 : 1));
    const { language, modules } = list[0]!.file;
    const entry = emptyEntry(key, language, modules, tracking);
    for (const { file } of list) {
      file.package = entry;
      for (const name of topNames(file))
        if (!entry.exports.has(name)) entry.exports.set(name, { exported: name, module: file.path, chain: name });
    }
    packages.set(key, entry);
  }
}

function topNames(file: FileEntry): string[] {
  const symbols = file.facts.symbols.flatMap(({ qualname, receiver }) =>
    qualname.includes('.') || receiver ? [] : [qualname],
  );
  return [...symbols, ...file.locals.get('').keys()];
}

/** Files of a package that declare what a file uses of it, in its own text as `local.Name`. */
export function filesUsed(file: FileEntry, local: string, target: FileEntry): string[] {
  const start = `${local}.`;
  const chains = [...file.facts.calls.map(({ callee }) => callee), ...file.facts.accesses.map(({ chain }) => chain)];
  const types = [...file.facts.attributes, ...file.facts.locals].map(({ type }) => type ?? '');
  for (const { parameters, returns } of file.facts.symbols)
    types.push(returns ?? '', ...(parameters ?? []).map(({ type }) => type ?? ''));
  const names = new Set<string>();
  for (const chain of chains) if (chain.startsWith(start)) names.add(/^\w*/.exec(chain.slice(start.length))![0]);
  for (const type of types)
    for (const { 1: name } of type.matchAll(new RegExp(`\\b${local}\\.(\\w+)`, 'g'))) names.add(name!);
  return [...new Set([...names].flatMap((name) => target.exports.get(name)?.module ?? []))].sort();
}
