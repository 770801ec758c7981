/** Adds to the list of a key. */
export function append<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const list = map.get(key);
  if (list) list.push(value);
  else map.set(key, [value]);
}

const mostArguments = 4096;

/** One list of all, in this order. */
export function flat<T>(lists: readonly (readonly T[])[]): T[] {
  if (lists.length <= mostArguments) return ([] as T[]).concat(...lists);
  const parts: T[][] = [];
  for (let at = 0; at < lists.length; at += mostArguments) parts.push(flat(lists.slice(at, at + mostArguments)));
  return flat(parts);
}
