import type { ResultRow } from '../shared/resultsProtocol';
import { Icon, Text } from '../shared/Text';

interface Props {
  rows: ResultRow[];
  onOpenTrace(file: string): void;
  onOpenOutput(file: string): void;
}

/** Tasks with k of n in both arms; flips first, as the host ordered them. */
export function TaskTable({ rows, onOpenTrace, onOpenOutput }: Props) {
  if (rows.length === 0) return <p class="dim">No trial is finished yet.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">task</th>
          <th scope="col">baseline</th>
          <th scope="col">candidate</th>
          <th scope="col">group</th>
          <th scope="col">predicted</th>
          <th scope="col">traces</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.task} class={row.regression ? 'regression' : ''}>
            <th scope="row">
              <Text value={row.task} />
            </th>
            <td>
              <Count count={row.baseline} />
            </td>
            <td>
              <Count count={row.candidate} />
            </td>
            <td>
              {row.regression && <Icon name="warning" />} {row.group}
              {row.regression && <strong> regression</strong>}
              {row.unstable && <span class="badge">unstable</span>}
              {row.evidence && <span class="dim"> {row.evidence}</span>}
            </td>
            <td>{row.predicted ?? '-'}</td>
            <td class="traces">
              {row.baselineTrace && (
                <button type="button" class="link" onClick={() => onOpenTrace(row.baselineTrace!)}>
                  baseline
                </button>
              )}
              {row.candidateTrace && (
                <button type="button" class="link" onClick={() => onOpenTrace(row.candidateTrace!)}>
                  candidate
                </button>
              )}
              {row.output && (
                <button type="button" class="link" onClick={() => onOpenOutput(row.output!)}>
                  why no verdict
                </button>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Count({ count }: { count: ResultRow['baseline'] }) {
  return (
    <span class="count">
      <span>
        {count.passed} of {count.of}
        {count.missing > 0 && <span class="dim"> ({count.missing} no verdict)</span>}
      </span>
      <span class="bar" aria-hidden="true">
        {'#'.repeat(Math.min(count.passed, 20))}
      </span>
    </span>
  );
}
