import type { NameResolver } from './resolveNames';
import { type FileEntry, parentScope } from './symbolTable';
import { alternativesOf, containerTypes, type NamedType, primitiveTypes, transparentTypes } from './typeText';
import { builtin, distinct, type Value } from './values';

const nothing = new Set(['None', 'null', 'undefined', 'void', 'never']);

/** What values of an annotated type are: instances of its classes, containers, things from outside. */
export function typedValues(names: NameResolver, text: string, file: FileEntry, scope: string): Value[] {
  const values: Value[] = [];
  for (const type of alternativesOf(text)) {
    const found = valuesOfType(names, type, file, scope);
    values.push(...(type.array ? [{ kind: 'container' as const, of: found }] : found));
  }
  return distinct(values);
}

function valuesOfType(
  names: NameResolver,
  { name, arguments: inner }: NamedType,
  file: FileEntry,
  scope: string,
): Value[] {
  const last = name.slice(name.lastIndexOf('.') + 1);
  if (transparentTypes.has(last)) return inner.flatMap((argument) => names.typed(argument, file, scope));
  if (last === 'type' || last === 'Type') {
    return inner.flatMap((argument) => names.typed(argument, file, scope)).map(classOfInstance);
  }
  if (containerTypes.has(last)) {
    // The last argument is what is held: the value of a mapping, the element of a list.
    return [{ kind: 'container', of: inner.length > 0 ? names.typed(inner.at(-1)!, file, scope) : [] }];
  }
  if (nothing.has(last)) return [];
  if (primitiveTypes.has(last)) return [builtin];
  return names.evaluate(name, file, scope).flatMap(instanceOf);
}

function instanceOf(value: Value): Value[] {
  switch (value.kind) {
    case 'class':
      return [{ kind: 'instance', entry: value.entry }];
    case 'external':
      return [value.name.endsWith('()') ? value : { kind: 'external', name: `${value.name}()` }];
    case 'instance':
    case 'container':
    case 'function':
      return [value];
    default:
      return [];
  }
}

function classOfInstance(value: Value): Value {
  return value.kind === 'instance' ? { kind: 'class', entry: value.entry } : value;
}

/** What an alias stands for: types, of which values are made. `type Store: Store` means the one outside. */
export function aliasOf(names: NameResolver, name: string, type: string, file: FileEntry, scope: string): Value[] {
  const means = new RegExp(`^${name}\\b`).test(type) && scope !== '' ? parentScope(scope) : scope;
  return names.typed(type, file, means).map((value) => {
    if (value.kind === 'external') return { kind: 'external', name: value.name.replace(/\(\)$/, '') };
    return classOfInstance(value);
  });
}
