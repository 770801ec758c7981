import { useEffect, useRef } from 'preact/hooks';
import type { RowFilter } from '../shared/traceProtocol';
import { isEmpty, type PageState } from './pageState';

interface Props {
  state: PageState;
  shown: number;
  inputRef: { current: HTMLElement | null };
  onFilter(filter: RowFilter): void;
  onLeave(): void;
}

const kinds = [
  ['agent', 'agent'],
  ['tool', 'results'],
  ['user', 'user and harness'],
  ['system', 'prompts'],
  ['event', 'events'],
] as const;

/** Search text, who speaks, errors only; with how many steps remain of how many. */
export function FilterBar({ state, shown, inputRef, onFilter, onLeave }: Props) {
  const { filter, head } = state;
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (text: string) => {
    clearTimeout(timer.current);
    // A search reads every step; wait until the person pauses.
    timer.current = window.setTimeout(() => onFilter({ ...filter, text }), 150);
  };
  const flip = (kind: string) =>
    onFilter({
      ...filter,
      kinds: filter.kinds.includes(kind) ? filter.kinds.filter((one) => one !== kind) : [...filter.kinds, kind],
    });
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
          if (event.key === 'Escape') onFilter({ ...filter, text: '' });
          if (event.key === 'Escape' || event.key === 'Enter') onLeave();
        }}
      />
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
      <span class="dim" role="status">
        {isEmpty(filter) ? `${head?.stepCount ?? 0} steps` : `${shown} of ${head?.stepCount ?? 0} steps`}
        {state.complete ? '' : ' (the search stopped early)'}
      </span>
    </search>
  );
}
