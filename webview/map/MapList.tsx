import type { MapView } from '../shared/mapProtocol';
import { Text } from '../shared/Text';
import { type HeatKind, heatWords } from './heat';

interface Props {
  view: MapView;
  order: readonly number[];
  heat: HeatKind;
  onOpenCode(at: number): void;
  onOpenPage(at: number): void;
  onUnfold(at: number): void;
}

/** The map in words, stage by stage in run order: the same units and ways on, for screen readers and small screens. */
export function MapList({ view, order, heat, onOpenCode, onOpenPage, onUnfold }: Props) {
  return (
    <div class="list">
      {view.stages.map((stage) => (
        <section key={stage.id} aria-label={stage.title}>
          <h2>
            <Text value={stage.title} />{' '}
            <span class="dim">
              {stage.units} {stage.units === 1 ? 'unit' : 'units'}
              {stage.failing > 0 ? `, ${stage.failing} failing steps` : ''}
            </span>
          </h2>
          <ul>
            {order
              .filter((at) => view.nodes[at]!.stage === stage.id)
              .map((at) => {
                const node = view.nodes[at]!;
                const words = [heatWords(node, heat), callWords(view, at)].filter(Boolean).join(', ');
                return (
                  <li key={node.id}>
                    {node.step !== null && <span class="step">{node.step}</span>}
                    <button
                      type="button"
                      class="link"
                      onClick={() => (node.kind === 'fold' ? onUnfold(at) : onOpenCode(at))}
                    >
                      <Text value={node.title} />
                    </button>{' '}
                    <span class="dim">
                      <Text value={[node.detail, words].filter(Boolean).join(', ')} />
                    </span>
                    {node.kind === 'unit' && (
                      <button type="button" class="link page" onClick={() => onOpenPage(at)}>
                        page<span class="spoken"> of {node.title}</span>
                      </button>
                    )}
                  </li>
                );
              })}
          </ul>
        </section>
      ))}
      {view.notes.length > 0 && (
        <section aria-label="Looked for, not found">
          <h2>Looked for, not found</h2>
          <ul>
            {view.notes.map((note) => (
              <li key={note}>
                <Text value={note} />
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** "calls Model call, Truncation and 2 more". */
function callWords(view: MapView, at: number): string {
  const called = view.edges.filter((edge) => edge.from === at && (edge.kind === 'calls' || edge.kind === 'may'));
  if (called.length === 0) return '';
  const named = called.slice(0, 3).map((edge) => view.nodes[edge.to]!.title);
  return `calls ${named.join(', ')}${called.length > 3 ? ` and ${called.length - 3} more` : ''}`;
}
