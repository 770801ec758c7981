/** What a key does in the step list. */
export type KeyAction =
  | 'down'
  | 'up'
  | 'pageDown'
  | 'pageUp'
  | 'first'
  | 'last'
  | 'openCode'
  | 'goToCode'
  | 'link1'
  | 'link2'
  | 'link3'
  | 'toggle'
  | 'search'
  | 'nextError'
  | 'previousError'
  | 'escape';

export interface KeyPress {
  key: string;
  altKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  shiftKey: boolean;
}

const plain: Record<string, KeyAction> = {
  ArrowDown: 'down',
  j: 'down',
  ArrowUp: 'up',
  k: 'up',
  PageDown: 'pageDown',
  PageUp: 'pageUp',
  Home: 'first',
  g: 'first',
  End: 'last',
  G: 'last',
  Enter: 'openCode',
  1: 'link1',
  2: 'link2',
  3: 'link3',
  ' ': 'toggle',
  '/': 'search',
  e: 'nextError',
  E: 'previousError',
  Escape: 'escape',
};

/** The action of a key press in the list, null for keys that belong to the editor. */
export function actionOf(press: KeyPress): KeyAction | null {
  // Chords with Ctrl or Cmd are the person's own bindings.
  if (press.ctrlKey || press.metaKey) return null;
  if (press.altKey) return press.key === 'Enter' ? 'goToCode' : null;
  return (Object.hasOwn(plain, press.key) ? plain[press.key] : null) ?? null;
}
