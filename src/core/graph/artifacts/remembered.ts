/**
 * A function of a thing that is computed once for each: facts of a file stay the same objects until its text changes, and
 * what is read out of them takes longer than all the rest.
 */
export function remembered<T extends object, R>(compute: (thing: T) => R): (thing: T) => R {
  const known = new WeakMap<T, { result: R }>();
  return (thing) => {
    let entry = known.get(thing);
    if (!entry) {
      entry = { result: compute(thing) };
      known.set(thing, entry);
    }
    return entry.result;
  };
}
