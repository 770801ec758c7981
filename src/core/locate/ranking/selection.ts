/** Numbers of the largest positive values, largest first; ties in order. One pass, with a heap of the best so far. */
export function bestOf(values: Float64Array, count: number): number[] {
  if (count <= 0) return [];
  const isWorse = (a: number, b: number): boolean => {
    const difference = (values[a] as number) - (values[b] as number);
    return difference < 0 || (difference === 0 && a > b);
  };
  const heap: number[] = []; // the worst of the best is on top
  for (let at = 0; at < values.length; at++) {
    if (!((values[at] as number) > 0)) continue;
    if (heap.length < count) rise(heap, at, isWorse);
    else if (isWorse(heap[0] as number, at)) sink(heap, at, isWorse);
  }
  return heap.sort((a, b) => (isWorse(a, b) ? 1 : -1));
}

type Worse = (a: number, b: number) => boolean;

function rise(heap: number[], added: number, isWorse: Worse): void {
  let place = heap.length;
  heap.push(added);
  while (place > 0) {
    const parent = (place - 1) >> 1;
    if (!isWorse(added, heap[parent] as number)) break;
    heap[place] = heap[parent] as number;
    place = parent;
  }
  heap[place] = added;
}

function sink(heap: number[], added: number, isWorse: Worse): void {
  let place = 0;
  for (;;) {
    let child = 2 * place + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isWorse(heap[child + 1] as number, heap[child] as number)) child += 1;
    if (!isWorse(heap[child] as number, added)) break;
    heap[place] = heap[child] as number;
    place = child;
  }
  heap[place] = added;
}

/** For some places of a list how many positive values of it are larger; what is not positive comes after all that are. */
export function ranksOf(values: Float64Array, places: readonly number[]): number[] {
  const steps = Float64Array.from(places, (at) => Math.max(0, values[at] as number)).sort();
  const above = new Int32Array(steps.length + 1); // values by how many steps they are larger than
  for (let at = 0; at < values.length; at++) {
    const value = values[at] as number;
    if (value > 0) above[below(steps, value)] = (above[below(steps, value)] as number) + 1;
  }
  for (let step = steps.length - 1; step >= 0; step--)
    above[step] = (above[step] as number) + (above[step + 1] as number);
  return places.map((at) => {
    const value = Math.max(0, values[at] as number);
    // Larger than this value is larger than all steps up to and with it.
    let step = below(steps, value);
    while (step < steps.length && steps[step] === value) step += 1;
    return above[step] as number;
  });
}

/** How many values of an ascending list are below one. */
function below(ascending: Float64Array, value: number): number {
  let [low, high] = [0, ascending.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ascending[middle] as number) < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Divided by the largest value. */
export function scaled(values: Float64Array): Float64Array {
  const top = largest(values);
  return top > 0 ? values.map((value) => value / top) : values;
}

/** The largest value, at least 0. */
export function largest(values: Float64Array): number {
  let found = 0;
  for (let at = 0; at < values.length; at++) if ((values[at] as number) > found) found = values[at] as number;
  return found;
}
