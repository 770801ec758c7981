import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import type { MapStage, MapView } from '../shared/mapProtocol';
import { Text } from '../shared/Text';
import { Edges } from './Edges';
import { type HeatKind, hottest } from './heat';
import type { Layout } from './layout';
import { NodeBox } from './NodeBox';
import { usePanZoom } from './panZoom';
import type { Viewport } from './viewport';

interface Props {
  view: MapView;
  layout: Layout;
  /** Position of the selected node, -1 for none. */
  selected: number;
  heat: HeatKind;
  calls: 'selected' | 'all' | 'none';
  viewport: { current: Viewport | null };
  /** Called when the person moved the map, at the end of the move. */
  onMoved(): void;
  onSelect(at: number): void;
  onOpen(at: number): void;
  onFold(stage: string, open: boolean): void;
  onKeyDown(event: KeyboardEvent): void;
  canvas: { current: CanvasHandle | null };
}

/** What the page may ask of the canvas. */
export interface CanvasHandle {
  focus(): void;
  /** Moves as little as brings the node onto the screen. */
  show(at: number): void;
  zoom(factor: number): void;
  fit(): void;
}

/** The drawn map: boxes, arrows, and a layer that is moved and scaled as a whole. */
export function MapCanvas(props: Props) {
  const { view, layout, selected, heat, calls, onSelect, onOpen, canvas } = props;
  const frame = useRef<HTMLDivElement>(null);
  const layer = useRef<HTMLDivElement>(null);
  const panZoom = usePanZoom({ frame, layer, layout, viewport: props.viewport, onMoved: props.onMoved });
  useEffect(() => {
    canvas.current = {
      focus: () => frame.current?.focus(),
      show: (at) => panZoom.show(layout.nodes[at]),
      zoom: panZoom.zoom,
      fit: panZoom.fit,
    };
  });
  useLayoutEffect(() => panZoom.apply(), [layout]);
  const top = useMemo(() => hottest(view, heat)?.value ?? 0, [view, heat]);
  const near = useMemo(() => {
    const found = new Set<number>();
    for (const edge of view.edges) {
      if (edge.from === selected) found.add(edge.to);
      if (edge.to === selected) found.add(edge.from);
    }
    return found;
  }, [view, selected]);
  return (
    <div
      ref={frame}
      class="canvas"
      role="listbox"
      aria-label={`Behaviour map of ${view.harness}. Up and down go through the units, right and left along calls.`}
      aria-activedescendant={selected >= 0 ? `node-${selected}` : undefined}
      tabIndex={0}
      onKeyDown={props.onKeyDown}
    >
      <div ref={layer} class="layer">
        {layout.stages.map(({ stage, x, y, width, height }) => (
          <div
            key={stage.id}
            class={`stage ${stage.kind}`}
            style={{ left: `${x}px`, top: `${y}px`, width: `${width}px`, height: `${height}px` }}
          >
            <span class="head">
              <strong title={stage.title}>
                <Text value={stage.title} />
              </strong>
            </span>
            <span class="head">
              <span class="dim">{shownWords(stage)}</span>
              {stage.failing > 0 && heat === 'failing' && <span class="measure">{stage.failing} failing</span>}
              {(stage.open || stage.shown < stage.units) && (
                <button type="button" class="link" onClick={() => props.onFold(stage.id, !stage.open)}>
                  {stage.open ? 'Fold' : 'Unfold'}
                </button>
              )}
            </span>
          </div>
        ))}
        <Edges view={view} layout={layout} selected={selected} calls={calls} />
        {view.nodes.map((node, at) => (
          <NodeBox
            key={node.id}
            node={node}
            at={at}
            box={layout.nodes[at]!}
            heat={heat}
            top={top}
            selected={at === selected}
            near={near.has(at)}
            onSelect={onSelect}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  );
}

/** "10 of 135 units". */
function shownWords({ shown, units }: MapStage): string {
  const all = `${units} ${units === 1 ? 'unit' : 'units'}`;
  return shown < units && shown > 0 ? `${shown} of ${all}` : all;
}
