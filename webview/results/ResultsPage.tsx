import { useEffect, useState } from 'preact/hooks';
import type { Bridge } from '../shared/bridge';
import type { FromResultsPage, IntervalRow, ResultsView, ToResultsPage } from '../shared/resultsProtocol';
import { Icon, Text } from '../shared/Text';
import { CostPlot } from './CostPlot';
import { History } from './History';
import { Interval } from './Interval';
import { TaskTable } from './TaskTable';

type ResultsBridge = Bridge<ToResultsPage, FromResultsPage, { run: string }>;

const verdictIcons: Record<string, { icon: string; tone: string }> = {
  accept: { icon: 'pass-filled', tone: 'good' },
  'adopt for cost': { icon: 'pass-filled', tone: 'good' },
  equal: { icon: 'symbol-operator', tone: '' },
  reject: { icon: 'error', tone: 'bad' },
};

const parts = ['tasks', 'cost', 'details', 'history'] as const;

/** The verdict as a sentence, then regressions by name, then the interval, then one part at a time: tasks first. */
export function ResultsPage({ bridge }: { bridge: ResultsBridge }) {
  const [view, setView] = useState<ResultsView | null>(null);
  const [failure, setFailure] = useState<string | null>(null);
  const [part, setPart] = useState<(typeof parts)[number]>('tasks');
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
      {view.override && (
        <p class="notice">
          <Icon name="person" /> Accepted against the verdict: <Text value={view.override} />
        </p>
      )}
      <Interval rows={intervalsOf(view)} noiseFloor={view.noiseFloor ?? null} margin={view.margin ?? null} />
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
        {(view.looksLeft ?? 0) > 0 && (
          <vscode-button onClick={() => bridge.send({ type: 'runMore' })}>
            Run more of each ({view.looksLeft} planned {view.looksLeft === 1 ? 'look' : 'looks'} left)
          </vscode-button>
        )}
        {view.canOverride && (
          <vscode-button secondary onClick={() => bridge.send({ type: 'override' })}>
            Accept anyway...
          </vscode-button>
        )}
        {view.state === 'finished' && (
          <vscode-button secondary onClick={() => bridge.send({ type: 'export' })}>
            Export...
          </vscode-button>
        )}
        <vscode-button secondary onClick={() => bridge.send({ type: 'openJson' })}>
          Open as JSON
        </vscode-button>
      </p>
      <div class="tabs" role="tablist" aria-label="Parts of the results">
        {parts.map((name) => (
          <button
            key={name}
            type="button"
            role="tab"
            aria-selected={part === name}
            class={part === name ? 'tab selected' : 'tab'}
            onClick={() => setPart(name)}
          >
            {name}
          </button>
        ))}
      </div>
      {part === 'tasks' && (
        <>
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
        </>
      )}
      {part === 'cost' &&
        (view.cost ? (
          <CostPlot unit={view.cost.unit} dots={view.cost.dots} />
        ) : (
          <p class="dim">No finished run of this suite states tokens or prices of all its trials.</p>
        ))}
      {part === 'details' && (
        <ul class="notes">
          {(view.facts ?? []).map((fact) => (
            <li key={fact}>
              <Text value={fact} />
            </li>
          ))}
        </ul>
      )}
      {part === 'history' && (
        <History
          lines={view.history ?? []}
          onOpen={(run) => bridge.send({ type: 'openRun', run })}
          onCompare={(run) => bridge.send({ type: 'compareWith', run })}
        />
      )}
    </main>
  );
}

function intervalsOf(view: ResultsView): IntervalRow[] {
  if (view.difference === null || view.interval === null) return [];
  if (view.intervals && view.intervals.length > 0) return view.intervals;
  return [{ label: 'all tasks', difference: view.difference, interval: view.interval }];
}
