import { useEffect, useRef } from 'preact/hooks';
import type { Choice, RowFilter } from '../shared/traceProtocol';
import { hitWords } from './found';
import { hides, type PageState } from './pageState';

interface Props {
  state: PageState;
  shown: number;
  inputRef: { current: HTMLElement | null };
  onFilter(filter: RowFilter): void;
  onHit(direction: 1 | -1): void;
  /** Goes to a hit as soon as one is known. */
  onSeek(direction: 1 | -1): void;
  onLeave(): void;
}

const kinds = [
  ['agent', 'agent'],
  ['tool', 'results'],
  ['user', 'user and harness'],
  ['system', 'prompts'],
  ['event', 'events'],
] as const;

/** Search with its hits; who speaks, which tool, which unit, errors only; with how many steps remain of how many. */
export function FilterBar({ state, shown, inputRef, onFilter, onHit, onSeek, onLeave }: Props) {
  const { filter, head, found } = state;
  const timer = useRef(0);
  /** What was typed and is not searched for yet. */
  const typed = useRef<string | null>(null);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (text: string) => {
    clearTimeout(timer.current);
    typed.current = text;
    // A search reads every step; wait until the person pauses.
    timer.current = window.setTimeout(search, 150);
  };
  const search = () => {
    clearTimeout(timer.current);
    const text = typed.current;
    typed.current = null;
    if (text !== null) onFilter({ ...filter, text });
  };
  const flip = (kind: string) =>
    onFilter({
      ...filter,
      kinds: filter.kinds.includes(kind) ? filter.kinds.filter((one) => one !== kind) : [...filter.kinds, kind],
    });
  const searching = filter.text.trim() !== '';
  return (
    <search class="filter">
      <vscode-textfield
        ref={inputRef}
        class="search"
        placeholder="Search the steps ( / )"
        aria-label="Search the steps"
        value={filter.text}
        onInput={(event) => type((event.currentTarget as HTMLElement & { value: string }).value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            const direction = event.shiftKey ? -1 : 1;
            if (typed.current === null) onHit(direction);
            else {
              search();
              onSeek(direction);
            }
          }
          if (event.key === 'Escape') typed.current = null;
          if (event.key === 'Escape') onFilter({ ...filter, text: '' });
          if (event.key === 'Escape' || event.key === 'ArrowDown') onLeave();
        }}
      />
      {searching && (
        <span class="hits">
          <span role="status">{hitWords(found, state.selected, head?.stepCount ?? 0)}</span>
          <button type="button" class="tool" aria-label="Previous hit" title="Shift+N" onClick={() => onHit(-1)}>
            {'<'}
          </button>
          <button type="button" class="tool" aria-label="Next hit" title="N" onClick={() => onHit(1)}>
            {'>'}
          </button>
          <button
            type="button"
            class="toggle"
            aria-pressed={filter.onlyHits}
            onClick={() => onFilter({ ...filter, onlyHits: !filter.onlyHits })}
          >
            only hits
          </button>
        </span>
      )}
      {kinds.map(([kind, words]) => (
        <button
          key={kind}
          type="button"
          class="toggle"
          aria-pressed={filter.kinds.includes(kind)}
          onClick={() => flip(kind)}
        >
          {words}
        </button>
      ))}
      <button
        type="button"
        class="toggle"
        aria-pressed={filter.errorsOnly}
        onClick={() => onFilter({ ...filter, errorsOnly: !filter.errorsOnly })}
      >
        errors only
      </button>
      <Chooser
        name="Tool"
        all="all tools"
        choices={state.tools}
        value={filter.tools[0] ?? null}
        onChoose={(tool) => onFilter({ ...filter, tools: tool === null ? [] : [tool] })}
      />
      <Chooser
        name="Unit of the handbook"
        all="all units"
        choices={state.units}
        value={filter.unit}
        onChoose={(unit) => onFilter({ ...filter, unit })}
      />
      <span class="dim" role="status">
        {hides(filter) ? `${shown} of ${head?.stepCount ?? 0} steps` : `${head?.stepCount ?? 0} steps`}
        {hides(filter) && !found.done ? ', looking' : ''}
      </span>
    </search>
  );
}

interface ChooserProps {
  name: string;
  all: string;
  choices: readonly Choice[];
  value: string | null;
  onChoose(id: string | null): void;
}

/** A choice of one or all; absent where there is nothing to choose. */
function Chooser({ name, all, choices, value, onChoose }: ChooserProps) {
  if (choices.length === 0) return null;
  return (
    <select
      aria-label={name}
      value={value ?? ''}
      onChange={(event) => onChoose(event.currentTarget.value === '' ? null : event.currentTarget.value)}
    >
      <option value="">{all}</option>
      {choices.map((choice) => (
        <option key={choice.id} value={choice.id}>
          {choice.label} ({choice.steps})
        </option>
      ))}
    </select>
  );
}
