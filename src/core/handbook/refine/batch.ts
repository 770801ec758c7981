import type { z } from 'zod';
import { throwIfCancelled } from '../../errors';
import type { ModelClient, ModelMessage } from '../../models';
import type { BehaviourMap, Unit } from '../model';
import type { ModelWords } from '../overlay';
import { textOf } from '../overlay';
import { sentenceProblem, titleProblem, withinCard } from './content';
import type { Meter } from './cost';
import type { OfferedUnit } from './material';
import { type Dropped, RefineAnswer, type RefinedUnit, ReviewAnswer } from './model';
import { moveProblem } from './moves';
import { type Item, proposerMessages, reviewerMessages } from './prompts';

interface Draft {
  title?: Item;
  sentences: Item[];
  stage?: Item;
  merge?: Item;
  dropped: Dropped[];
}

export interface BatchWork {
  map: BehaviourMap;
  client: ModelClient;
  meter: Meter;
  rounds: number;
  signal: AbortSignal | undefined;
}

/**
 * Asks about a few units: the proposer writes, form and content are checked, the reviewer judges what is left, and what was
 * dropped is asked for again, round by round. Only what passed both is kept.
 * @throws ModelError when the model does not answer; CancelledError.
 */
export async function refineBatch(
  units: readonly OfferedUnit[],
  work: BatchWork,
): Promise<{ unit: Unit; words: ModelWords | null; report: RefinedUnit }[]> {
  const drafts = new Map(units.map(({ alias }) => [alias, { sentences: [], dropped: [] } as Draft]));
  let open: readonly OfferedUnit[] = units;
  let fresh = new Map<string, Dropped[]>();
  for (let round = 1; round <= work.rounds && open.length > 0; round++) {
    const answer = await ask(proposerMessages(open, work.map, fresh), 'handbook_words', RefineAnswer, work);
    fresh = new Map();
    const items = takeItems(answer, open, units, work.map, drafts, fresh);
    if (items.length > 0) {
      const review = await ask(reviewerMessages(open, items), 'handbook_review', ReviewAnswer, work);
      judge(review, items, drafts, fresh);
    }
    open = open.filter(({ alias }) => (fresh.get(alias) ?? []).length > 0);
  }
  return units.map((offered) => outcome(offered, drafts.get(offered.alias) as Draft, units, work.client.id));
}

async function ask<T>(
  messages: ModelMessage[],
  schemaName: string,
  schema: z.ZodType<T>,
  { client, meter, signal }: BatchWork,
): Promise<T> {
  throwIfCancelled(signal, 'Refining the handbook');
  try {
    const answer = await client.generate({ messages, schema, schemaName, ...(signal ? { signal } : {}) });
    meter.add(answer.usage, answer.costUsd);
    return answer.value;
  } catch (error) {
    meter.addFailed();
    throw error;
  }
}

/** What can go to the reviewer; the rest is dropped with its reason. */
function takeItems(
  answer: RefineAnswer,
  open: readonly OfferedUnit[],
  all: readonly OfferedUnit[],
  map: BehaviourMap,
  drafts: ReadonlyMap<string, Draft>,
  fresh: Map<string, Dropped[]>,
): Item[] {
  const items: Item[] = [];
  const add = (alias: string, what: Item['what'], text: string, evidence: string[], problem: string | undefined) => {
    if (problem === undefined) items.push({ id: `i${items.length + 1}`, alias, what, text, evidence });
    else drop(alias, text, problem, drafts, fresh);
  };
  for (const said of answer.units) {
    const offered = open.find((one) => one.alias === said.unit);
    const draft = drafts.get(said.unit);
    if (!offered || !draft) continue; // a unit nobody asked about
    const { unit, facts, alias } = offered;
    if (said.title !== null && !draft.title && unit.words?.title !== 'person')
      add(alias, 'title', said.title.trim(), [], titleProblem(said.title, facts, unit.title));
    for (const { text, evidence } of unit.words?.summary === 'person' ? [] : said.sentences) {
      const ids = evidence.map((id) => id.trim());
      add(alias, 'sentence', text.trim(), ids, sentenceProblem(text.trim(), ids, facts));
    }
    if (said.stage !== null && !draft.stage && said.stage !== unit.stage)
      add(alias, 'stage', said.stage, [], moveProblem(unit, { stage: said.stage }, map));
    if (said.mergeInto !== null && !draft.merge) {
      const into = all.find((one) => one.alias === said.mergeInto)?.unit;
      add(alias, 'merge', said.mergeInto, [], moveProblem(unit, { into }, map));
    }
  }
  return items;
}

/** What the reviewer keeps; what it drops or does not mention is left out. */
function judge(
  review: ReviewAnswer,
  items: readonly Item[],
  drafts: ReadonlyMap<string, Draft>,
  fresh: Map<string, Dropped[]>,
): void {
  for (const item of items) {
    const verdict = review.verdicts.find((one) => one.item === item.id);
    const draft = drafts.get(item.alias);
    if (!draft) continue;
    if (!verdict?.keep) {
      drop(item.alias, item.text, verdict?.problem.trim() || 'the reviewer did not pass it', drafts, fresh);
    } else if (item.what === 'sentence') {
      draft.sentences.push(item);
    } else {
      draft[item.what] = item;
    }
  }
  for (const [alias, draft] of drafts) {
    const { kept, over } = withinCard(draft.sentences);
    draft.sentences = kept;
    for (const item of over) draft.dropped.push({ text: item.text, reason: `the card of ${alias} is full` });
  }
}

function drop(
  alias: string,
  text: string,
  reason: string,
  drafts: ReadonlyMap<string, Draft>,
  fresh: Map<string, Dropped[]>,
): void {
  const dropped = { text: text.slice(0, 400), reason };
  drafts.get(alias)?.dropped.push(dropped);
  fresh.set(alias, [...(fresh.get(alias) ?? []), dropped]);
}

function outcome(
  { unit, facts }: OfferedUnit,
  draft: Draft,
  units: readonly OfferedUnit[],
  model: string,
): { unit: Unit; words: ModelWords | null; report: RefinedUnit } {
  const cited = new Set(draft.sentences.flatMap((item) => item.evidence));
  const places = facts.filter((fact) => cited.has(fact.id)).flatMap((fact) => fact.place ?? []);
  const into = units.find((one) => one.alias === draft.merge?.text)?.unit.id;
  const said = {
    ...(draft.title ? { title: draft.title.text } : {}),
    ...(draft.sentences.length > 0 ? { description: draft.sentences.map((item) => item.text).join(' ') } : {}),
    ...(draft.stage ? { stage: draft.stage.text } : {}),
    ...(into ? { mergedInto: into } : {}),
    ...(places.length > 0 ? { evidence: places } : {}),
  };
  const isEmpty = Object.keys(said).length === 0;
  const report: RefinedUnit = {
    id: unit.id,
    title: unit.title,
    outcome: isEmpty ? 'nothing kept' : 'written',
    ...(draft.title ? { newTitle: draft.title.text } : {}),
    sentences: draft.sentences.map((item) => item.text),
    ...(draft.stage ? { moved: draft.stage.text } : into ? { moved: into } : {}),
    dropped: draft.dropped,
  };
  const words = { ...said, model, at: new Date().toISOString(), text: textOf(unit.sites) };
  return { unit, words: isEmpty ? null : words, report };
}
