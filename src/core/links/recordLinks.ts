import type { LinkIndex } from './linkIndex';
import type { Link } from './model';
import { onlyRepeats, pathClassOf } from './pathClass';
import { recordsIn } from './stepParts';

/** Keys of every message and event; that code writes them says nothing. */
const COMMON_KEYS =
  /^(role|content|type|name|id|text|parts|message|messages|timestamp|time|tool_calls|function|arguments|step_id|source|model|args|input|output|result|results|data|status|error|usage|metrics|index|tool_call_id|call_id|tool_use_id|function_name|functionResponse|functionCall|\w*[tT]okens?(_\w+)?|token_usage\w*)$/;
/** A key that so many places name is a word of the whole harness. */
const MOST_PLACES = 12;
const LEAST_RARITY = 3;
const MOST_KEYS = 400;

/**
 * Links from the keys of a step's record to the function that names most of the rare ones: it makes such records, or
 * shortens them. The values are not looked at.
 */
export function recordLinks(index: LinkIndex, step: number, record: string): Link[] {
  if (record.length > 200_000) return [];
  const byOwner = new Map<string, { rarity: number; keys: string[]; place: ReturnType<LinkIndex['named']>[number] }>();
  for (const key of keysOf(record)) {
    const places = index
      .named(key)
      .filter(({ file }) => !onlyRepeats(file) && pathClassOf(file) !== 'interface' && pathClassOf(file) !== 'example');
    if (places.length === 0 || places.length > MOST_PLACES) continue;
    const seen = new Set<string>();
    for (const place of places) {
      const owner = `${place.file}#${place.symbol}`;
      if (place.symbol === '' || seen.has(owner)) continue;
      seen.add(owner);
      const known = byOwner.get(owner) ?? { rarity: 0, keys: [], place };
      known.rarity += Math.log2(1 + MOST_PLACES / places.length);
      known.keys.push(key);
      byOwner.set(owner, known);
    }
  }
  const ranked = [...byOwner.values()].sort((left, right) => right.rarity - left.rarity);
  const [first, second] = ranked;
  if (first === undefined || first.rarity < LEAST_RARITY) return [];
  const alone = first.rarity - (second?.rarity ?? 0) >= 1;
  const keys = first.keys.slice(0, 4).join(', ');
  const reason = `names the keys ${keys} that the record of this step has${alone ? '' : '; so does other code'}`;
  const around = index.graph.enclosing(first.place.file, first.place.start);
  const place = around === undefined ? first.place : index.places.ofNode(around);
  const confidence = (alone ? 0.24 : 0.12) + Math.min(0.12, 0.015 * first.rarity);
  return [{ ...index.places.link(step, 'lifecycle', place, confidence, reason), part: { of: 'record', at: 0 } }];
}

/** Names of the members of a record, without those that every record has. */
function keysOf(record: string): Set<string> {
  const keys = new Set<string>();
  const visit = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 6 || keys.size > MOST_KEYS) return;
    if (Array.isArray(value)) {
      for (const one of value.slice(0, 20)) visit(one, depth + 1);
      return;
    }
    for (const [key, one] of Object.entries(value)) {
      if (/^(arguments|args|input|parameters|properties|choices|\w*usage|\w*metrics|tool_call_metadata)$/i.test(key))
        continue;
      if (key.length >= 4 && !COMMON_KEYS.test(key) && /^[\w-]+$/.test(key)) keys.add(key);
      visit(one, depth + 1);
    }
  };
  for (const value of recordsIn(record)) visit(value, 0);
  return keys;
}
