import type { Difference } from '../../../webview/shared/differenceProtocol';
import type { TitledText } from './traceSession';

/** Characters of each text that are compared; more would hold up the channel to the page. */
const longest = 1_000_000;

/** Two texts for the page, cut where they are too long, with one kind of line ends. */
export function differenceOf(before: TitledText, after: TitledText): Difference {
  const side = ({ title, text }: TitledText) => {
    const lines = text.replaceAll('\r\n', '\n');
    return { title: title.slice(0, 200), text: lines.slice(0, longest), left: Math.max(0, lines.length - longest) };
  };
  return { before: side(before), after: side(after) };
}
