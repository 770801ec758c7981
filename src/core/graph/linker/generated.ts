import type { Hierarchy } from './hierarchy';
import type { Value } from './values';

/** Derived code that gives every field a method of its name, which gives the value itself back. */
const setters = /\bderive\(.*\b(?:Setters|WithSetters|Builder|TypedBuilder|bon::Builder)\b/;

/** Whether a method is one that a derive generates for a field of the type. */
export function isGeneratedSetter(hierarchy: Hierarchy, value: Value, name: string): boolean {
  if (value.kind !== 'instance' || value.entry.file.language.typing !== 'nominal') return false;
  const { entry } = value;
  if (!entry.symbol.decorators?.some((text) => setters.test(text))) return false;
  const found = hierarchy.inClass(entry, name.replace(/^(?:with|set)_/, '')) ?? hierarchy.inClass(entry, name);
  return found !== undefined && found.method === undefined;
}
