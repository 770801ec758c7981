import type { Hierarchy } from './hierarchy';
import { builtin, type Value } from './values';

const typedDictionary = /(^|\.)TypedDict$/;

/** Methods of lists and maps that give an element. */
export const elementMethods = new Set([
  'get',
  'pop',
  'shift',
  'at',
  'find',
  'findLast',
  'popleft',
  'setdefault',
  '__getitem__',
]);
/** Methods that give the like of the list or map. */
export const sameMethods = new Set([
  'values',
  'filter',
  'slice',
  'sort',
  'reverse',
  'concat',
  'copy',
  'toSorted',
  'from',
  'items',
  'entries',
  'flat',
]);

/** A method of lists and maps, asked of what stands for the list or map that holds it. */
export function held(value: Value, name: string): Value[] {
  if (elementMethods.has(name)) return [{ kind: 'container', of: [value], called: 'element' }];
  return sameMethods.has(name) ? [{ kind: 'container', of: [value], called: 'same' }] : [];
}

/** What an element of a value may be. */
export function elementsOf(value: Value, hierarchy: Hierarchy): Value[] {
  if (value.kind === 'container') return value.of.length > 0 ? value.of : [builtin];
  if (value.kind === 'external') return [value];
  // What is under the keys of a typed dictionary is no such dictionary, and the key is not known here.
  if (value.kind === 'instance' && hierarchy.externals(value.entry).some((name) => typedDictionary.test(name)))
    return [builtin];
  // A list is written as what it holds, so an element of an instance is the instance.
  return value.kind === 'instance' || value.kind === 'class' || value.kind === 'function' ? [value] : [];
}
