import { editor } from 'monaco-editor/editor';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Bridge } from '../shared/bridge';
import type { Difference, FromDifferencePage, ToDifferencePage } from '../shared/differenceProtocol';
import { Text } from '../shared/Text';
import type { SavedLayout } from './savedLayout';
import { followTheme } from './theme';

export type DifferenceBridge = Bridge<ToDifferencePage, FromDifferencePage, SavedLayout>;

/** Two texts of traces beside each other, read only, with what differs. */
export function DifferencePage({ bridge }: { bridge: DifferenceBridge }) {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<editor.IStandaloneDiffEditor | null>(null);
  const [difference, setDifference] = useState<Difference | null>(null);
  const [changes, setChanges] = useState<number | null>(null);
  const [layout, setLayout] = useState<SavedLayout>(bridge.restored ?? { sideBySide: true, onlyChanges: true });

  useEffect(() => {
    const created = editor.createDiffEditor(place.current!, {
      readOnly: true,
      originalEditable: false,
      automaticLayout: true,
      wordWrap: 'on',
      diffWordWrap: 'on',
      minimap: { enabled: false },
      scrollBeyondLastLine: false,
      renderSideBySide: layout.sideBySide,
      useInlineViewWhenSpaceIsLimited: false,
      hideUnchangedRegions: { enabled: layout.onlyChanges },
      // Invisible and bidirectional characters of a trace are shown, as on the other pages.
      unicodeHighlight: { invisibleCharacters: true, ambiguousCharacters: false },
      renderControlCharacters: true,
    });
    view.current = created;
    created.onDidUpdateDiff(() => setChanges(created.getLineChanges()?.length ?? null));
    const stopFollowing = followTheme();
    const stop = bridge.onMessage((message) => setDifference(message.difference));
    bridge.send({ type: 'ready' });
    return () => {
      stop();
      stopFollowing();
      created.dispose();
    };
  }, [bridge]);

  useEffect(() => {
    if (!difference || !view.current) return;
    const before = editor.createModel(difference.before.text, 'plaintext');
    const after = editor.createModel(difference.after.text, 'plaintext');
    setChanges(null);
    view.current.setModel({ original: before, modified: after });
    view.current.getModifiedEditor().focus();
    return () => {
      before.dispose();
      after.dispose();
    };
  }, [difference]);

  useEffect(() => {
    view.current?.updateOptions({
      renderSideBySide: layout.sideBySide,
      hideUnchangedRegions: { enabled: layout.onlyChanges },
    });
    bridge.save(layout);
  }, [bridge, layout]);

  const button = (words: string, act: () => void, pressed?: boolean) => (
    <button type="button" class={pressed === undefined ? 'tool' : 'toggle'} aria-pressed={pressed} onClick={act}>
      {words}
    </button>
  );
  return (
    <main class="difference">
      <header>
        {difference && (
          <p>
            <Text value={difference.before.title} /> {'->'} <Text value={difference.after.title} />
          </p>
        )}
        <p>
          <span role="status">{changeWords(changes, difference)}</span>{' '}
          {button('Previous', () => view.current?.goToDiff('previous'))}{' '}
          {button('Next', () => view.current?.goToDiff('next'))}{' '}
          {button('side by side', () => setLayout({ ...layout, sideBySide: !layout.sideBySide }), layout.sideBySide)}{' '}
          {button('only changes', () => setLayout({ ...layout, onlyChanges: !layout.onlyChanges }), layout.onlyChanges)}
        </p>
      </header>
      <div ref={place} class="texts" />
    </main>
  );
}

/** "3 places differ", and what was left out of the texts. */
export function changeWords(changes: number | null, difference: Difference | null): string {
  if (!difference) return 'Reading the texts.';
  const left = difference.before.left + difference.after.left;
  const cut = left > 0 ? ` The texts are cut; ${left.toLocaleString('en-US')} characters were not compared.` : '';
  if (changes === null) return `Comparing.${cut}`;
  if (changes === 0) return `The texts are equal.${cut}`;
  return `${changes === 1 ? '1 place differs' : `${changes} places differ`}.${cut}`;
}
