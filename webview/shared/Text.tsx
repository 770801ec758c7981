import { useMemo } from 'preact/hooks';
import { visibleParts } from './visibleText';

/** Text of a trace as text nodes only; control characters are shown, never obeyed. */
export function Text({ value }: { value: string }) {
  const parts = useMemo(() => visibleParts(value), [value]);
  return (
    <>
      {parts.map((part, index) =>
        part.control ? (
          // Parts never move, so their position is their identity.
          <span key={index} class="control" title={part.control}>
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}

/** A codicon; decoration only, the words beside it carry the meaning. */
export function Icon({ name }: { name: string }) {
  return <span class={`codicon codicon-${name}`} aria-hidden="true" />;
}
