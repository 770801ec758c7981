import { throwIfCancelled } from '../../errors';
import type { WorkOptions } from '../../progress';
import { childrenOf } from '../reading/children';
import type { TraceHead } from '../reading/head';
import { memberOf } from '../reading/jsonDocument';
import { type ByteRange, RECORD_CAP, type TraceSource } from '../reading/source';
import type { TraceSink } from './format';

export interface Element {
  value: unknown;
  range: ByteRange;
  /** From 0. */
  index: number;
  last: boolean;
}

/**
 * The elements of a list in a document (of the root list when `key` is empty), parsed one at a time. Unreadable ones
 * are reported and left out; a document that ends too early is reported and marks the run as truncated.
 */
export async function* elementsOf(
  source: TraceSource,
  head: TraceHead,
  key: string,
  sink: TraceSink,
  work: WorkOptions,
): AsyncGenerator<Element> {
  const member = head.document === null ? undefined : memberOf(head.document, key);
  const what = key === '' ? 'element' : `element of "${key}"`;
  let ranges: ByteRange[] = member?.elements ?? [];
  if (member !== undefined && member.elements === null && key !== '') {
    // Some writers make an object of numbered entries where a list belongs.
    ranges = await childrenOf(source, member);
    const found =
      ranges.length === 0 ? 'holds nothing that can be read' : 'its entries were read in the order of the file';
    sink.warn(`"${key}" is no list; ${found}.`);
  }
  for (const [index, range] of ranges.entries()) {
    throwIfCancelled(work.signal, 'Reading the trace');
    if (range.length > RECORD_CAP) {
      sink.warn(`${what} ${index + 1} is ${Math.round(range.length / 1024 / 1024)} MB long and was not read.`);
      continue;
    }
    const read = await source.value(range);
    if (read === null) {
      sink.warn(`${what} ${index + 1} (at byte ${range.offset}) is invalid JSON and was left out.`);
      continue;
    }
    for (const repair of read.repairs) sink.warn(`${what} ${index + 1}: ${repair}.`);
    yield {
      value: read.value,
      range,
      index,
      last: index === ranges.length - 1,
    };
  }
}

/** The whole document of a file, for formats where it is one record. */
export function documentRange(head: TraceHead, source: TraceSource): ByteRange {
  return head.document?.place ?? { offset: 0, length: source.size };
}

/** Tells of records between the others that are none of the format, such as a stray number. */
export function tellLeftOut(count: number, sink: TraceSink): void {
  if (count > 0) sink.warn(`${count} record${count === 1 ? ' is' : 's are'} none of this format and left out.`);
}

/** Reports a document that is cut off, had to be repaired, or is followed by other text. */
export function checkDocumentEnd(head: TraceHead, sink: TraceSink): void {
  if (head.document === null) return;
  if (!head.document.complete) {
    const open = head.document.members.find((member) => !member.complete);
    const where = open === undefined || open.key === '' ? '' : `, inside "${open.key}"`;
    sink.warn(`The file ends in the middle of the document${where}; what came before was read.`);
    sink.facts({ endsTruncated: true });
  }
  for (const repair of head.repairs.slice(0, 10)) sink.warn(`${repair}.`);
  if (head.document.more) sink.warn('Something follows the end of the document; it was left out.');
}
