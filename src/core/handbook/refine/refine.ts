import { join } from 'node:path';
import { CancelledError, InputError, throwIfCancelled } from '../../errors';
import type { ProgramGraph } from '../../graph';
import type { Harness } from '../../harness';
import { ModelAnswerError, type ModelClient, ModelError, ModelTimeoutError } from '../../models';
import type { WorkOptions } from '../../progress';
import { acquireLock, ensureStore, storePaths } from '../../store';
import { loadSources } from '../derive/sources';
import type { BehaviourMap, Unit } from '../model';
import { putModelWords } from '../overlay';
import { refineBatch } from './batch';
import { answerTokensOfUnit, Meter, priceOf, tokensOf, verdictTokensOfUnit } from './cost';
import { type OfferedUnit, offer } from './material';
import type { RefinedUnit, RefineEstimate, RefineResult, TokenPrice } from './model';
import { proposerMessages } from './prompts';
import { notYetAsked, readState, rememberUnits, worthDescribing } from './state';

export interface RefineInput {
  harness: Harness;
  map: BehaviourMap;
  graph: ProgramGraph;
  client: ModelClient;
}

export interface RefineOptions extends WorkOptions {
  /** How often what was dropped is asked for again, the first time included. Default 2. */
  rounds?: number;
  /** No request is made that would go over this many tokens. Default 200,000. */
  tokenBudget?: number;
  /** At most so many units, most important first. */
  mostUnits?: number;
  /** Ask again about units whose text this model has seen. */
  again?: boolean;
  price?: TokenPrice;
}

const defaults = { rounds: 2, tokenBudget: 200_000 };
const unitsOfBatch = 5;
const tokensOfBatch = 7_000;
/** A model that fails so often in a row is not asked any more. */
const mostFailures = 3;

interface Plan {
  batches: OfferedUnit[][];
  skipped: number;
}

async function makePlan(input: RefineInput, options: RefineOptions): Promise<Plan> {
  const { harness, map, graph, client } = input;
  const worth = worthDescribing(map);
  const state = await readState(harness.root);
  const open = options.again ? worth : notYetAsked(worth, state, client.id);
  const sources = await loadSources(graph, harness, options);
  const batches: Unit[][] = [];
  let tokens = 0;
  for (const unit of open.slice(0, options.mostUnits ?? open.length)) {
    const size = tokensOf(proposerMessages(offer([unit], map, sources), map, new Map()));
    const last = batches.at(-1);
    if (last && last.length < unitsOfBatch && tokens + size <= tokensOfBatch) {
      last.push(unit);
      tokens += size;
    } else {
      batches.push([unit]);
      tokens = size;
    }
  }
  return { batches: batches.map((units) => offer(units, map, sources)), skipped: worth.length - open.length };
}

/** What a refinement would cost, without asking the model anything. */
export async function estimateRefinement(input: RefineInput, options: RefineOptions = {}): Promise<RefineEstimate> {
  const { batches, skipped } = await makePlan(input, options);
  let read = 0;
  let written = 0;
  for (const batch of batches) {
    const size = callSize(batch, input.map);
    read += 2 * size.input;
    written += size.output;
  }
  const rounds = options.rounds ?? defaults.rounds;
  const money = (times: number) => priceOf(times * read, times * written, options.price);
  const [least, most] = [money(1), money(rounds)];
  return {
    units: batches.flat().length,
    skipped,
    batches: batches.length,
    tokens: { least: read + written, most: rounds * (read + written) },
    costUsd: least === null || most === null ? null : { least, most },
  };
}

/** Tokens of one round of a batch: what each of the two calls reads, and what both answer. */
function callSize(batch: readonly OfferedUnit[], map: BehaviourMap): { input: number; output: number } {
  return {
    input: tokensOf(proposerMessages(batch, map, new Map())),
    output: batch.length * (answerTokensOfUnit + verdictTokensOfUnit),
  };
}

/**
 * Lets a model name, describe and regroup units. What passed all checks lands in `handbook.json` batch by batch, marked
 * as the model's, so that a run that ends early keeps what is done and the next one goes on. Words of people stay.
 * @throws InputError for options that make no sense; LockedError when another run is under way;
 * EnvironmentError when `handbook.json` cannot be written.
 */
export async function refineHandbook(input: RefineInput, options: RefineOptions = {}): Promise<RefineResult> {
  const { harness, client } = input;
  const rounds = options.rounds ?? defaults.rounds;
  const budget = options.tokenBudget ?? defaults.tokenBudget;
  if (!Number.isInteger(rounds) || rounds < 1 || rounds > 5 || !(budget > 0)) {
    throw new InputError('Rounds are 1 to 5, and the token budget is more than 0.', {
      code: 'usage',
      nextStep: 'Correct the options.',
    });
  }
  await ensureStore(harness.root);
  const lock = await acquireLock(join(storePaths(harness.root).cache, 'handbook-refine.lock'), {
    owner: `words of ${client.label}`,
  });
  try {
    return await askAll(input, options, rounds, budget);
  } finally {
    await lock.release();
  }
}

async function askAll(
  input: RefineInput,
  options: RefineOptions,
  rounds: number,
  budget: number,
): Promise<RefineResult> {
  const { harness, map, client } = input;
  const { batches, skipped } = await makePlan(input, options);
  const meter = new Meter(options.price);
  const result: RefineResult = { model: client.id, units: [], skipped, cost: meter.cost, stopped: null };
  const total = batches.flat().length;
  const stop = (why: 'cancelled' | 'budget' | 'model', message: string): RefineResult => ({
    ...result,
    stopped: { why, message, left: total - result.units.filter((unit) => unit.outcome !== 'failed').length },
  });
  let failures = 0;
  for (const batch of batches) {
    options.progress?.({ message: `Asking ${client.label}`, done: result.units.length, total });
    const size = callSize(batch, map);
    const next = 2 * size.input + size.output;
    if (meter.used(next / 2) + next > budget)
      return stop('budget', `The token budget of ${budget} does not allow the next request of about ${next} tokens.`);
    try {
      throwIfCancelled(options.signal, 'Refining the handbook');
      const done = await refineBatch(batch, { map, client, meter, rounds, signal: options.signal });
      await putModelWords(
        harness.root,
        map,
        done.flatMap(({ unit, words }) => (words ? [{ unit, words }] : [])),
      );
      await rememberUnits(
        harness.root,
        batch.map(({ unit }) => unit),
        client.id,
      );
      result.units.push(...done.map(({ report }) => report));
      failures = 0;
    } catch (error) {
      if (error instanceof CancelledError) return stop('cancelled', error.message);
      if (!(error instanceof ModelError)) throw error;
      const isAnswer = error instanceof ModelAnswerError || error instanceof ModelTimeoutError;
      result.units.push(...batch.map((offered) => failed(offered, error.message)));
      if (!isAnswer || ++failures >= mostFailures) return stop('model', error.message);
    }
  }
  return result;
}

/** A unit without a usable answer; it is asked about again the next time. */
function failed({ unit }: OfferedUnit, reason: string): RefinedUnit {
  return {
    id: unit.id,
    title: unit.title,
    outcome: 'failed',
    sentences: [],
    dropped: [{ text: '', reason: reason.slice(0, 400) }],
  };
}
