/** Something that lies at a path and weighs something. */
export interface Weighed {
  /** Folders, then the file, then whatever is inside of it. */
  path: readonly string[];
  weight: number;
}

export interface Group<T> {
  /** Common path of the items; `rest` true where what is heavy below it stands in groups of its own. */
  path: readonly string[];
  rest: boolean;
  items: T[];
}

/**
 * Groups by folder: one group for a folder whose items weigh no more than the limit, else one for each heavy part of it and
 * one for the light parts together. An item more or less changes only the groups around it.
 */
export function groupByFolder<T extends Weighed>(items: readonly T[], limit: number): Group<T>[] {
  return split(items, [], limit);
}

function split<T extends Weighed>(items: readonly T[], path: readonly string[], limit: number): Group<T>[] {
  const weight = items.reduce((sum, item) => sum + item.weight, 0);
  const depth = path.length;
  const canSplit = items.some((item) => item.path.length > depth);
  if (items.length === 0) return [];
  if (weight <= limit || !canSplit) return [{ path: common(items, path), rest: false, items: [...items] }];
  const parts = new Map<string, T[]>();
  for (const item of items) {
    const name = item.path[depth] ?? '';
    const part = parts.get(name);
    if (part) part.push(item);
    else parts.set(name, [item]);
  }
  if (parts.size === 1) {
    const [name, only] = [...parts][0] as [string, T[]];
    return split(only, [...path, name], limit);
  }
  const groups: Group<T>[] = [];
  const light: T[] = [];
  for (const [name, part] of [...parts].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const heavy = part.reduce((sum, item) => sum + item.weight, 0) > limit / 3;
    if (heavy) groups.push(...split(part, [...path, name], limit));
    else light.push(...part);
  }
  if (light.length > 0) groups.push({ path: common(light, path), rest: groups.length > 0, items: light });
  return groups;
}

function common<T extends Weighed>(items: readonly T[], least: readonly string[]): readonly string[] {
  let path = items[0]?.path ?? least;
  for (const item of items) {
    let length = 0;
    while (length < Math.min(path.length, item.path.length) && path[length] === item.path[length]) length++;
    path = path.slice(0, length);
  }
  return path.length >= least.length ? path : least;
}

/** The next power of two: limits taken from counts move rarely, so that ids stay. */
export function roundedLimit(value: number): number {
  return 2 ** Math.ceil(Math.log2(Math.max(1, value)));
}
