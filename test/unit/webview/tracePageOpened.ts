import { h } from 'preact';
import type { FromTracePage, ToTracePage } from '../../../webview/shared/traceProtocol';
import { noFilter } from '../../../webview/trace/pageState';
import type { SavedState } from '../../../webview/trace/savedState';
import { TracePage } from '../../../webview/trace/TracePage';
import { drawn, type FakeElement } from './fakeDom';
import { FakeBridge, sampleHead } from './samples';

/** What a page saved before it was hidden. */
export const saved = (over: Partial<SavedState> = {}): SavedState => ({
  run: 'r-1',
  selected: 40,
  filter: noFilter,
  open: [40],
  raw: [],
  outline: true,
  markdown: true,
  ...over,
});
/** An answer of the host to a search. */
export const found = (request: number, steps: number[], over: object = {}) =>
  ({ type: 'found', request, from: 1, to: 100, steps, hits: [], done: true, ...over }) as const;
/** The whole text of a step. */
export const body = (n: number, text: string, left = 0) =>
  ({ type: 'body', n, parts: [{ kind: 'text', title: 'text', text, left }], images: 0 }) as const;

export type TestBridge = FakeBridge<ToTracePage, FromTracePage, SavedState>;

/** The page drawn with a sample run of 100 steps, its bridge, and what it sent. */
export async function opened(restored: SavedState | null = null, head = sampleHead()) {
  const bridge: TestBridge = new FakeBridge(restored);
  const root = await drawn(h(TracePage, { bridge }));
  await bridge.post({ type: 'head', head });
  const list = () => root.all((element) => element.attribute('role') === 'listbox')[0] as FakeElement;
  const sentOf = <T extends FromTracePage['type']>(type: T) =>
    bridge.sent.filter((message): message is Extract<FromTracePage, { type: T }> => message.type === type);
  return { bridge, root, list, sentOf };
}
