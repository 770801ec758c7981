import {
  type CompareHead,
  type ComparePair,
  messageLimit,
  type ToTracePage,
  type TraceRow,
} from '../../../webview/shared/protocol';
import type { Result } from '../work/methods';

/** Cuts a window of rows into messages that stay below the limit. A row alone is always below it. */
export function splitRows(rows: readonly TraceRow[], limit = messageLimit): TraceRow[][] {
  return split(rows, limit);
}

/** The outline in messages that stay below the limit; the tools come with the first. */
export function outlineParts({ entries, tools }: Result<'outline'>): ToTracePage[] {
  const parts = split(entries, messageLimit * 0.8);
  let at = 0;
  const messages: ToTracePage[] = [{ type: 'outline', at, entries: parts[0] ?? [], tools }];
  for (const part of parts.slice(1)) {
    at += parts[messages.length - 1]!.length;
    messages.push({ type: 'outline', at, entries: part, tools: [] });
  }
  return messages;
}

/** A comparison in messages that stay below the limit. */
export function comparisonParts(head: CompareHead, pairs: readonly ComparePair[]): ToTracePage[] {
  let at = 0;
  return (pairs.length > 0 ? split(pairs, messageLimit * 0.8) : [[]]).map((part) => {
    const message = { type: 'comparison' as const, at, head, pairs: part };
    at += part.length;
    return message;
  });
}

function split<T>(items: readonly T[], limit: number): T[][] {
  const parts: T[][] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const item of items) {
    const length = JSON.stringify(item).length + 1;
    if (size + length > limit * 0.9) {
      parts.push([]);
      size = 0;
    }
    parts.at(-1)!.push(item);
    size += length;
  }
  return parts;
}
