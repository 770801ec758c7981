import { readFile } from 'node:fs/promises';
import type { Link } from '../../src/core/links';
import type { Step, TraceReader } from '../../src/core/traces';
import { TraceSource } from '../../src/core/traces/reading/source';

/** A step of a trace and the part of it that an item speaks of. */
export interface Pointed {
  step: number;
  part: 'text' | 'call' | 'result' | 'record' | null;
  /** Number of the call or result in the step. */
  at: number;
}

type Json = unknown;

/**
 * The step that holds the value an item points to: the one whose record is that value or something around it, else the
 * one whose text holds its text, else (facts about the whole run) the last one.
 */
export async function pointedStep(reader: TraceReader, pointer: string): Promise<Pointed | null> {
  const way = await wayTo(reader.run.file, pointer);
  const steps = await recordsOf(reader);
  const leaves = stringsIn(way.at(-1)).filter((text) => text.trim().length > 1);
  const leaf = way.at(-1);
  for (const value of [...way].reverse()) {
    if (typeof value !== 'object' || value === null) continue;
    const text = JSON.stringify(value);
    const same = steps.filter(({ records }) => records.includes(text)).map(({ step }) => step);
    if (same.length > 0) return partOf(most(same, leaves), leaves, typeof leaf === 'string');
  }
  const holding = steps.map(({ step }) => step).filter((step) => shared(step, leaves) > 0);
  if (holding.length > 0) return partOf(most(holding, leaves), leaves, false);
  const recorded = steps.find(({ records }) =>
    leaves.some((text) => records[0]?.includes(JSON.stringify(text).slice(1, 200))),
  );
  if (recorded !== undefined) return { step: recorded.step.n, part: 'record', at: 0 };
  const last = steps.at(-1);
  return last === undefined ? null : { step: last.step.n, part: null, at: 0 };
}

/** The values on the way to a pointer, outermost first. `L3/a/b` is in line 3, `member!/a/b` in a member of an archive. */
async function wayTo(file: string, pointer: string): Promise<Json[]> {
  const [, member, line, rest = ''] = /^(?:([^!/][^!]*)!|L(\d+)(?=\/|$))?(.*)$/.exec(pointer) ?? [];
  let document: Json;
  if (member !== undefined) document = await memberOf(file, member);
  else {
    const text = (await readFile(file, 'utf8')).replace(/^\uFEFF/, '');
    document = JSON.parse(line === undefined ? text : (text.split('\n')[Number(line) - 1] ?? 'null'));
  }
  const way = [document];
  for (const key of rest.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~');
    const value = (way.at(-1) as Record<string, Json> | null | undefined)?.[name];
    if (value === undefined) break;
    way.push(value);
  }
  return way;
}

async function memberOf(file: string, member: string): Promise<Json> {
  const source = await TraceSource.open(file);
  try {
    await source.archive();
    return JSON.parse(await source.text(await source.whole(member)));
  } finally {
    await source.close();
  }
}

async function recordsOf(reader: TraceReader): Promise<{ step: Step; records: string[] }[]> {
  const found = [];
  for (let n = 1; n <= reader.stepCount; n += 1) {
    const raw = await reader.raw(n);
    found.push({ step: await reader.step(n), records: [raw, ...raw.split('\n')].flatMap(canonical) });
  }
  return found;
}

function canonical(text: string): string[] {
  try {
    const value: Json = JSON.parse(text);
    return typeof value === 'object' && value !== null ? [JSON.stringify(value)] : [];
  } catch {
    return [];
  }
}

function stringsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(stringsIn);
}

function partTexts(step: Step): { part: 'text' | 'call' | 'result'; at: number; text: string }[] {
  return [
    ...step.calls.map((call, at) => ({
      part: 'call' as const,
      at,
      text: [call.id, call.name, ...stringsIn(call.args), JSON.stringify(call.args)].join('\n'),
    })),
    ...step.results.map((result, at) => ({ part: 'result' as const, at, text: result.text })),
    { part: 'text' as const, at: 0, text: `${step.text}\n${step.reasoning ?? ''}` },
  ];
}

/** How many characters of the leaves (their first 200 each) stand in the text. */
function overlap(text: string, leaves: readonly string[]): number {
  return leaves.reduce((sum, leaf) => {
    const start = leaf.trim().slice(0, 200);
    return sum + (text.includes(start) ? start.length : 0);
  }, 0);
}

function shared(step: Step, leaves: readonly string[]): number {
  return Math.max(...partTexts(step).map(({ text }) => overlap(text, leaves)));
}

function most(steps: readonly Step[], leaves: readonly string[]): Step {
  return [...steps].sort((left, right) => shared(right, leaves) - shared(left, leaves))[0] as Step;
}

/** A value that stands in several parts, such as a whole message, speaks of the step. */
function partOf(step: Step, leaves: readonly string[], isText: boolean): Pointed {
  const parts = partTexts(step).filter(({ text }) => overlap(text, leaves) > 0);
  const [only] = parts;
  // A text of the record that the step does not show.
  if (only === undefined && isText) return { step: step.n, part: 'record', at: 0 };
  return only === undefined || parts.length > 1
    ? { step: step.n, part: null, at: 0 }
    : { step: step.n, part: only.part, at: only.at };
}

/** Links of the part that an item speaks of come first, then those of the step; the order within is kept. */
export function ofPart(links: readonly Link[], pointed: Pointed): Link[] {
  const own = links.filter((link) => link.step === pointed.step);
  if (pointed.part === null) return own;
  const isOwn = ({ part }: Link) => part?.of === pointed.part && part.at === pointed.at;
  return [...own.filter(isOwn), ...own.filter((link) => !isOwn(link))];
}
