import type { IntervalRow } from '../shared/resultsProtocol';
import { Text } from '../shared/Text';
import { intervalScale, signedPoints } from './intervalScale';

const width = 480;
const margin = 30;
const rowHeight = 28;

interface Props {
  rows: IntervalRow[];
  /** Half-widths on the 0..1 scale; null when not known. */
  noiseFloor: number | null;
  margin: number | null;
}

/**
 * Differences with their intervals against zero, all tasks first and then each split. The band is the noise floor, the
 * dotted lines are the margin of "equal". Form and words say all that colour says.
 */
export function Interval({ rows, noiseFloor, margin: equal }: Props) {
  const [first] = rows;
  if (!first) return null;
  const reach = Math.max(
    ...rows.flatMap(({ interval, difference }) => [...interval.map(Math.abs), Math.abs(difference)]),
  );
  const scaleOf = ({ difference, interval }: IntervalRow) => intervalScale(difference, interval, reach);
  const scale = scaleOf(first);
  const x = (share: number) => margin + share * (width - 2 * margin);
  const at = (value: number) => x(Math.min(1, Math.max(0, (value / (scale.reach / 100) + 1) / 2)));
  const bottom = rows.length * rowHeight + 8;
  const words = `Candidate minus baseline: ${signedPoints(first.difference)}, 95 % interval ${signedPoints(first.interval[0])} to ${signedPoints(first.interval[1])}.`;
  const noise =
    noiseFloor === null ? '' : ` Band: reruns of the unchanged harness, within ${(noiseFloor * 100).toFixed(1)} pp.`;
  const equalWords = equal === null ? '' : ` Dotted: equal, within ${(equal * 100).toFixed(1)} pp.`;
  return (
    <figure class="interval">
      <svg viewBox={`0 0 ${width} ${bottom + 22}`} width={width} height={bottom + 22} role="img" aria-label={words}>
        {noiseFloor !== null && (
          <rect class="noise" x={at(-noiseFloor)} width={at(noiseFloor) - at(-noiseFloor)} y="4" height={bottom - 4} />
        )}
        {equal !== null &&
          [-equal, equal].map((value) => (
            <line key={value} class="equal" x1={at(value)} x2={at(value)} y1="4" y2={bottom} />
          ))}
        <line class="axis" x1={x(0)} x2={x(1)} y1={bottom} y2={bottom} />
        <line class="zero" x1={x(scale.zero)} x2={x(scale.zero)} y1="4" y2={bottom + 4} />
        {rows.map((row, index) => {
          const own = scaleOf(row);
          const y = 18 + index * rowHeight;
          return (
            <g key={row.label}>
              <line class="range" x1={x(own.low)} x2={x(own.high)} y1={y} y2={y} />
              <line class="range" x1={x(own.low)} x2={x(own.low)} y1={y - 6} y2={y + 6} />
              <line class="range" x1={x(own.high)} x2={x(own.high)} y1={y - 6} y2={y + 6} />
              <circle class="point" cx={x(own.at)} cy={y} r="5" />
            </g>
          );
        })}
        <text x={x(0)} y={bottom + 17} text-anchor="middle">
          -{scale.reach}
        </text>
        <text x={x(scale.zero)} y={bottom + 17} text-anchor="middle">
          0
        </text>
        <text x={x(1)} y={bottom + 17} text-anchor="middle">
          +{scale.reach} pp
        </text>
      </svg>
      <figcaption class="dim">
        {words}
        {noise}
        {equalWords}
      </figcaption>
      {rows.length > 1 && (
        <ol class="dim legend">
          {rows.map((row) => (
            <li key={row.label}>
              <Text value={row.label} />: {signedPoints(row.difference)} [{signedPoints(row.interval[0])},{' '}
              {signedPoints(row.interval[1])}]
            </li>
          ))}
        </ol>
      )}
    </figure>
  );
}
