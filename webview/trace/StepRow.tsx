import { memo } from 'preact/compat';
import { Icon, Text } from '../shared/Text';
import type { RawStep, StepImage, TraceRow } from '../shared/traceProtocol';
import type { KeyAction } from './keys';
import type { StepBody as Whole } from './pageState';
import { RawRecord, StepBody } from './StepBody';

/** What is shown of an open step beside its row. */
export interface OpenStep {
  body: Whole | undefined;
  /** Null while the texts are shown, undefined until the record is there. */
  raw: RawStep | undefined | null;
  images: ReadonlyMap<string, StepImage>;
  markdown: boolean;
}

interface Props {
  n: number;
  of: number;
  row: TraceRow | undefined;
  /** Null for a closed step. */
  open: OpenStep | null;
  selected: boolean;
  hit: boolean;
  onSelect(n: number): void;
  onAct(action: KeyAction, n: number): void;
  onGoTo(n: number): void;
  onOpenRun(run: string): void;
  onOpenCode(n: number, link: number, focus: boolean): void;
}

/** One step: who, what is new, what it called, and the harness code behind it. Drawn again only when it changed. */
export const StepRow = memo(function StepRow({
  n,
  of,
  row,
  open,
  selected,
  hit,
  onSelect,
  onAct,
  onGoTo,
  onOpenRun,
  onOpenCode,
}: Props) {
  const classes = ['step', row?.kind, row?.isError && 'error', selected && 'selected', hit && 'hit'];
  return (
    // biome-ignore lint/a11y/useFocusableInteractive: the list has the focus and names the row by aria-activedescendant
    // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys of all its rows
    <div
      id={`step-${n}`}
      class={classes.filter(Boolean).join(' ')}
      role="option"
      aria-selected={selected}
      aria-posinset={n}
      aria-setsize={of}
      onClick={() => onSelect(n)}
      onDblClick={(event) => !(event.target as Element).closest('.part') && onAct('toggle', n)}
    >
      <span class="number">{n}</span>
      {row ? (
        <>
          <span class="who" title={row.time ?? undefined}>
            {row.who}
          </span>
          <div class="what">
            {row.isError && (
              <span class="bad">
                <Icon name="error" /> error{' '}
              </span>
            )}
            {row.copied && <span class="dim">copied from an earlier run, not counted </span>}
            {row.same && <Same same={row.same} onGoTo={onGoTo} />}
            {!open && <Preview row={row} />}
            {row.findings.map((finding) => (
              <p key={finding} class="finding">
                <Icon name="search-fuzzy" /> suspected: <Text value={finding} />
              </p>
            ))}
            {row.relations.length > 0 && <Relations row={row} onGoTo={onGoTo} onOpenRun={onOpenRun} />}
            <Links row={row} onOpenCode={(link, focus) => onOpenCode(n, link, focus)} />
            {open && <Tools n={n} raw={open.raw !== null} markdown={open.markdown} row={row} onAct={onAct} />}
            {open && open.raw !== null && <RawRecord raw={open.raw} />}
            {open?.raw === null && (
              <StepBody n={n} body={open.body} images={open.images} markdown={open.markdown && row.kind === 'agent'} />
            )}
          </div>
          <span class="facts dim">{row.tokensOut === null ? '' : `${row.tokensOut.toLocaleString('en-US')} tok`}</span>
        </>
      ) : (
        <span class="dim">...</span>
      )}
    </div>
  );
});

/** The preview joins lines, so it is a little shorter than the text even when it shows all of it. */
const fewCharacters = 40;

function Preview({ row }: { row: TraceRow }) {
  const left = row.textLength - row.preview.length;
  return (
    <>
      {row.preview && !row.same && (
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
          <Icon name="terminal" />{' '}
          <strong>
            <Text value={call.name} />
          </strong>{' '}
          <Text value={call.preview} />
        </p>
      ))}
      {row.kind === 'agent' && row.calls.length === 0 && <p class="dim">(no tool call)</p>}
    </>
  );
}

function Same({ same, onGoTo }: { same: NonNullable<TraceRow['same']>; onGoTo(n: number): void }) {
  const changed = same.changed === 0 ? 'no line' : same.changed === 1 ? '1 line' : `${same.changed} lines`;
  return (
    <p class="dim">
      same as{' '}
      <button
        type="button"
        class="link"
        tabIndex={-1}
        onClick={(event) => {
          // The row would take the selection back.
          event.stopPropagation();
          onGoTo(same.of);
        }}
      >
        step {same.of}
      </button>
      , {changed} changed
    </p>
  );
}

interface RelationsProps {
  row: TraceRow;
  onGoTo(n: number): void;
  onOpenRun(run: string): void;
}

function Relations({ row, onGoTo, onOpenRun }: RelationsProps) {
  return (
    <p class="relations">
      {row.relations.map((relation, index) => {
        const { step, run, words, title } = relation;
        if (step === null && run === null) {
          return (
            // Relations of a step never change their order.
            <span key={index} class="chip" title={title}>
              <Text value={words} />
            </span>
          );
        }
        return (
          <button
            key={index}
            type="button"
            class="chip link"
            tabIndex={-1}
            title={title}
            onClick={(event) => {
              event.stopPropagation();
              if (step !== null) onGoTo(step);
              else if (run !== null) onOpenRun(run);
            }}
          >
            <Text value={words} />
          </button>
        );
      })}
    </p>
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

interface ToolsProps {
  n: number;
  raw: boolean;
  markdown: boolean;
  row: TraceRow;
  onAct(action: KeyAction, n: number): void;
}

/** What can be done with an open step; each has a key too, so none is in the order of the Tab key. */
function Tools({ n, raw, markdown, row, onAct }: ToolsProps) {
  const tool = (action: KeyAction, words: string, key: string, pressed?: boolean) => (
    <button
      type="button"
      class="tool"
      tabIndex={-1}
      title={`Key ${key}`}
      aria-pressed={pressed}
      onClick={() => onAct(action, n)}
    >
      {words}
    </button>
  );
  return (
    <p class="tools">
      {tool('raw', 'Raw', 'R', raw)}
      {row.kind === 'agent' && !raw && tool('markdown', 'Markdown', 'M', markdown)}
      {tool('difference', 'Difference', 'D')}
      {tool('copyMarkdown', 'Copy', 'C')}
      {tool('copyJson', 'Copy JSON', 'Shift+C')}
      {tool('copyLink', 'Copy link', 'Y')}
    </p>
  );
}
