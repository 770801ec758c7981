import { memo } from 'preact/compat';
import type { MapView } from '../shared/mapProtocol';
import type { Layout } from './layout';

interface Props {
  view: MapView;
  layout: Layout;
  selected: number;
  calls: 'selected' | 'all' | 'none';
}

/** The arrows, below the boxes. Certain calls are solid, possible ones dashed, the run order thicker. */
export function Edges({ view, layout, selected, calls }: Props) {
  return (
    <svg class="edges" width={layout.width + 80} height={layout.height + 40} aria-hidden="true" focusable="false">
      <defs>
        <Tip id="tip" />
        <Tip id="tip-strong" />
        <Tip id="tip-order" />
      </defs>
      {layout.flow.map((path) => (
        <path key={path} class="edge flow" d={path} marker-end="url(#tip-order)" />
      ))}
      {calls === 'all' && <AllEdges view={view} layout={layout} />}
      {view.edges.map((edge, at) => {
        if (edge.kind !== 'order' && edge.kind !== 'again') return null;
        return <path key={at} class={`edge ${edge.kind}`} d={layout.edges[at]} marker-end="url(#tip-order)" />;
      })}
      {calls !== 'none' &&
        view.edges.map((edge, at) => {
          if (edge.from !== selected && edge.to !== selected) return null;
          if (edge.kind === 'order' || edge.kind === 'again') return null;
          const way = edge.from === selected ? 'out' : 'in';
          return (
            <path
              key={at}
              class={`edge ${edge.kind} of-selected ${way}`}
              d={layout.edges[at]}
              marker-end="url(#tip-strong)"
            />
          );
        })}
    </svg>
  );
}

/** All calls, faint. Drawn once for a view: moving the selection must not draw a thousand paths again. */
const AllEdges = memo(({ view, layout }: Pick<Props, 'view' | 'layout'>) => (
  <g class="all">
    {view.edges.map((edge, at) =>
      edge.kind === 'order' || edge.kind === 'again' ? null : (
        <path key={at} class={`edge ${edge.kind}`} d={layout.edges[at]} marker-end="url(#tip)" />
      ),
    )}
  </g>
));

function Tip({ id }: { id: string }) {
  return (
    <marker id={id} viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">
      <path d="M0 0L8 4L0 8z" />
    </marker>
  );
}
