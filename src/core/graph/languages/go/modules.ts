import type { FileFacts } from '../../fileFacts';
import { append } from '../../lists';
import { folderOf } from '../../packages';
import type { ModuleFinder, PackageFact } from '../language';

/** Operating systems and processors in file names make a file one of several versions. */
const platform =
  /_(windows|linux|darwin|unix|other|freebsd|openbsd|netbsd|android|ios|js|wasm|plan9|solaris|notwindows|nowindows|stub)(_\w+)?\.go$/;

/** All files of a folder are one package, but for the tests that stand outside of it. */
export function goPackageOf(path: string, { package: name }: FileFacts): { key: string; rank: number } | undefined {
  if (!name) return undefined;
  const isTest = path.endsWith('_test.go');
  const other = /_(windows|js|wasm|plan9|other|stub)(_\w+)?\.go$/.test(path) ? 2 : 1;
  const rank = isTest ? 3 : platform.test(path) ? other : 0;
  return { key: packageKey(folderOf(path), isTest && name.endsWith('_test')), rank };
}

function packageKey(folder: string, isOutside = false): string {
  return `${folder === '.' ? '' : `${folder}/`}*${isOutside ? '_test' : ''}.go`;
}

/** Finds packages by import path: under the modules of `go.mod` files, else by the longest matching end of a folder. */
export function goModules(files: readonly string[], packages: readonly PackageFact[]): ModuleFinder {
  const known = new Set(files);
  const folders = new Set(files.filter((file) => file.endsWith('.go')).map(folderOf));
  const modules = packages.filter(({ system }) => system === 'go').sort((a, b) => b.name.length - a.name.length);
  const byLast = new Map<string, string[]>();
  for (const folder of folders) append(byLast, folder.slice(folder.lastIndexOf('/') + 1), folder);
  return {
    find(specifier) {
      if (known.has(specifier)) return specifier;
      const module = modules.find(({ name }) => specifier === name || specifier.startsWith(`${name}/`));
      if (module) {
        const rest = specifier.slice(module.name.length + 1);
        const folder =
          [module.folder === '.' ? '' : module.folder, rest].filter((part) => part !== '').join('/') || '.';
        return folders.has(folder) ? packageKey(folder) : null;
      }
      if (modules.length > 0) return null;
      const last = specifier.slice(specifier.lastIndexOf('/') + 1);
      const ends = (byLast.get(last) ?? []).filter(
        (folder) => folder.includes('/') && (specifier === folder || specifier.endsWith(`/${folder}`)),
      );
      const best = ends.sort((a, b) => b.length - a.length)[0];
      return best ? packageKey(best) : null;
    },
  };
}
