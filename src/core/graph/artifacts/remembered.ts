type Lists<T> = readonly (readonly T[])[];

/**
 * Reads something out of each list and joins the results. What was read is kept with the list: those of a file stay the same
 * until its text changes, and reading takes longer than all the rest.
 */
export function remembered<T, R>(read: (list: readonly T[]) => R[]): (lists: Lists<T>) => R[] {
  const results = new Results(read);
  return (lists) => results.joined(lists);
}

/**
 * Like {@link remembered}, for results of which only some are wanted. What is wanted is mostly what was wanted the time
 * before; then lists that have none of it cost nothing.
 *
 * @param choose tells the results to keep for what is wanted
 */
export function rememberedFor<T, R>(
  read: (list: readonly T[]) => R[],
  choose: (wanted: ReadonlySet<string>) => (result: R) => boolean,
): (lists: Lists<T>, wanted: ReadonlySet<string>) => R[] {
  const all = new Results(read);
  let before: ReadonlySet<string> | undefined;
  let fitting = all;
  return (lists, wanted) => {
    if (!before || !isSame(wanted, before)) {
      before = wanted;
      const fits = choose(wanted);
      fitting = new Results((list) => all.of(list).filter(fits));
    }
    return fitting.joined(lists);
  };
}

/** {@link rememberedFor} results whose name is wanted. */
export function rememberedByName<T, R extends { name: string }>(
  read: (list: readonly T[]) => R[],
): (lists: Lists<T>, wanted: ReadonlySet<string>) => R[] {
  return rememberedFor(
    read,
    (wanted) =>
      ({ name }) =>
        wanted.has(name),
  );
}

class Results<T, R> {
  private readonly known = new WeakMap<readonly T[], R[]>();
  /** The lists of the time before and what each gave: most stand at the same place again. */
  private before: Lists<T> = [];
  private gave: R[][] = [];

  constructor(private readonly read: (list: readonly T[]) => R[]) {}

  joined(lists: Lists<T>): R[] {
    if (lists.length === 1) return this.of(lists[0]!);
    const { before, gave } = this;
    this.gave = lists.map((list, at) => (list === before[at] ? gave[at]! : this.of(list)));
    this.before = [...lists];
    const all: R[] = [];
    for (const results of this.gave) if (results.length > 0) for (const result of results) all.push(result);
    return all;
  }

  of(list: readonly T[]): R[] {
    if (list.length === 0) return nothing;
    let results = this.known.get(list);
    if (!results) {
      results = this.read(list);
      // Most lists hold nothing of interest.
      if (results.length === 0) results = nothing;
      this.known.set(list, results);
    }
    return results;
  }
}

const nothing: never[] = [];

function isSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  if (a.size !== b.size) return false;
  for (const each of a) if (!b.has(each)) return false;
  return true;
}
