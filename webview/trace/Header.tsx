import { Icon, Text } from '../shared/Text';
import type { TraceHead } from '../shared/traceProtocol';
import type { TraceBridge } from './savedState';

interface Props {
  head: TraceHead;
  bridge: TraceBridge;
  onGoTo(n: number): void;
  onHelp(): void;
}

const findingsShown = 4;

/** Outcome, figures, findings and what could not be read. */
export function Header({ head, bridge, onGoTo, onHelp }: Props) {
  return (
    <header class="head">
      <div class="line">
        <h1>
          <Text value={head.title} />
        </h1>
        <span class={`outcome ${head.outcome.tone === 'neutral' ? '' : head.outcome.tone}`}>
          <Icon name={head.outcome.icon} /> {head.outcome.words}
        </span>
        {head.runs.length > 1 && (
          <select
            aria-label="Run in this file"
            value={head.run}
            onChange={(event) => bridge.send({ type: 'chooseRun', run: event.currentTarget.value })}
          >
            {head.runs.map((run) => (
              <option key={run.run} value={run.run}>
                {run.label}
              </option>
            ))}
          </select>
        )}
        <span class="right">
          <vscode-button secondary onClick={() => bridge.send({ type: 'compare', run: null })}>
            Compare
          </vscode-button>
          <vscode-button secondary onClick={() => bridge.send({ type: 'openSource' })}>
            Open as text
          </vscode-button>
          <button type="button" class="tool" aria-label="Keys of this page" title="Keys (?)" onClick={onHelp}>
            ?
          </button>
        </span>
      </div>
      <p class="facts dim">{head.facts.join('   ')}</p>
      {head.startReason && <p class="facts">{head.startReason}</p>}
      {head.findings.length > 0 && (
        <ul class="findings" aria-label="Findings">
          {head.findings.slice(0, findingsShown).map((finding) => (
            <li key={`${finding.title}:${finding.steps[0]}`}>
              <Icon name="search-fuzzy" /> suspected: <Text value={finding.title} />{' '}
              {finding.steps.slice(0, 8).map((n) => (
                <button key={n} type="button" class="link" onClick={() => onGoTo(n)}>
                  step {n}
                </button>
              ))}
            </li>
          ))}
          {head.findings.length > findingsShown && (
            <li class="dim">and {head.findings.length - findingsShown} more; e goes through them</li>
          )}
        </ul>
      )}
      {head.linksMissing && <p class="notice">{head.linksMissing}</p>}
      {head.warnings.length > 0 && (
        <details class="notice">
          <summary>
            {head.warnings.length} {head.warnings.length === 1 ? 'part' : 'parts'} of the file could not be read
          </summary>
          <ul>
            {head.warnings.map((warning) => (
              <li key={warning}>
                <Text value={warning} />
              </li>
            ))}
          </ul>
        </details>
      )}
    </header>
  );
}
