import { useEffect, useState } from 'preact/hooks';
import type { Bridge } from '../shared/bridge';
import type { FromResultsPage, ResultsView, ToResultsPage } from '../shared/resultsProtocol';
import { Icon, Text } from '../shared/Text';
import { Interval } from './Interval';
import { TaskTable } from './TaskTable';

type ResultsBridge = Bridge<ToResultsPage, FromResultsPage, { run: string }>;

const verdictIcons: Record<string, { icon: string; tone: string }> = {
  accept: { icon: 'pass-filled', tone: 'good' },
  reject: { icon: 'error', tone: 'bad' },
};

/** The verdict as a sentence, then regressions by name, then the interval, then the tasks. */
export function ResultsPage({ bridge }: { bridge: ResultsBridge }) {
  const [view, setView] = useState<ResultsView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  useEffect(() => {
    const stop = bridge.onMessage((message) => {
      if (message.type === 'failed') setFailure([message.message, message.nextStep].filter(Boolean).join(' '));
      else {
        setFailure(null);
        setView(message.view);
        bridge.save({ run: message.view.run });
      }
    });
    bridge.send({ type: 'ready', run: bridge.restored?.run ?? null });
    return stop;
  }, [bridge]);

  if (!view)
    return <main class="results">{failure ? <p class="notice failure">{failure}</p> : <p>Reading the run.</p>}</main>;
  const { icon, tone } = verdictIcons[view.verdict ?? ''] ?? { icon: 'circle-large-outline', tone: '' };
  return (
    <main class="results">
      <h1>
        <Text value={view.title} />
      </h1>
      {failure && <p class="notice failure">{failure}</p>}
      <p class="verdict" role="status">
        <span class={tone}>
          <Icon name={view.state === 'running' ? 'sync' : icon} />
        </span>{' '}
        <Text value={view.sentence} />
      </p>
      {view.regressions.length > 0 && (
        <p class="notice failure">
          <Icon name="warning" /> {view.regressions.length === 1 ? 'Regression' : 'Regressions'}:{' '}
          <Text value={view.regressions.join(', ')} />
        </p>
      )}
      {view.difference !== null && view.interval && <Interval difference={view.difference} interval={view.interval} />}
      <ul class="notes">
        {view.notes.map((note) => (
          <li key={note}>
            <Text value={note} />
          </li>
        ))}
      </ul>
      <p class="actions">
        {view.canResume && (
          <vscode-button onClick={() => bridge.send({ type: 'resume' })}>
            Resume, {view.planned - view.done} of {view.planned} trials missing
          </vscode-button>
        )}
        <vscode-button secondary onClick={() => bridge.send({ type: 'openJson' })}>
          Open as JSON
        </vscode-button>
      </p>
      <p class="groups">
        {view.groups.map(({ group, count }) => (
          <span key={group}>
            {group} <strong>{count}</strong>
          </span>
        ))}
      </p>
      <TaskTable
        rows={view.rows}
        onOpenTrace={(file) => bridge.send({ type: 'openTrace', file })}
        onOpenOutput={(file) => bridge.send({ type: 'openOutput', file })}
      />
    </main>
  );
}
