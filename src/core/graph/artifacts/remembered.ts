/**
 * Reads something out of each list and joins the results. What was read is kept with the list: those of a file stay the same
 * until its text changes, and reading takes longer than all the rest.
 */
export function remembered<T, R>(read: (list: readonly T[]) => R[]): (lists: readonly (readonly T[])[]) => R[] {
  const known = new WeakMap<readonly T[], R[]>();
  return (lists) => {
    const all: R[] = [];
    for (const list of lists) {
      if (list.length === 0) continue;
      let results = known.get(list);
      if (!results) {
        results = read(list);
        known.set(list, results);
      }
      for (const result of results) all.push(result);
    }
    return all;
  };
}
