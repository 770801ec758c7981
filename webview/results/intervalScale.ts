/** Positions of a difference and its interval on a symmetric axis around zero, 0 to 1 from left to right. */
export interface IntervalScale {
  low: number;
  high: number;
  at: number;
  zero: number;
  /** Half the width of the axis, in percentage points; a round number. */
  reach: number;
}

const reaches = [0.05, 0.1, 0.2, 0.3, 0.5, 1];

/** The smallest round axis that holds the whole interval, and everything as far from zero as `least`. */
export function intervalScale(difference: number, [low, high]: readonly [number, number], least = 0): IntervalScale {
  const widest = Math.max(Math.abs(low), Math.abs(high), Math.abs(difference), least);
  const reach = reaches.find((one) => one >= widest) ?? 1;
  const place = (value: number) => Math.min(1, Math.max(0, (value / reach + 1) / 2));
  return { low: place(low), high: place(high), at: place(difference), zero: 0.5, reach: Math.round(reach * 100) };
}

/** "+6.2 pp", "-3.1 pp", "0.0 pp" for a difference on the 0..1 scale. */
export function signedPoints(value: number): string {
  const points = (value * 100).toFixed(1).replace(/^-(?=0\.0$)/, '');
  return `${value > 0 && points !== '0.0' ? '+' : ''}${points} pp`;
}
