import type { MapMatch, MapView } from '../shared/mapProtocol';
import { Icon, Text } from '../shared/Text';
import { type HeatKind, heatKinds, heatTitles, heatWords, hottest } from './heat';
import type { SavedState } from './savedState';

interface Props {
  view: MapView;
  state: SavedState;
  search: { current: HTMLElement | null };
  text: string;
  matches: MapMatch[] | null;
  total: number;
  onText(text: string): void;
  onChoose(unit: string): void;
  onLeaveSearch(): void;
  onChange(change: Partial<SavedState>): void;
  onZoom(factor: number): void;
  onFit(): void;
}

const callWords: Record<SavedState['calls'], string> = {
  selected: 'Calls of the selected unit',
  all: 'All calls',
  none: 'No calls',
};

/** Search, heat, calls, zoom, and the switch to the list; below it what the heat means. */
export function Toolbar(props: Props) {
  const { view, state, matches, onChange } = props;
  return (
    <div class="toolbar" role="toolbar" aria-label="Behaviour map">
      <div class="search">
        <vscode-textfield
          ref={props.search}
          aria-label="Search units"
          placeholder="Search units  ( / )"
          value={props.text}
          onInput={(event) => props.onText((event.target as HTMLInputElement).value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' && matches?.[0]) props.onChoose(matches[0].unit);
            else if (event.key === 'Escape') props.onLeaveSearch();
          }}
        />
        {matches && (
          <ul class="matches" aria-label="Units found">
            {matches.length === 0 && <li class="dim">No unit has all these words.</li>}
            {matches.map((match) => (
              <li key={match.unit}>
                <button type="button" onClick={() => props.onChoose(match.unit)}>
                  <Text value={match.title} />
                  <span class="dim">
                    <Text value={`${match.stage}, ${match.detail}`} />
                  </span>
                </button>
              </li>
            ))}
            {props.total > matches.length && <li class="dim">and {props.total - matches.length} more</li>}
          </ul>
        )}
      </div>
      <label>
        <span class="spoken">Heat</span>
        <select
          value={state.heat}
          onChange={(event) => onChange({ heat: (event.target as HTMLSelectElement).value as HeatKind })}
        >
          {heatKinds.map((kind) => (
            <option key={kind} value={kind}>
              {heatTitles[kind]}
            </option>
          ))}
        </select>
      </label>
      {!state.list && <Drawing {...props} />}
      <button type="button" class="toggle" aria-pressed={state.list} onClick={() => onChange({ list: !state.list })}>
        <Icon name="list-tree" /> List
      </button>
      <Legend view={view} heat={state.heat} />
    </div>
  );
}

/** What only a drawn map has: whose calls are shown, and how large it is. */
function Drawing({ state, onChange, onZoom, onFit }: Props) {
  return (
    <>
      <label>
        <span class="spoken">Arrows</span>
        <select
          value={state.calls}
          onChange={(event) => onChange({ calls: (event.target as HTMLSelectElement).value as SavedState['calls'] })}
        >
          {Object.entries(callWords).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      </label>
      <span class="zoom">
        <button
          type="button"
          class="toggle"
          aria-label="Smaller"
          title="Smaller ( - )"
          onClick={() => onZoom(1 / 1.25)}
        >
          <Icon name="zoom-out" />
        </button>
        <button type="button" class="toggle" aria-label="Larger" title="Larger ( + )" onClick={() => onZoom(1.25)}>
          <Icon name="zoom-in" />
        </button>
        <button type="button" class="toggle" aria-label="Show the whole map" title="Whole map ( 0 )" onClick={onFit}>
          <Icon name="screen-full" />
        </button>
      </span>
    </>
  );
}

/** What the bars and colours stand for, with the figure behind the longest bar. */
export function Legend({ view, heat }: { view: MapView; heat: HeatKind }) {
  if (heat === 'none') return null;
  const top = hottest(view, heat);
  if (heat !== 'failing' && view.costs !== 'ready') return <p class="legend dim">Adding up what the steps used.</p>;
  if (!top) {
    const words =
      heat === 'failing'
        ? view.traced
          ? 'No failing step leads to these units.'
          : 'No traces are read, so nothing is known to fail.'
        : 'No trace records what its steps used.';
    return <p class="legend dim">{words}</p>;
  }
  return (
    <p class="legend">
      <span class="scale" aria-hidden="true">
        {[1, 2, 3, 4].map((level) => (
          <span key={level} class={`swatch heat-${level}`}>
            <span class="bar" style={{ width: `${level * 25}%` }} />
          </span>
        ))}
      </span>
      <span>
        The longest bar is {heatWords(top.node, heat)}
        {heat === 'failing' ? ' steps' : ''}, at <Text value={top.node.title} />
      </span>
    </p>
  );
}
