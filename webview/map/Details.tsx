import type { MapView } from '../shared/mapProtocol';
import { Icon, Text } from '../shared/Text';
import { heatWords } from './heat';
import { neighbours } from './mapKeys';

interface Props {
  view: MapView;
  at: number;
  onSelect(at: number): void;
  onOpenCode(at: number): void;
  onOpenPage(at: number): void;
  onShowSteps(at: number): void;
  onUnfold(at: number): void;
}

/** What is known about the selected node, with the ways on. */
export function Details(props: Props) {
  const { view, at } = props;
  const node = view.nodes[at];
  if (!node) return <aside class="details dim">Select a unit to see what it does and whom it calls.</aside>;
  const stage = view.stages.find((one) => one.id === node.stage);
  const facts = [
    node.step === null ? '' : `step ${node.step}`,
    heatWords(node, 'failing') && `${heatWords(node, 'failing')} steps`,
    heatWords(node, 'tokens'),
    heatWords(node, 'cost'),
    node.changed ? `${node.changed === 'stale' ? 'changed' : 'moved'} since it was indexed` : '',
  ].filter(Boolean);
  return (
    <aside class="details" aria-label="Selected unit">
      <h2>
        <Icon name={node.icon} /> <Text value={node.title} />
      </h2>
      <p class="dim">
        <Text value={[stage?.title ?? '', ...facts].filter(Boolean).join(', ')} />
      </p>
      <p>
        <Prose text={node.summary} />
      </p>
      {node.kind === 'fold' ? (
        <p class="actions">
          <vscode-button onClick={() => props.onUnfold(at)}>Unfold</vscode-button>
        </p>
      ) : (
        <>
          <p>
            <button type="button" class="link" onClick={() => props.onOpenCode(at)}>
              <Text value={node.detail} />
            </button>
          </p>
          <p class="actions">
            <vscode-button onClick={() => props.onOpenPage(at)}>Open the page</vscode-button>
            {node.failing > 0 && (
              <vscode-button secondary onClick={() => props.onShowSteps(at)}>
                Show the steps
              </vscode-button>
            )}
          </p>
        </>
      )}
      <Others title="Calls" direction="called" {...props} />
      <Others title="Called by" direction="caller" {...props} />
    </aside>
  );
}

function Others({ title, direction, view, at, onSelect }: Props & { title: string; direction: 'called' | 'caller' }) {
  const others = neighbours(at, direction, { ...view, edges: callsOnly(view) });
  if (others.length === 0) return null;
  return (
    <section>
      <h3>
        {title} {others.length}
      </h3>
      <ul>
        {others.map((other) => (
          <li key={other}>
            <button type="button" class="link" onClick={() => onSelect(other)}>
              <Text value={view.nodes[other]!.title} />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}

function callsOnly(view: MapView): MapView['edges'] {
  return view.edges.filter((edge) => edge.kind === 'calls' || edge.kind === 'may');
}

/** Text of the handbook, in which names from the code stand between backticks. */
function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split('`').map((part, at) =>
        at % 2 ? (
          // Parts never move, so their position is their identity.
          <code key={at}>
            <Text value={part} />
          </code>
        ) : (
          <Text key={at} value={part} />
        ),
      )}
    </>
  );
}
