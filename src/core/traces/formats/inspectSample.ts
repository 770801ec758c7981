import { type Child, childOf, childrenOf, childValue } from '../reading/children';
import { type Fields, fieldsOf } from '../reading/fields';
import type { ByteRange, TraceSource } from '../reading/source';

/** Where the parts of one sample lie, in a monolith or in the chunks of a chunked sample. */
export interface SamplePlaces {
  /** Values that are small: id, epoch, scores, usage, error, limit. */
  facts: Fields;
  events: ByteRange[];
  messages: ByteRange[];
  /** Messages that model events refer to by number instead of repeating them. */
  pool: ByteRange[];
  /** Long texts and images that other values refer to as `attachment://KEY`. */
  attachments: ReadonlyMap<string, ByteRange>;
  complete: boolean;
}

const FACTS = ['id', 'epoch', 'scores', 'model_usage', 'error', 'limit', 'total_time'];

/** The parts of a sample that is one JSON object. */
export async function monolith(source: TraceSource, range: ByteRange): Promise<SamplePlaces> {
  const children = await childrenOf(source, range);
  const data = childOf(children, 'events_data');
  const pooled = data === undefined ? [] : await childrenOf(source, data);
  const attachments = await within(source, childOf(children, 'attachments'));
  return {
    facts: await factsOf(source, children),
    events: await within(source, childOf(children, 'events')),
    messages: await within(source, childOf(children, 'messages')),
    pool: await within(source, childOf(pooled, 'messages') ?? childOf(children, 'message_pool')),
    attachments: new Map(attachments.map((child) => [child.key, child])),
    complete: children.every((child) => child.complete),
  };
}

/** The parts of a sample whose sequences lie in members named by the number of their first item. */
export async function chunked(source: TraceSource, prefix: string, names: readonly string[]): Promise<SamplePlaces> {
  const shell = await source.whole(`${prefix}/sample.json`);
  const children = await childrenOf(source, shell);
  const attachments = await sequence(source, `${prefix}/attachments/`, names);
  return {
    facts: await factsOf(source, children),
    events: await sequence(source, `${prefix}/events/`, names),
    messages: await within(source, childOf(children, 'messages')),
    pool: await sequence(source, `${prefix}/messages/`, names),
    attachments: new Map(attachments.map((range, index) => [String(index), range])),
    complete: children.every((child) => child.complete),
  };
}

async function sequence(source: TraceSource, folder: string, names: readonly string[]): Promise<ByteRange[]> {
  const chunks = names
    .filter((name) => name.startsWith(folder) && /^\d+\.json$/.test(name.slice(folder.length)))
    .map((name) => ({ name, start: Number.parseInt(name.slice(folder.length), 10) }))
    .sort((left, right) => left.start - right.start);
  const found: ByteRange[] = [];
  for (const { name } of chunks) found.push(...(await childrenOf(source, await source.whole(name))));
  return found;
}

async function within(source: TraceSource, child: Child | undefined): Promise<Child[]> {
  return child === undefined ? [] : childrenOf(source, child);
}

async function factsOf(source: TraceSource, children: readonly Child[]): Promise<Fields> {
  const facts: Record<string, unknown> = {};
  for (const key of FACTS) facts[key] = await childValue(source, children, key);
  return fieldsOf(facts);
}

const REFERENCE = 'attachment://';
const MOST_ATTACHMENTS = 64;

/** Keys of the attachments that a value refers to, in order of first use. Images are left as references. */
export function attachmentKeys(value: unknown, found: string[] = []): string[] {
  if (found.length >= MOST_ATTACHMENTS) return found;
  if (typeof value === 'string') {
    const key = value.startsWith(REFERENCE) ? value.slice(REFERENCE.length) : null;
    if (key !== null && !found.includes(key)) found.push(key);
  } else if (Array.isArray(value)) for (const one of value) attachmentKeys(one, found);
  else if (typeof value === 'object' && value !== null) {
    for (const [key, one] of Object.entries(value)) if (key !== 'image') attachmentKeys(one, found);
  }
  return found;
}

/** The value with its references replaced by what they stand for; unknown ones stay. */
export function withAttachments(value: unknown, texts: ReadonlyMap<string, unknown>): unknown {
  if (typeof value === 'string') {
    return value.startsWith(REFERENCE) ? (texts.get(value.slice(REFERENCE.length)) ?? value) : value;
  }
  if (Array.isArray(value)) return value.map((one) => withAttachments(one, texts));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withAttachments(one, texts)]));
}
