import { memo } from 'preact/compat';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import { Icon, Text } from '../shared/Text';
import type { OutlineEntry } from '../shared/traceProtocol';

interface Props {
  entries: readonly OutlineEntry[];
  selected: number;
  panel: { current: HTMLElement | null };
  onGoTo(n: number): void;
  onLeave(): void;
}

/** The phases and turns of the run. It follows the selected step, and its own keys move in it. */
export const Outline = memo(function Outline({ entries, selected, panel, onGoTo, onLeave }: Props) {
  const list = useRef<VirtualizerHandle>(null);
  const here = entryOf(entries, selected);
  const [focused, setFocused] = useState<number | null>(null);
  const current = focused ?? here;

  useEffect(() => {
    if (current >= 0) list.current?.scrollToIndex(current, { align: 'nearest' });
  }, [current]);
  // Moving in the list of steps takes the highlight of the outline along again.
  useEffect(() => setFocused(null), [selected]);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = moved(entries, current, event.key);
    if (to !== null) setFocused(to);
    else if (event.key === 'Enter' || event.key === ' ') {
      const entry = entries[current];
      if (entry) onGoTo(entry.from);
      if (event.key === 'Enter') onLeave();
    } else if (event.key === 'Escape' || event.key === 'o') onLeave();
    else return;
    event.preventDefault();
  };

  return (
    <div
      ref={panel as { current: HTMLDivElement | null }}
      class="outline"
      role="tree"
      tabIndex={0}
      aria-label="Outline of the run"
      aria-activedescendant={current >= 0 ? `outline-${current}` : undefined}
      onKeyDown={onKeyDown}
    >
      <Virtualizer ref={list} data={entries as OutlineEntry[]}>
        {(entry: OutlineEntry, index: number) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the tree has the focus and names the row by aria-activedescendant
          // biome-ignore lint/a11y/useKeyWithClickEvents: the tree handles the keys of all its rows
          <div
            key={index}
            id={`outline-${index}`}
            class={`entry ${entry.level} ${index === current ? 'current' : ''}`}
            role="treeitem"
            aria-level={entry.level === 'phase' ? 1 : 2}
            aria-selected={index === here}
            title={entry.label}
            onClick={() => onGoTo(entry.from)}
          >
            <span class="range">{entry.from === entry.to ? entry.from : `${entry.from}-${entry.to}`}</span>{' '}
            {entry.errors > 0 && (
              <span class="bad" title={`${entry.errors} ${entry.errors === 1 ? 'error' : 'errors'}`}>
                <Icon name="error" />
                <span class="spoken">{entry.errors === 1 ? '1 error' : `${entry.errors} errors`}</span>{' '}
              </span>
            )}
            <Text value={entry.label} />
          </div>
        )}
      </Virtualizer>
    </div>
  );
});

/** The innermost entry that holds a step; -1 when none does. */
export function entryOf(entries: readonly OutlineEntry[], n: number): number {
  let low = 0;
  let high = entries.length - 1;
  let found = -1;
  // Entries begin in order, a phase just before its first turn.
  while (low <= high) {
    const middle = (low + high) >> 1;
    if (entries[middle]!.from <= n) {
      found = middle;
      low = middle + 1;
    } else high = middle - 1;
  }
  return found;
}

/** Where a key leads in the outline; null for keys that do not move. */
export function moved(entries: readonly OutlineEntry[], at: number, key: string): number | null {
  const last = entries.length - 1;
  const isPhase = (entry: OutlineEntry) => entry.level === 'phase';
  switch (key) {
    case 'ArrowDown':
    case 'j':
      return Math.min(last, at + 1);
    case 'ArrowUp':
    case 'k':
      return Math.max(0, at - 1);
    case 'Home':
      return 0;
    case 'End':
      return last;
    case 'ArrowRight':
    case 'PageDown': {
      const next = entries.findIndex((entry, index) => index > at && isPhase(entry));
      return next < 0 ? last : next;
    }
    case 'ArrowLeft':
    case 'PageUp':
      return Math.max(
        0,
        entries.findLastIndex((entry, index) => index < at && isPhase(entry)),
      );
  }
  return null;
}
