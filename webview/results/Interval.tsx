import { intervalScale, signedPoints } from './intervalScale';

const width = 480;
const margin = 30;

interface Props {
  difference: number;
  interval: [number, number];
}

/** The difference with its interval against zero. Form and words say all that colour says. */
export function Interval({ difference, interval }: Props) {
  const scale = intervalScale(difference, interval);
  const x = (share: number) => margin + share * (width - 2 * margin);
  const words = `Candidate minus baseline: ${signedPoints(difference)}, 95 % interval ${signedPoints(interval[0])} to ${signedPoints(interval[1])}.`;
  return (
    <figure class="interval">
      <svg viewBox={`0 0 ${width} 56`} width={width} height="56" role="img" aria-label={words}>
        <line class="axis" x1={x(0)} x2={x(1)} y1="36" y2="36" />
        <line class="zero" x1={x(scale.zero)} x2={x(scale.zero)} y1="8" y2="42" />
        <line class="range" x1={x(scale.low)} x2={x(scale.high)} y1="22" y2="22" />
        <line class="range" x1={x(scale.low)} x2={x(scale.low)} y1="16" y2="28" />
        <line class="range" x1={x(scale.high)} x2={x(scale.high)} y1="16" y2="28" />
        <circle class="point" cx={x(scale.at)} cy="22" r="5" />
        <text x={x(0)} y="52" text-anchor="middle">
          -{scale.reach}
        </text>
        <text x={x(scale.zero)} y="52" text-anchor="middle">
          0
        </text>
        <text x={x(1)} y="52" text-anchor="middle">
          +{scale.reach} pp
        </text>
      </svg>
      <figcaption class="dim">{words}</figcaption>
    </figure>
  );
}
