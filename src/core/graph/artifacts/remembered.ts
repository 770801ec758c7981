/**
 * Reads something out of each list and joins the results. What was read is kept with the list: those of a file stay the same
 * until its text changes, and reading takes longer than all the rest.
 */
export function remembered<T, R>(read: (list: readonly T[]) => R[]): (lists: readonly (readonly T[])[]) => R[] {
  const known = new WeakMap<readonly T[], R[]>();
  return (lists) => joined(lists, known, read);
}

/**
 * Like {@link remembered}, for results of which only those with wanted names are needed. The wanted names are mostly those of
 * the time before; then what has none of them costs nothing.
 */
export function rememberedByName<T, R extends { name: string }>(
  read: (list: readonly T[]) => R[],
): (lists: readonly (readonly T[])[], wanted: ReadonlySet<string>) => R[] {
  const known = new WeakMap<readonly T[], R[]>();
  let wantedBefore: ReadonlySet<string> = new Set();
  let fitting = new WeakMap<readonly T[], R[]>();
  return (lists, wanted) => {
    if (!isSame(wanted, wantedBefore)) {
      wantedBefore = wanted;
      fitting = new WeakMap();
    }
    return joined(lists, fitting, (list) => of(list, known, read).filter(({ name }) => wanted.has(name)));
  };
}

function joined<T, R>(
  lists: readonly (readonly T[])[],
  known: WeakMap<readonly T[], R[]>,
  read: (list: readonly T[]) => R[],
): R[] {
  const all: R[] = [];
  for (const list of lists) if (list.length > 0) for (const result of of(list, known, read)) all.push(result);
  return all;
}

function of<T, R>(list: readonly T[], known: WeakMap<readonly T[], R[]>, read: (list: readonly T[]) => R[]): R[] {
  let results = known.get(list);
  if (!results) {
    results = read(list);
    // Most lists hold nothing of interest.
    if (results.length === 0) results = nothing;
    known.set(list, results);
  }
  return results;
}

const nothing: never[] = [];

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size !== b.size) return false;
  for (const each of a) if (!b.has(each)) return false;
  return true;
}
