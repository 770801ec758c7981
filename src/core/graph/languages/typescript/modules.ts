import path from 'node:path';
import type { ModuleFinder, PackageFact } from '../language';

const endings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.d.ts'];

/** Finds modules by relative path and by the names of packages that lie in the harness. */
export function typeScriptModules(files: readonly string[], packages: readonly PackageFact[]): ModuleFinder {
  const known = new Set(files);
  const byName = packages.filter(({ system }) => !system).sort((a, b) => b.name.length - a.name.length);

  /** A file for a path that may lack its ending, name a folder, or name the compiled twin of a source. */
  const asFile = (base: string): string | null => {
    const plain = path.posix.normalize(base).replace(/^\.\//, '').replace(/\/$/, '');
    if (known.has(plain)) return plain;
    const stem = plain.replace(/\.(m|c)?jsx?$/, '');
    const ends = [...endings.map((ending) => stem + ending), ...endings.map((ending) => plain + ending)];
    const inFolder = endings.map((ending) => `${plain === '.' ? '' : `${plain}/`}index${ending}`);
    return [...ends, ...inFolder].find((file) => known.has(file)) ?? null;
  };

  /** Published entry files name compiled output; in a repository the source beside it is meant. */
  const asEntry = (folder: string, entry: string): string | null => {
    const direct = path.posix.join(folder, entry);
    const source = path.posix.join(folder, entry.replace(/^(\.\/)?(dist|lib|build|out)\//, 'src/'));
    return asFile(source) ?? asFile(direct);
  };

  return {
    find(specifier, fromFile) {
      if (specifier.startsWith('.')) return asFile(path.posix.join(path.posix.dirname(fromFile), specifier));
      if (/^[@~]\//.test(specifier)) return aliased(specifier.slice(2), fromFile, asFile);
      const found = byName.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
      if (!found) return null;
      const rest = specifier.slice(found.name.length + 1);
      const exported = found.exports[rest ? `./${rest}` : '.'];
      const candidates = [exported, ...(rest ? [rest, `src/${rest}`, `dist/${rest}`] : found.entries)];
      for (const entry of candidates) {
        const file = entry ? asEntry(found.folder, entry) : null;
        if (file) return file;
      }
      return null;
    },
  };
}

/** `@/x` and `~/x` mean the source folder of the nearest package by convention. */
function aliased(rest: string, fromFile: string, asFile: (base: string) => string | null): string | null {
  let folder = path.posix.dirname(fromFile);
  for (;;) {
    const file = asFile(`${folder}/src/${rest}`) ?? asFile(`${folder}/${rest}`);
    if (file || folder === '.' || folder === '/') return file;
    folder = path.posix.dirname(folder);
  }
}
