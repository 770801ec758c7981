import { Icon, Text } from '../shared/Text';
import type { BodyPart, TraceRow } from '../shared/traceProtocol';

interface Props {
  n: number;
  of: number;
  row: TraceRow | undefined;
  body: BodyPart[] | undefined;
  open: boolean;
  selected: boolean;
  onSelect(n: number): void;
  onToggle(): void;
  onOpenCode(link: number, focus: boolean): void;
}

/** One step: who, what is new, what it called, and the harness code behind it. */
export function StepRow({ n, of, row, body, open, selected, onSelect, onToggle, onOpenCode }: Props) {
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the row by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of all its rows
    <div
      id={`step-${n}`}
      class={`step ${row?.kind ?? ''} ${row?.isError ? 'error' : ''} ${selected ? 'selected' : ''}`}
      role="option"
      aria-selected={selected}
      aria-posinset={n}
      aria-setsize={of}
      onClick={() => onSelect(n)}
      onDblClick={onToggle}
    >
      <span class="number">{n}</span>
      {row ? (
        <>
          <span class="who">{row.who}</span>
          <div class="what">
            {row.isError && (
              <span class="bad">
                <Icon name="error" /> error{' '}
              </span>
            )}
            {row.copied && <span class="dim">copied from an earlier run, not counted </span>}
            {!open && <Preview row={row} />}
            {row.findings.map((finding) => (
              <p key={finding} class="finding">
                <Icon name="search-fuzzy" /> suspected: <Text value={finding} />
              </p>
            ))}
            <Links row={row} onOpenCode={onOpenCode} />
            {open && <Body parts={body} />}
          </div>
          <span class="facts dim">{row.tokensOut === null ? '' : `${row.tokensOut.toLocaleString('en-US')} tok`}</span>
        </>
      ) : (
        <span class="dim">...</span>
      )}
    </div>
  );
}

/** The preview joins lines, so it is a little shorter than the text even when it shows all of it. */
const fewCharacters = 40;

function Preview({ row }: { row: TraceRow }) {
  const left = row.textLength - row.preview.length;
  return (
    <>
      {row.preview && (
        <p class="mono preview">
          <Text value={row.preview} />
          {left > fewCharacters && (
            <span class="dim"> ... {left.toLocaleString('en-US')} more characters (Space shows all)</span>
          )}
        </p>
      )}
      {row.calls.map((call, index) => (
        // Calls of a step never change their order.
        <p key={index} class="mono call">
          <Icon name="terminal" /> <strong>{call.name}</strong> <Text value={call.preview} />
        </p>
      ))}
      {row.kind === 'agent' && row.calls.length === 0 && <p class="dim">(no tool call)</p>}
    </>
  );
}

function Links({ row, onOpenCode }: { row: TraceRow; onOpenCode(link: number, focus: boolean): void }) {
  if (row.links.length === 0) return null;
  return (
    <p class="links">
      {row.links.map((link) => (
        <button
          key={link.index}
          type="button"
          class="link"
          tabIndex={-1}
          aria-keyshortcuts={String(link.index + 1)}
          title={`Key ${link.index + 1}. ${link.reason}${link.unit ? `\nunit: ${link.unit}` : ''}`}
          aria-label={`Harness code: ${link.label}. Evidence: ${link.reason}`}
          onClick={(event) => onOpenCode(link.index, event.altKey)}
        >
          {'->'} {link.label}
        </button>
      ))}
    </p>
  );
}

function Body({ parts }: { parts: BodyPart[] | undefined }) {
  if (!parts) return <p class="dim">Reading the step.</p>;
  return (
    <>
      {parts.map((part, index) => (
        // Parts of a step never change their order.
        <section key={index} class="part">
          <h2>{part.title}</h2>
          <pre class="mono">
            <Text value={part.text} />
          </pre>
          {part.left > 0 && (
            <p class="dim">{part.left.toLocaleString('en-US')} more characters; "Open as text" shows the whole file.</p>
          )}
        </section>
      ))}
    </>
  );
}
