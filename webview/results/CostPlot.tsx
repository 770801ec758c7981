import type { CostDot } from '../shared/resultsProtocol';
import { Text } from '../shared/Text';

const width = 480;
const height = 240;
const left = 44;
const bottom = 30;

interface Props {
  unit: string;
  dots: CostDot[];
}

/** Cost of a trial against score, the line that nothing dominates, and a table that says the same in words. */
export function CostPlot({ unit, dots }: Props) {
  const most = Math.max(...dots.map((dot) => dot.cost)) * 1.1 || 1;
  const x = (cost: number) => left + (cost / most) * (width - left - 12);
  const y = (score: number) => 10 + (1 - score) * (height - bottom - 10);
  const line = dots.filter((dot) => dot.onLine).sort((one, other) => one.cost - other.cost);
  const picks = line.filter((dot) => dot.picks.length > 0).map((dot) => `${dot.picks.join(' and ')}: ${dot.label}`);
  return (
    <figure class="cost">
      <svg
        viewBox={`0 0 ${width} ${height}`}
        width={width}
        height={height}
        role="img"
        aria-label={`Cost against score. ${picks.join(', ')}.`}
      >
        <line class="axis" x1={left} x2={width - 12} y1={y(0)} y2={y(0)} />
        <line class="axis" x1={left} x2={left} y1={y(0)} y2={y(1)} />
        {[0, 0.5, 1].map((score) => (
          <text key={score} x={left - 6} y={y(score) + 4} text-anchor="end">
            {score * 100} %
          </text>
        ))}
        <text x={width - 12} y={height - 8} text-anchor="end">
          {unit} a trial, up to {amount(most / 1.1, unit)}
        </text>
        <polyline class="pareto" points={line.map((dot) => `${x(dot.cost)},${y(dot.score)}`).join(' ')} />
        {dots.map((dot) => (
          <g key={dot.label}>
            {dot.onLine ? (
              <circle class="point" cx={x(dot.cost)} cy={y(dot.score)} r={dot.current ? 6 : 4} />
            ) : (
              <circle class="hollow" cx={x(dot.cost)} cy={y(dot.score)} r={dot.current ? 6 : 4} />
            )}
            {dot.picks.length > 0 && (
              <text x={x(dot.cost)} y={y(dot.score) - 9} text-anchor={x(dot.cost) > width * 0.8 ? 'end' : 'middle'}>
                {dot.picks.join(', ')}
              </text>
            )}
          </g>
        ))}
      </svg>
      <table>
        <thead>
          <tr>
            <th scope="col">harness version</th>
            <th scope="col">{unit} a trial</th>
            <th scope="col">score</th>
            <th scope="col">pick</th>
          </tr>
        </thead>
        <tbody>
          {[...dots]
            .sort((one, other) => one.cost - other.cost)
            .map((dot) => (
              <tr key={dot.label}>
                <th scope="row">
                  <Text value={dot.label} />
                  {dot.current && <span class="dim"> (this run)</span>}
                </th>
                <td>{amount(dot.cost, unit)}</td>
                <td>{(100 * dot.score).toFixed(1)} %</td>
                <td>{dot.picks.join(', ') || (dot.onLine ? 'on the line' : 'dominated')}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </figure>
  );
}

function amount(value: number, unit: string): string {
  return unit === 'USD' ? `$${value.toFixed(value < 0.1 ? 4 : 2)}` : Math.round(value).toLocaleString('en');
}
