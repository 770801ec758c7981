import path from 'node:path';
import { append } from '../../lists';
import type { ModuleFinder } from '../language';

/**
 * Finds Python modules by dotted name: relative ones by dots, absolute ones by the longest matching end of a path,
 * nearest to the importing file first, so that any source layout works without its packaging files.
 */
export function pythonModules(files: readonly string[]): ModuleFinder {
  const byEnd = new Map<string, { file: string; module: string }[]>();
  const known = new Set(files);
  for (const file of files) {
    const module = moduleIn(file);
    append(byEnd, module.slice(module.lastIndexOf('/') + 1), { file, module });
  }
  const asFile = (base: string): string | null =>
    [`${base}/__init__.py`, `${base}.py`, `${base}.pyi`]
      .map((file) => file.replace(/^\//, ''))
      .find((file) => known.has(file)) ?? null;

  return {
    find(specifier, fromFile) {
      const dots = /^\.+/.exec(specifier)?.[0].length ?? 0;
      if (dots > 0) {
        let folder = path.posix.dirname(fromFile);
        for (let up = 1; up < dots; up++) folder = path.posix.dirname(folder);
        const rest = specifier.slice(dots).replaceAll('.', '/');
        return asFile(path.posix.normalize(rest ? `${folder}/${rest}` : folder));
      }
      const wanted = specifier.replaceAll('.', '/');
      const last = wanted.slice(wanted.lastIndexOf('/') + 1);
      const ends = (byEnd.get(last) ?? []).flatMap(({ file, module }) =>
        module === wanted || module.endsWith(`/${wanted}`) ? file : [],
      );
      // A lone word such as `types` or `io` is a library unless it lies beside the file or at a root.
      const fitting = wanted.includes('/') ? ends : ends.filter((file) => isReachable(file, fromFile));
      const nearest = fitting.sort((a, b) => common(b, fromFile) - common(a, fromFile) || a.length - b.length)[0];
      if (nearest) return nearest;
      const apart = wanted.includes('/') ? [] : ends.filter((file) => isOnPath(file, fromFile, known));
      if (apart.length === 1) return apart[0]!;
      return isDistinct(wanted) ? asFile(path.posix.join(path.posix.dirname(fromFile), last)) : null;
    },
  };
}

/** The module that a file is, with `/` where an import has dots. */
export function moduleIn(file: string): string {
  return file.replace(/\.pyi?$/, '').replace(/\/__init__$/, '');
}

/**
 * A folder that was copied out of its package still imports itself by the old name: `from harbor.agents.terminus_2.tmux_session
 * import x` beside `tmux_session.py`. Only names that no library is likely to have too are taken for that.
 */
function isDistinct(wanted: string): boolean {
  return /^[^/]+\/[^/]+\/(?:[^/]+\/)*[^/]*_[^/]*$/.test(wanted);
}

function isReachable(file: string, fromFile: string): boolean {
  const folder = path.posix.dirname(file.endsWith('/__init__.py') ? path.posix.dirname(file) : file);
  const isPackage = file.endsWith('/__init__.py') || path.posix.dirname(fromFile) === folder;
  return folder === '.' || folder === 'src' || isPackage;
}

/**
 * Scripts put folders on their path (`sys.path`, PYTHONPATH) and import what lies there by its bare name. A folder
 * outside of packages may be such a one, and one called `lib` there. A single word may as well be a library: it is taken
 * for such a file only in a bundle of that name, `tools/registry/lib/registry.py`, and from one beside it.
 */
function isOnPath(file: string, fromFile: string, known: ReadonlySet<string>): boolean {
  const folder = path.posix.dirname(file);
  const bundle = path.posix.dirname(folder);
  const isLib = folder === `${bundle}/lib`;
  if (!file.endsWith('.py') || isInPackage(isLib ? bundle : folder, known)) return false;
  if (inTests.test(file) && !inTests.test(fromFile)) return false;
  const name = path.posix.basename(file, '.py');
  if (name.slice(1).includes('_')) return true;
  const beside = path.posix.dirname(path.posix.dirname(path.posix.dirname(fromFile)));
  return isLib && path.posix.basename(bundle) === name && path.posix.dirname(bundle) === beside;
}

function isInPackage(folder: string, known: ReadonlySet<string>): boolean {
  if (folder === '.') return false;
  return known.has(`${folder}/__init__.py`) || isInPackage(path.posix.dirname(folder), known);
}

const inTests = /(^|\/)(tests?|testing|fixtures)\//;

function common(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
