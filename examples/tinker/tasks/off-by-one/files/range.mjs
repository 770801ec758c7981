export function range(first, last) {
  const numbers = [];
  for (let n = first; n < last; n += 1) numbers.push(n);
  return numbers;
}
