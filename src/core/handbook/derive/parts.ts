import type { GraphNode } from '../../graph';
import type { StageKind, UnitKind } from '../model';
import { kindWords } from '../vocabulary';
import type { Draft, Drafts } from './drafts';
import { slug } from './drafts';
import type { Sources } from './sources';

/** One place that speaks for a behaviour: a whole function, or a region of one. */
export interface Part {
  kind: UnitKind;
  node: GraphNode;
  /** Set for a region. */
  region?: { start: number; end: number; detail: string };
  score: number;
  reason: string;
  /** Run order of a step and its stage. */
  order?: number;
  stage?: StageKind;
}

/** Parts of one kind in one class or file: what becomes a unit. */
export interface Cluster {
  kind: UnitKind;
  /** `file` or `file#Class`. */
  home: string;
  subject: string;
  parts: Part[];
  score: number;
}

/** Class around a function, else its file: what belongs together by itself. */
export function homeOf(node: GraphNode): { home: string; subject: string } {
  const at = node.kind === 'class' ? node.qualname.length : node.qualname.lastIndexOf('.');
  if (at <= 0) return { home: node.file, subject: node.file.slice(node.file.lastIndexOf('/') + 1) };
  const owner = node.qualname.slice(0, at).split('.')[0] as string;
  return { home: `${node.file}#${owner}`, subject: owner };
}

/** Most places of one unit; a page shows no more. */
const maximumParts = 8;
/** How far below the best place of a unit another place may be. */
const farBelow = 3;

/** Clusters of parts of one kind, likeliest first, each with its parts best first. */
export function clustersOf(kind: UnitKind, parts: readonly Part[]): Cluster[] {
  const clusters = new Map<string, Cluster>();
  for (const part of parts) {
    const { home, subject } = homeOf(part.node);
    const cluster = clusters.get(home) ?? { kind, home, subject, parts: [], score: 0 };
    cluster.parts.push(part);
    clusters.set(home, cluster);
  }
  for (const cluster of clusters.values()) settle(cluster);
  return [...clusters.values()].sort(byScore);
}

export function byScore(a: Cluster, b: Cluster): number {
  return b.score - a.score || (a.home < b.home ? -1 : 1);
}

/** Sorts the parts of a cluster, drops what is far below the best and weighs the whole. */
export function settle(cluster: Cluster): void {
  cluster.parts.sort((a, b) => b.score - a.score || (a.order ?? 999) - (b.order ?? 999) || a.node.start - b.node.start);
  const best = cluster.parts[0]?.score ?? 0;
  const kept = cluster.parts.filter((part) => part.order !== undefined || part.score >= best - farBelow);
  const steps = kept.filter((part) => part.order !== undefined);
  const rest = kept.filter((part) => part.order === undefined);
  const allowed = new Set([...steps, ...rest.slice(0, Math.max(2, maximumParts - steps.length))]);
  cluster.parts = cluster.parts.filter((part) => allowed.has(part));
  cluster.score = best + Math.min(0.6, 0.15 * (cluster.parts.length - 1));
}

/** Makes the unit of a cluster. Functions get their home later, when all units are known; see `Homes`. */
export function draftOf(cluster: Cluster, drafts: Drafts, sources: Sources): Draft {
  const { kind, parts } = cluster;
  const functions = parts.filter((part) => !part.region);
  const subject =
    functions.length === 0 && parts.length === 1
      ? `${parts[0]?.node.qualname} (${slug(parts[0]?.region?.detail ?? '').replaceAll('-', ', ')})`
      : new Set(parts.map((part) => part.node.id)).size === 1
        ? (parts[0]?.node.qualname ?? cluster.subject)
        : cluster.subject;
  const draft = drafts.open(kind, cluster.home, subject);
  draft.region = functions.length === 0;
  const orders = parts.flatMap((part) => part.order ?? []);
  if (orders.length > 0) draft.order = Math.min(...orders);
  draft.stage = stageOf(parts) ?? kindWords[kind].stage;
  for (const part of parts) {
    const { node, region } = part;
    if (region && part.order === undefined && functions.some((other) => other.node === node)) continue;
    const site = region ? sources.site(node.file, node.qualname, region.start, region.end) : sources.nodeSite(node);
    if (!draft.sites.some((other) => other.file === site.file && other.start === site.start && other.end === site.end))
      draft.sites.push(site);
    if (draft.reasons.length < 6 && !draft.reasons.includes(part.reason)) draft.reasons.push(part.reason);
  }
  return draft;
}

function stageOf(parts: readonly Part[]): StageKind | undefined {
  const stages = parts.flatMap((part) => part.stage ?? []);
  return stages.includes('loop') ? 'loop' : stages[0];
}

/** Gives every function the unit for which it scores best; in other units it stays a place that is referred to. */
export function giveHomes(drafts: Drafts, chosen: readonly { draft: Draft; cluster: Cluster }[]): void {
  const wishes = chosen.flatMap(({ draft, cluster }) =>
    cluster.parts.filter((part) => !part.region).map((part) => ({ draft, part })),
  );
  wishes.sort((a, b) => b.part.score - a.part.score || (a.draft.id < b.draft.id ? -1 : 1));
  for (const { draft, part } of wishes) drafts.adoptQuietly(draft, part.node.id);
}
