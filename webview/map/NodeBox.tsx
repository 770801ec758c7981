import { memo } from 'preact/compat';
import type { MapNode } from '../shared/mapProtocol';
import { Icon, Text } from '../shared/Text';
import { type HeatKind, heatLevel, heatShare, heatWords } from './heat';
import type { Box } from './layout';

interface Props {
  node: MapNode;
  at: number;
  box: Box;
  heat: HeatKind;
  top: number;
  selected: boolean;
  /** Whether an edge joins it to the selected one, so that it must not fade. */
  near: boolean;
  onSelect(at: number): void;
  onOpen(at: number): void;
}

/** One unit or fold. Heat is said by a word, by the length of a bar and by colour. */
export const NodeBox = memo(({ node, at, box, heat, top, selected, near, onSelect, onOpen }: Props) => {
  const share = heatShare(node, heat, top);
  const words = heatWords(node, heat);
  const classes = ['node', node.kind, `heat-${heatLevel(share)}`, selected ? 'selected' : '', near ? 'near' : ''];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the canvas handles the keys of all its nodes
    <div
      id={`node-${at}`}
      class={classes.filter(Boolean).join(' ')}
      role="option"
      aria-selected={selected}
      aria-label={spoken(node, words)}
      tabIndex={-1}
      title={`${node.title}\n${node.detail}\n${node.summary}`}
      style={{ left: `${box.x}px`, top: `${box.y}px`, width: `${box.width}px`, height: `${box.height}px` }}
      onClick={() => onSelect(at)}
      onDblClick={() => onOpen(at)}
    >
      <span class="title">
        <Icon name={node.icon} />
        {node.step !== null && <span class="step">{node.step}</span>}
        <span class="words">
          <Text value={node.title} />
        </span>
        {node.changed && <span class="changed">{node.changed === 'stale' ? 'changed' : 'moved'}</span>}
      </span>
      <span class="detail">
        <span class="words">
          <Text value={shortPlace(node.detail)} />
        </span>
        {words && <span class="measure">{words}</span>}
      </span>
      {share > 0 && <span class="bar" style={{ width: `${Math.max(4, share * 100)}%` }} aria-hidden="true" />}
    </div>
  );
});

/** What is read out for a node: name, place, measure and state, without leaning on icons. */
export function spoken(node: MapNode, measure: string): string {
  const changed = node.changed ? `${node.changed === 'stale' ? 'changed' : 'moved'} since it was indexed` : '';
  const step = node.step === null ? '' : `step ${node.step}`;
  return [node.title, step, node.detail, measure, changed].filter(Boolean).join(', ');
}

/** Most characters of a place that a box has room for. */
const placeRoom = 34;

/** A place without its first folders where it is too long: the end of a path says more than its start. */
export function shortPlace(place: string): string {
  const parts = place.split('/');
  while (parts.length > 1 && parts.join('/').length > placeRoom) parts.shift();
  const short = parts.join('/');
  return short === place ? place : `.../${short}`;
}
