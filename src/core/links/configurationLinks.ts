import type { GraphNode } from '../graph';
import type { Step } from '../traces';
import type { LinkIndex } from './linkIndex';
import type { Link } from './model';
import { onlyRepeats } from './pathClass';

const LONGEST_TEXT = 4000;
const LONGEST_FOR_NUMBERS = 600;
const LIMIT_KEY = /limit|max|timeout|budget|window|threshold|attempts|retries/i;
const MOST = 3;

/**
 * Links from a short text of the harness to configuration: a key it names, or (where a limit is told) a limit whose
 * default value it states. Long texts hold too many words and numbers to mean anything.
 */
export function configurationLinks(index: LinkIndex, step: Step, text: string): Link[] {
  if (text.length > LONGEST_TEXT || text === '') return [];
  const words = new Set(text.match(/[A-Za-z][\w.]*[A-Za-z\d]/g) ?? []);
  const numbers = new Set(text.match(/\d+(?:\.\d+)?/g) ?? []);
  const aboutLimit =
    step.event === 'limit' || /limit|exceed|timed? ?out|too (long|many|large)|truncat|maximum/i.test(text);
  const stated = aboutLimit && (step.event === 'limit' || text.length <= LONGEST_FOR_NUMBERS);
  const links: Link[] = [];
  for (const node of configurationNodes(index)) {
    if (links.length >= MOST) break;
    const key = node.name.split('.').at(-1) ?? node.name;
    if (isTellingKey(key) && words.has(key)) {
      links.push(
        index.places.link(
          step.n,
          'configuration',
          index.places.ofNode(node),
          0.5,
          `the text names the configuration key ${key}`,
        ),
      );
    } else if (stated && LIMIT_KEY.test(key) && isTellingNumber(node.detail) && numbers.has(node.detail ?? '')) {
      links.push(
        index.places.link(
          step.n,
          'configuration',
          index.places.ofNode(node),
          0.42,
          `the text states ${node.detail}, the value of ${key}, and speaks of a limit`,
        ),
      );
    }
  }
  return links;
}

function* configurationNodes(index: LinkIndex): Generator<GraphNode> {
  for (const node of index.graph.data.nodes) if (node.kind === 'config' && !onlyRepeats(node.file)) yield node;
}

/** Single words such as `name` stand in any text. */
function isTellingKey(key: string): boolean {
  return key.length >= 7 && /[a-z][A-Z]|_|[A-Z]_[A-Z]/.test(key);
}

function isTellingNumber(value: string | undefined): boolean {
  return value !== undefined && /^\d+(\.\d+)?$/.test(value) && Number(value) >= 10;
}
