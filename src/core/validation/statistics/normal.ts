/** Density of the standard normal distribution. */
export function normalDensity(x: number): number {
  return Math.exp(-(x * x) / 2) / Math.sqrt(2 * Math.PI);
}

/** P(Z <= x). A power series near the middle, a continued fraction in the tails; both to the precision of numbers. */
export function normalCdf(x: number): number {
  if (Math.abs(x) > 3) return x > 0 ? 1 - upperTail(x) : upperTail(-x);
  // Marsaglia 2004: 1/2 + density * (x + x^3/3 + x^5/(3*5) + ...)
  let term = x;
  let sum = x;
  for (let odd = 3; Math.abs(term) > Math.abs(sum) * Number.EPSILON; odd += 2) {
    term *= (x * x) / odd;
    sum += term;
  }
  return 0.5 + normalDensity(x) * sum;
}

/** P(Z > x) for x far above 0, by Laplace's continued fraction, which the series above would lose to rounding. */
function upperTail(x: number): number {
  let fraction = x;
  for (let depth = 100; depth >= 1; depth--) fraction = x + depth / fraction;
  return normalDensity(x) / fraction;
}

/**
 * The x with P(Z <= x) = p, by Wichura's AS 241 (about 16 digits).
 * @throws RangeError unless 0 < p < 1.
 */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a quantile needs 0 < p < 1, not ${p}`);
  const q = p - 0.5;
  if (Math.abs(q) <= 0.425) return q * ratio(0.180625 - q * q, central);
  const distance = Math.sqrt(-Math.log(q < 0 ? p : 1 - p));
  const x = distance <= 5 ? ratio(distance - 1.6, middle) : ratio(distance - 5, far);
  return q < 0 ? -x : x;
}

type Coefficients = readonly (readonly [number, number])[];

/** Quotient of two polynomials whose coefficients stand in pairs, highest power first. */
function ratio(x: number, coefficients: Coefficients): number {
  let above = 0;
  let below = 0;
  for (const [a, b] of coefficients) {
    above = above * x + a;
    below = below * x + b;
  }
  return above / below;
}

/** Wichura 1988, Applied Statistics 37(3), algorithm AS 241, PPND16. */
const central: Coefficients = [
  [2509.0809287301227, 5226.495278852546],
  [33430.57558358813, 28729.085735721943],
  [67265.7709270087, 39307.89580009271],
  [45921.95393154987, 21213.794301586597],
  [13731.69376550946, 5394.196021424751],
  [1971.5909503065513, 687.1870074920579],
  [133.14166789178438, 42.31333070160091],
  [3.3871328727963665, 1],
];

const middle: Coefficients = [
  [0.0007745450142783414, 1.0507500716444169e-9],
  [0.022723844989269184, 0.0005475938084995345],
  [0.2417807251774506, 0.015198666563616457],
  [1.2704582524523684, 0.14810397642748008],
  [3.6478483247632045, 0.6897673349851],
  [5.769497221460691, 1.6763848301838038],
  [4.630337846156546, 2.053191626637759],
  [1.4234371107496835, 1],
];

const far: Coefficients = [
  [2.0103343992922881e-7, 2.0442631033899397e-15],
  [2.7115555687434876e-5, 1.421511758316446e-7],
  [0.0012426609473880784, 1.8463183175100548e-5],
  [0.026532189526576124, 0.0007868691311456133],
  [0.29656057182850487, 0.014875361290850615],
  [1.7848265399172913, 0.1369298809227358],
  [5.463784911164114, 0.599832206555888],
  [6.657904643501103, 1],
];
