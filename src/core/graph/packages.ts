import { z } from 'zod';
import type { PackageFact } from './languages/language';

const PackageJson = z.looseObject({
  name: z.string(),
  main: z.string().optional(),
  module: z.string().optional(),
  types: z.string().optional(),
  exports: z.unknown().optional(),
});

export function isPackageFile(path: string): boolean {
  return /(^|\/)(package\.json|go\.mod|Cargo\.toml)$/.test(path);
}

/** Name and entry files of a package; null when the file is no usable package description. */
export function readPackage(path: string, text: string): PackageFact | null {
  if (path.endsWith('go.mod')) return goModule(path, text);
  if (path.endsWith('Cargo.toml')) return cargoPackage(path, text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  const parsed = PackageJson.safeParse(value);
  if (!parsed.success) return null;
  const { name, main, module, types, exports } = parsed.data;
  return {
    name,
    folder: folderOf(path),
    entries: [module, main, types, 'src/index', 'index', 'dist/index'].filter((entry) => entry !== undefined),
    exports: exportsOf(exports),
  };
}

/** The module of a `go.mod`: every folder below is a package of it. See "go.mod files" in the Go modules reference. */
function goModule(path: string, text: string): PackageFact | null {
  const name = /^module\s+"?([^\s"]+)/m.exec(text)?.[1];
  return name ? { system: 'go', name, folder: folderOf(path), entries: [], exports: {} } : null;
}

/** Name and library file of a crate; code names it with `_`. See "Cargo targets" in the Cargo book. */
function cargoPackage(path: string, text: string): PackageFact | null {
  const sections = new Map<string, string>();
  for (const section of text.split(/^(?=\[)/m)) {
    const title = /^\[([\w.-]+)\]/.exec(section)?.[1];
    if (title) sections.set(title, section);
  }
  const named = (section: string, key: string) =>
    new RegExp(`^${key}\\s*=\\s*["']([^"']+)["']`, 'm').exec(sections.get(section) ?? '')?.[1];
  const name = named('lib', 'name') ?? named('package', 'name')?.replaceAll('-', '_');
  if (!name) return null;
  const library = named('lib', 'path');
  const entries = [...(library ? [library] : []), 'src/lib.rs', 'src/main.rs'];
  return { system: 'cargo', name, folder: folderOf(path), entries, exports: {} };
}

/** The folder of a file, `.` at the root. */
export function folderOf(path: string): string {
  const slash = path.lastIndexOf('/');
  return slash < 0 ? '.' : path.slice(0, slash);
}

/** One file for each sub-path; of the conditions, what a bundler would take. */
function exportsOf(exports: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  if (typeof exports === 'string') return { '.': exports };
  if (typeof exports !== 'object' || exports === null) return found;
  const entries = Object.entries(exports);
  if (entries.some(([key]) => !key.startsWith('.'))) entries.splice(0, entries.length, ['.', exports]);
  for (const [key, target] of entries) {
    const file = conditionOf(target);
    if (file) found[key] = file;
  }
  return found;
}

function conditionOf(target: unknown): string | undefined {
  let value = target;
  for (let depth = 0; depth < 6; depth++) {
    if (typeof value === 'string') return value;
    if (typeof value !== 'object' || value === null) return undefined;
    const conditions = value as Record<string, unknown>;
    value = conditions.import ?? conditions.default ?? conditions.require ?? conditions.node ?? conditions.types;
  }
  return undefined;
}
