import { createContext } from 'preact';
import { useContext, useMemo } from 'preact/hooks';
import { markedPieces } from './markedText';
import { visibleParts } from './visibleText';

/** Words that are marked in all texts below, in lower case. */
export const MarkedWords = createContext<readonly string[]>([]);

/** Text of a trace as text nodes only; control characters are shown, never obeyed. */
export function Text({ value }: { value: string }) {
  const words = useContext(MarkedWords);
  const parts = useMemo(() => visibleParts(value), [value]);
  return (
    <>
      {parts.map((part, index) =>
        part.control ? (
          // Parts never move, so their position is their identity.
          <span key={index} class="control" title={part.control}>
            {part.text}
          </span>
        ) : words.length === 0 ? (
          part.text
        ) : (
          markedPieces(part.text, words).map((piece, at) =>
            piece.marked ? <mark key={`${index}:${at}`}>{piece.text}</mark> : piece.text,
          )
        ),
      )}
    </>
  );
}

/** A codicon; decoration only, the words beside it carry the meaning. */
export function Icon({ name }: { name: string }) {
  return <span class={`codicon codicon-${name}`} aria-hidden="true" />;
}
