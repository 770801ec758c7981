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
  | 'nextHit'
  | 'previousHit'
  | 'onlyHits'
  | 'nextError'
  | 'previousError'
  | 'raw'
  | 'markdown'
  | 'copyMarkdown'
  | 'copyJson'
  | 'copyLink'
  | 'outline'
  | 'hideOutline'
  | 'follow'
  | 'compare'
  | 'difference'
  | 'help'
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
  n: 'nextHit',
  N: 'previousHit',
  h: 'onlyHits',
  e: 'nextError',
  E: 'previousError',
  r: 'raw',
  m: 'markdown',
  c: 'copyMarkdown',
  C: 'copyJson',
  y: 'copyLink',
  o: 'outline',
  O: 'hideOutline',
  f: 'follow',
  x: 'compare',
  d: 'difference',
  '?': 'help',
  Escape: 'escape',
};

/** The action of a key press in the list, null for keys that belong to the editor. */
export function actionOf(press: KeyPress): KeyAction | null {
  // Chords with Ctrl or Cmd are the person's own bindings.
  if (press.ctrlKey || press.metaKey) return null;
  if (press.altKey) return press.key === 'Enter' ? 'goToCode' : null;
  return (Object.hasOwn(plain, press.key) ? plain[press.key] : null) ?? null;
}

/** The keys in words, for the help of the page, in the order in which they are needed. */
export const keyHelp: readonly (readonly [keys: string, does: string])[] = [
  ['Up, Down, J, K', 'move; code that was opened beside follows, the focus stays'],
  ['PageUp, PageDown', 'ten steps back, ten steps on'],
  ['Home, G / End, Shift+G', 'first, last step'],
  ['Space', 'open or close the whole text of the step'],
  ['Enter / Alt+Enter', 'show the harness code, go to the harness code'],
  ['1, 2, 3', 'show the code of the first, second, third link'],
  ['E / Shift+E', 'next, previous error or finding'],
  ['/', 'search all steps; Enter goes to the next hit, Escape clears'],
  ['N / Shift+N', 'next, previous hit'],
  ['H', 'only steps with a hit, or all'],
  ['O / Shift+O', 'go to the outline, hide or show it'],
  ['R', 'the record as it stands in the file, with its bytes'],
  ['M', 'replies as Markdown, or as they were written'],
  ['C / Shift+C / Y', 'copy the step as Markdown, as JSON, as a link'],
  ['F', 'to the newest step of a run that is still written, and on with it'],
  ['X', 'lay another run beside this one'],
  ['D', 'how the text differs from the earlier one that is most like it'],
  ['Escape', 'clear search and filters'],
  ['?', 'this help'],
];
