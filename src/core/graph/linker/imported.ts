import type { ImportFact } from '../fileFacts';
import type { NameResolver } from './resolveNames';
import type { FileEntry } from './symbolTable';
import type { Value } from './values';

/** What a name stands for that a file imports. */
export function importedValues(names: NameResolver, local: string, file: FileEntry): Value[] {
  const fact = file.imports.get(local)!;
  const target = names.fileOf(fact.module, file);
  if (fact.name === '*') {
    // `require('./agent')` gives what `module.exports` was set to.
    const whole = target?.exports.has('default') && target !== file ? names.exported(target, 'default') : [];
    return target
      ? [{ kind: 'module', file: target }, ...whole]
      : [{ kind: 'external', name: file.language.externalName(fact.module, '*') }];
  }
  if (target && (target !== file || file.language.typing)) {
    const found = exportedPath(names, target, fact.name);
    if (found.length > 0) return found;
  }
  const submodule = file.language.id === 'python' ? names.fileOf(submoduleIn(fact), file) : null;
  if (submodule) return [{ kind: 'module', file: submodule }];
  return target || fact.module.startsWith('.') || file.modules.isInside?.(fact.module)
    ? []
    : [{ kind: 'external', name: file.language.externalName(fact.module, fact.name) }];
}

/** The module that `from package import module` may mean in Python. */
export function submoduleIn({ module, name }: ImportFact): string {
  return module.endsWith('.') ? `${module}${name}` : `${module}.${name}`;
}

/** `agent.tools.Bash` in a module: through its modules, re-exports and types. */
function exportedPath(names: NameResolver, target: FileEntry, path: string): Value[] {
  return pathIn(names, { kind: 'module', file: target }, path.split('.'));
}

/** The file of a module such as `crate::agent::tools`, found step by step; the first may be declared in the file. */
export function moduleAt(names: NameResolver, path: string, from: FileEntry): FileEntry | null {
  const [first, ...rest] = path.split('::') as [string, ...string[]];
  // `self::x` is how a file names the module it declares; the finder has no more to say about it.
  if (first === 'self' || path.startsWith('path:')) return null;
  const declared = from.exports.get(first);
  if (rest.length === 0 && !declared) return null;
  const start = declared ? names.exported(from, first) : rooted(names, first, from);
  const found = rest.length > 0 ? start.flatMap((value) => pathIn(names, value, rest)) : start;
  for (const value of found) if (value.kind === 'module') return value.file;
  return null;
}

function pathIn(names: NameResolver, start: Value, steps: readonly string[]): Value[] {
  let values = [start];
  for (const [at, name] of steps.entries()) {
    const next = values.flatMap((value) => names.member(value, name));
    // Modules that are written out in a file are no files; what they declare has a path.
    if (next.length === 0 && start.kind === 'module' && at < steps.length - 1)
      return values.flatMap((value) => (value.kind === 'module' ? declaredAt(names, value.file, steps.slice(at)) : []));
    values = next;
  }
  return values;
}

function declaredAt(names: NameResolver, file: FileEntry, steps: readonly string[]): Value[] {
  for (let length = 2; length <= steps.length; length++) {
    const symbol = file.symbols.get(steps.slice(0, length).join('.'));
    if (!symbol) continue;
    const entry = symbol.kind === 'class' ? names.table.classOf(file, symbol.qualname) : undefined;
    const start: Value = entry ? { kind: 'class', entry } : { kind: 'function', file, symbol };
    return pathIn(names, start, steps.slice(length));
  }
  return [];
}

/** Names that begin a path rather than stand for something declared. */
export function isRoot(name: string): boolean {
  return name === 'crate' || name === 'super' || name === 'self';
}

/**
 * The first name of a path such as `tokio::spawn`: the crate, the module around, what is declared or imported here, else
 * a crate of the harness or one outside.
 */
export function rooted(names: NameResolver, name: string, file: FileEntry, scope = ''): Value[] {
  // `super` of a module that is written out in a file is the file.
  const isInline = name === 'super' && scope.includes('.') && !file.symbols.has(scope.slice(0, scope.indexOf('.')));
  if (name === 'self' || isInline) return [{ kind: 'module', file }];
  if (!isRoot(name)) {
    const known = names.named(name, file, scope);
    if (known.length > 0) return known;
    if (file.exports.has(name) || file.modules.isInside?.(name)) return names.exported(file, name);
  }
  const target = names.fileOf(name, file);
  if (target) return [{ kind: 'module', file: target }];
  return isRoot(name) ? [] : [{ kind: 'external', name }];
}

/** A macro: names of variables do not hide it. */
export function macro(names: NameResolver, name: string, file: FileEntry): Value[] {
  if (file.imports.has(name)) return importedValues(names, name, file);
  return file.language.builtins.has(name) ? [{ kind: 'external', name }] : names.named(name, file, '');
}

/** A type that nothing here declares comes from a library that is imported as a whole, where one is. */
export function openedOutside(names: NameResolver, name: string, file: FileEntry): Value[] {
  if (file.language.typing !== 'nominal' || !/^[A-Z]/.test(name)) return [];
  const outside = file.openExports.find((module) => {
    const first = module.split('::')[0]!;
    return !file.modules.isInside?.(first) && !file.exports.has(first) && names.fileOf(module, file) === null;
  });
  return outside ? [{ kind: 'external', name: file.language.externalName(outside, name) }] : [];
}
