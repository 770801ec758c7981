import { useCallback, useEffect, useRef } from 'preact/hooks';
import { Virtualizer, type VirtualizerHandle } from 'virtua';
import type { ComparePair, TraceRow } from '../shared/protocol';
import { Icon, Text } from '../shared/Text';
import { type CompareState, compareKey, divergentPair, nextDifference, pairMark, pairWords } from './compareState';
import { type PageAction, pageSize, pagesToAsk } from './pageState';
import type { TraceBridge } from './savedState';

interface Props {
  compare: CompareState;
  rows: ReadonlyMap<number, TraceRow>;
  stepCount: number;
  generation: number;
  bridge: TraceBridge;
  dispatch(action: PageAction): void;
}

/** Two runs side by side, lines with equal calls beside each other, and where they part. */
export function CompareView({ compare, rows, stepCount, generation, bridge, dispatch }: Props) {
  const list = useRef<VirtualizerHandle>(null);
  const box = useRef<HTMLDivElement>(null);
  const { head, pairs, selected, side } = compare;
  const parts = divergentPair(head, pairs);
  const ask = useAsking({ compare, stepCount, generation, bridge, list });

  useEffect(() => box.current?.focus(), [head.run]);
  useEffect(() => {
    list.current?.scrollToIndex(selected, { align: selected === parts ? 'center' : 'nearest' });
  }, [selected, head.run]);

  const go = (index: number, to: CompareState['side'] = side) => {
    const at = Math.min(pairs.length - 1, Math.max(0, index));
    dispatch({ type: 'comparePlace', selected: at, side: to });
    const n = pairs[at]?.[to];
    if (n) bridge.send({ type: 'select', n, other: to === 'right' });
  };
  const leave = () => {
    bridge.send({ type: 'leaveCompare' });
    dispatch({ type: 'leaveCompare' });
  };
  const openCode = (n: number | null | undefined, link: number, focus: boolean, other: boolean) => {
    if (n) bridge.send({ type: 'openCode', n, link, focus, other });
  };
  const texts = () => {
    const pair = pairs[selected];
    if (pair?.left && pair.right) {
      bridge.send({ type: 'difference', base: { n: pair.left, other: false }, n: pair.right, other: true });
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const key = compareKey(event);
    if (!key) return;
    event.preventDefault();
    if ('move' in key) go(Number.isFinite(key.move) ? selected + key.move : key.move > 0 ? pairs.length - 1 : 0);
    else if ('side' in key) go(selected, key.side);
    else if ('difference' in key) go(nextDifference(pairs, selected, key.difference));
    else if (key.do === 'divergence') parts >= 0 && go(parts);
    else if (key.do === 'texts') texts();
    else if (key.do === 'leave') leave();
    else if (key.do === 'help') dispatch({ type: 'show', part: 'help' });
    else {
      const link = key.do.startsWith('link') ? Number(key.do.at(-1)) - 1 : 0;
      openCode(pairs[selected]?.[side], link, key.do === 'goToCode', side === 'right');
    }
  };

  return (
    <div class="compare">
      <div class="compare-head">
        <strong>
          <Text value={head.leftTitle} />
        </strong>
        <strong>
          <Text value={head.rightTitle} />
        </strong>
        <p>
          {head.sentence}{' '}
          {parts >= 0 && (
            <button type="button" class="tool" title="Key F" onClick={() => go(parts)}>
              Where they part
            </button>
          )}{' '}
          <button type="button" class="tool" title="Key D" onClick={texts}>
            Texts of this line
          </button>{' '}
          <button type="button" class="tool" title="Key Escape" onClick={leave}>
            Leave the comparison
          </button>
        </p>
      </div>
      <div
        ref={box}
        class="rows pairs"
        role="listbox"
        tabIndex={0}
        aria-label={`${head.leftTitle} beside ${head.rightTitle}`}
        aria-activedescendant={`pair-${selected}`}
        onKeyDown={onKeyDown}
      >
        <Virtualizer ref={list} data={pairs as ComparePair[]} onScroll={ask} onResize={ask}>
          {(pair: ComparePair, index: number) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the row by aria-activedescendant
            <div
              key={index}
              id={`pair-${index}`}
              class={`pair ${pair.state} ${index === selected ? 'selected' : ''}`}
              role="option"
              aria-selected={index === selected}
              aria-label={`${pairWords(pair)}${index === parts ? ', here the runs part' : ''}`}
            >
              {index === parts && (
                <p class="parting">
                  <Icon name="git-compare" /> the runs part here
                </p>
              )}
              {(['left', 'right'] as const).map((which) => (
                <Cell
                  key={which}
                  n={pair[which]}
                  row={pair[which] === null ? undefined : (which === 'left' ? rows : compare.rows).get(pair[which])}
                  current={index === selected && side === which}
                  onSelect={() => go(index, which)}
                  onOpenCode={(link, focus) => openCode(pair[which], link, focus, which === 'right')}
                />
              ))}
              <span class="mark dim">{pairMark(pair)}</span>
            </div>
          )}
        </Virtualizer>
      </div>
    </div>
  );
}

interface CellProps {
  n: number | null;
  row: TraceRow | undefined;
  current: boolean;
  onSelect(): void;
  onOpenCode(link: number, focus: boolean): void;
}

function Cell({ n, row, current, onSelect, onOpenCode }: CellProps) {
  if (n === null) return <div class="cell nothing" />;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the list handles the keys; a click only chooses the side
    // biome-ignore lint/a11y/useKeyWithClickEvents: see above
    <div class={`cell ${current ? 'current' : ''} ${row?.isError ? 'error' : ''}`} onClick={onSelect}>
      <span class="number">{n}</span>
      {row ? (
        <div class="what">
          <span class="who">{row.who}</span>{' '}
          {row.isError && (
            <span class="bad">
              <Icon name="error" /> error{' '}
            </span>
          )}
          {row.calls.map((call, index) => (
            // Calls of a step never change their order.
            <p key={index} class="mono call">
              <strong>
                <Text value={call.name} />
              </strong>{' '}
              <Text value={call.preview} />
            </p>
          ))}
          {row.preview && (
            <p class="mono preview">
              <Text value={row.preview} />
            </p>
          )}
          <p class="links">
            {row.links.slice(0, 2).map((link) => (
              <button
                key={link.index}
                type="button"
                class="link"
                tabIndex={-1}
                title={link.reason}
                onClick={(event) => onOpenCode(link.index, event.altKey)}
              >
                {'->'} {link.label}
              </button>
            ))}
          </p>
        </div>
      ) : (
        <span class="dim">...</span>
      )}
    </div>
  );
}

interface Asking {
  compare: CompareState;
  stepCount: number;
  generation: number;
  bridge: TraceBridge;
  list: { current: VirtualizerHandle | null };
}

/** Asks for the rows of both runs that are in view, each page once. */
function useAsking({ compare, stepCount, generation, bridge, list }: Asking): () => void {
  const asked = useRef({ left: new Set<number>(), right: new Set<number>() });
  const { pairs, head } = compare;
  const ask = useCallback(() => {
    const handle = list.current;
    if (!handle) return;
    const first = Math.max(0, handle.findItemIndex(handle.scrollOffset) - 5);
    const view = pairs.slice(first, handle.findItemIndex(handle.scrollOffset + handle.viewportSize) + 6);
    for (const side of ['left', 'right'] as const) {
      const steps = view.flatMap((pair) => pair[side] ?? []);
      const last = side === 'left' ? stepCount : head.rightSteps;
      for (const from of pagesToAsk(steps, asked.current[side])) {
        asked.current[side].add(from);
        const to = Math.min(from + pageSize - 1, last);
        bridge.send({ type: side === 'left' ? 'rows' : 'otherRows', from, to });
      }
    }
  }, [pairs, head, stepCount, bridge, list]);
  useEffect(() => {
    asked.current = { left: new Set(), right: new Set() };
    ask();
  }, [head.run, generation]);
  useEffect(ask, [ask]);
  return ask;
}
