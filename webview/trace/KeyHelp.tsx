import { useEffect, useRef } from 'preact/hooks';

interface Props {
  help: readonly (readonly [keys: string, does: string])[];
  onClose(): void;
}

/** The keys of the page, above it; any key closes it. */
export function KeyHelp({ help, onClose }: Props) {
  const dialog = useRef<HTMLDivElement>(null);
  useEffect(() => dialog.current?.focus(), []);
  return (
    <div
      ref={dialog}
      class="help"
      role="dialog"
      aria-modal="true"
      aria-label="Keys of the trace page"
      tabIndex={-1}
      onKeyDown={(event) => {
        if (['Shift', 'Control', 'Alt', 'Meta', 'Tab'].includes(event.key)) return;
        event.preventDefault();
        onClose();
      }}
    >
      <h2>Keys</h2>
      <table>
        <tbody>
          {help.map(([keys, does]) => (
            <tr key={keys}>
              <th scope="row">{keys}</th>
              <td>{does}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" class="tool" onClick={onClose}>
        Close
      </button>
    </div>
  );
}
