import type { z } from 'zod';
import { CancelledError, messageOf } from '../../errors';
import { siteState } from '../../handbook';
import type { ModelClient, ModelMessage } from '../../models';
import { type LocateInput, locate } from '../locate';
import type { LocateAnswer, LocatedSite, ModelShare } from '../model';
import { planOf } from '../plan';
import { type Prepared, prepare } from '../prepare';
import { type Ranked, rank } from '../ranking';
import {
  DefinitionChoice,
  definitionMessages,
  type Offer,
  OverviewChoice,
  overviewMessages,
  SiteChoice,
  siteMessages,
  tokensOf,
  within,
} from './levels';
import { definitionOffers, overviewOffers, rowsBehind, sourceOffers, tokensOfAll } from './offers';

export interface ModelLocateInput extends LocateInput {
  client: ModelClient;
  /** At most so many tokens are sent over all levels. */
  budget?: number;
}

/** What a developer would hand over of a middle-sized harness, and no more. */
export const defaultBudget = 30_000;
/** Share of the budget of the three levels; reading the source is what it is for. */
const shares = [0.25, 0.25, 0.5] as const;

/**
 * Like `locate`, and a model chooses from the overview down: behaviours and files, then definitions, then the source of
 * those. It can only name what it was shown; what it names is checked against the working tree before it is shown.
 * When the model fails, the answer without a model stands and says so.
 * @throws InputError, CancelledError
 */
export async function locateWithModel(request: string, input: ModelLocateInput): Promise<LocateAnswer> {
  const answer = await locate(request, input);
  const prepared = await prepare(input);
  const search = new ModelSearch(request, input, prepared);
  try {
    await search.run();
  } catch (error) {
    if (error instanceof CancelledError || input.signal?.aborted) throw error;
    search.share.notes.push(`${messageOf(error)} The places below were found without it.`);
  }
  const sites = search.sites.length > 0 ? merged(search.sites, answer.sites, input.limit ?? 10) : answer.sites;
  return { ...answer, sites, plan: planOf(request, sites, answer.units, input.map), model: search.share };
}

/** What the model chose first; what the ranking found fills up. */
function merged(chosen: readonly LocatedSite[], ranked: readonly LocatedSite[], limit: number): LocatedSite[] {
  const key = (site: LocatedSite): string => `${site.file}#${site.symbol}`;
  const known = new Set(chosen.map(key));
  const rest = ranked.filter((site) => !known.has(key(site)));
  return [...chosen, ...rest.map((site) => ({ ...site, score: Math.min(site.score, 0.49) }))].slice(0, limit);
}

class ModelSearch {
  readonly sites: LocatedSite[] = [];
  readonly share: ModelShare;
  private readonly budget: number;

  constructor(
    private readonly request: string,
    private readonly input: ModelLocateInput,
    private readonly prepared: Prepared,
  ) {
    this.budget = input.budget ?? defaultBudget;
    this.share = {
      label: input.client.label,
      levels: 0,
      sentTokens: 0,
      receivedTokens: 0,
      costUsd: null,
      wholeCodeTokens: tokensOfAll(prepared),
      dropped: 0,
      notes: [],
    };
  }

  async run(): Promise<void> {
    const ranked = rank(this.prepared.corpus, this.request);
    const overview = this.fitting(overviewOffers(this.input.map, this.prepared, ranked), 0);
    const first = await this.ask('overview_choice', OverviewChoice, overviewMessages(this.request, overview));
    if (!first) return;
    const rows = rowsBehind(this.known(first.ids, overview), this.input.map, this.prepared, ranked);
    const definitions = this.fitting(definitionOffers(rows, this.prepared), 1);
    const second = await this.ask('definition_choice', DefinitionChoice, definitionMessages(this.request, definitions));
    if (!second) return;
    const read = this.known(second.ids, definitions);
    if (read.length === 0) {
      this.share.notes.push('The model chose nothing to read.');
      return;
    }
    const sources = this.fitting(sourceOffers(read, this.prepared), 2);
    const third = await this.ask('site_choice', SiteChoice, siteMessages(this.request, sources));
    if (!third) return;
    const offered = new Set(sources.map(({ id }) => id));
    for (const { id, reason } of third.sites) {
      if (!offered.has(id)) this.share.dropped += 1;
      else await this.take(Number(id.slice(1)), reason, ranked);
    }
  }

  private fitting(offers: readonly Offer[], level: 0 | 1 | 2): Offer[] {
    return within(offers, this.budget * shares[level]);
  }

  /** The ids that were offered, once each; others are counted and left out. */
  private known(ids: readonly string[], offers: readonly Offer[]): string[] {
    const offered = new Set(offers.map(({ id }) => id));
    const found = [...new Set(ids)];
    const good = found.filter((id) => offered.has(id));
    this.share.dropped += found.length - good.length;
    return good;
  }

  private async ask<T>(schemaName: string, schema: z.ZodType<T>, messages: ModelMessage[]): Promise<T | undefined> {
    const size = tokensOf(messages.map(({ content }) => content).join('\n'));
    if (this.share.sentTokens + size > this.budget * 1.1) {
      this.share.notes.push(`The budget of ${this.budget} tokens was used up at level ${this.share.levels + 1}.`);
      return undefined;
    }
    const { client, signal } = this.input;
    const { value, usage, costUsd } = await client.generate({ messages, schema, schemaName, signal });
    this.share.levels += 1;
    this.share.sentTokens += usage.inputTokens ?? size;
    this.share.receivedTokens += usage.outputTokens ?? tokensOf(JSON.stringify(value));
    if (costUsd !== null) this.share.costUsd = (this.share.costUsd ?? 0) + costUsd;
    return value;
  }

  /** Adds a site when its text is in the working tree as it was indexed. */
  private async take(row: number, reason: string, ranked: Ranked): Promise<void> {
    const { index } = this.prepared.corpus;
    const { name, kind, start, end, file } = index.rows[row] as (typeof index.rows)[number];
    const path = index.files[file]?.path ?? '';
    const symbol = kind === 'file' ? '' : name;
    const now = await siteState(this.input.harness, this.prepared.sources.site(path, symbol, start, end));
    if (now.state === 'stale' || this.sites.some((site) => site.file === path && site.symbol === symbol)) {
      this.share.dropped += 1;
      return;
    }
    const place = ranked.rows.findIndex((one) => one.row === row);
    this.sites.push({
      file: path,
      symbol,
      start: now.start,
      end: now.end,
      score: Math.round((1 - 0.5 * (this.sites.length / 20)) * 1000) / 1000,
      reason: `the model says: ${reason.replace(/\s+/g, ' ').trim()}${place >= 0 ? ` (place ${place + 1} without it)` : ''}`,
      state: now.state,
      by: 'model',
    });
  }
}
