import path from 'node:path';
import type { ModuleFinder, PackageFact } from '../language';

/**
 * Finds the first step of a Rust path: `crate`, `super`, a crate of the workspace by its name, `self::x` for the file of
 * `mod x;` and `path:x.rs` for one with a path attribute. What follows is looked up in the modules themselves.
 */
export function rustModules(files: readonly string[], packages: readonly PackageFact[]): ModuleFinder {
  const known = new Set(files);
  const crates = packages.filter(({ system }) => system === 'cargo').sort((a, b) => b.folder.length - a.folder.length);
  const first = (candidates: readonly string[]): string | null =>
    candidates.map((file) => path.posix.normalize(file)).find((file) => known.has(file)) ?? null;

  const rootOf = (file: string): string | null => {
    const crate = crates.find(({ folder }) => folder === '.' || file.startsWith(`${folder}/`));
    if (crate) {
      // Programs, tests, benches and examples beside the library are crates of their own.
      const inside = file.slice(crate.folder === '.' ? 0 : crate.folder.length + 1);
      if (/^(src\/bin|tests|benches|examples)\//.test(inside)) return topOf(file);
      return first(crate.entries.map((entry) => `${crate.folder}/${entry}`));
    }
    for (let folder = path.posix.dirname(file); ; folder = path.posix.dirname(folder)) {
      const root = first([`${folder}/lib.rs`, `${folder}/main.rs`]);
      if (root || folder === '.' || folder === '/') return root;
    }
  };

  const parentOf = (file: string): string | null => {
    const folder = path.posix.dirname(file);
    const around = path.posix.basename(file) === 'mod.rs' ? path.posix.dirname(folder) : folder;
    const name = path.posix.basename(around);
    const found = first([`${around}/mod.rs`, `${around}/../${name}.rs`, `${around}/lib.rs`, `${around}/main.rs`]);
    return found === file ? null : found;
  };

  /** The file that no other holds. */
  const topOf = (file: string): string => {
    let top = file;
    for (let steps = 0, parent = parentOf(file); parent && steps < 20; steps++, parent = parentOf(parent)) top = parent;
    return top;
  };

  return {
    find(specifier, fromFile) {
      const folder = path.posix.dirname(fromFile);
      const stem = path.posix.basename(fromFile, '.rs');
      const isFolder = /^(mod|lib|main)$/.test(stem);
      if (specifier === 'crate') return rootOf(fromFile);
      if (specifier === 'super') return parentOf(fromFile);
      if (specifier.startsWith('path:')) return first([`${folder}/${specifier.slice(5)}`]);
      if (specifier.startsWith('self::')) {
        const name = specifier.slice(6);
        const inside = isFolder || rootOf(fromFile) === fromFile ? folder : `${folder}/${stem}`;
        return first([`${inside}/${name}.rs`, `${inside}/${name}/mod.rs`]);
      }
      const crate = crates.find(({ name }) => name === specifier);
      return crate ? first(crate.entries.map((entry) => `${crate.folder}/${entry}`)) : null;
    },
    isInside: (specifier) => /^(crate|self|super|path:.*|self::.*)$/.test(specifier),
  };
}
