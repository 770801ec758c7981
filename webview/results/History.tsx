import type { HistoryLine } from '../shared/resultsProtocol';
import { Text } from '../shared/Text';

interface Props {
  lines: HistoryLine[];
  onOpen(run: string): void;
  onCompare(run: string): void;
}

/** Runs of the suite, newest first; a candidate that a later run builds on is named as its parent. */
export function History({ lines, onOpen, onCompare }: Props) {
  if (lines.length === 0) return <p class="dim">No other run of this suite.</p>;
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">run</th>
          <th scope="col">candidate</th>
          <th scope="col">verdict</th>
          <th scope="col">difference</th>
          <th scope="col">builds on</th>
          <th scope="col">actions</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={line.run} class={line.current ? 'current' : ''} aria-current={line.current ? 'true' : undefined}>
            <th scope="row">{line.when}</th>
            <td>
              <Text value={line.what} />
            </td>
            <td>
              <Text value={line.verdict} />
            </td>
            <td>{line.difference}</td>
            <td>
              <Text value={line.parent ?? '-'} />
            </td>
            <td class="traces">
              {line.current ? (
                <span class="dim">shown here</span>
              ) : (
                <>
                  <button type="button" class="link" onClick={() => onOpen(line.run)}>
                    open
                  </button>
                  <button type="button" class="link" onClick={() => onCompare(line.run)}>
                    compare with this run
                  </button>
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
