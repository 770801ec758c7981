import type { GraphNode, ProgramGraph } from '../../graph';
import { kindWords } from '../vocabulary';
import { classifyClass } from './classify';
import type { Drafts } from './drafts';
import type { Entry } from './entries';
import type { FoundLoop } from './loops';
import { homeOf } from './parts';
import { isFunction } from './reach';
import type { Relevance } from './relevance';
import type { Scope } from './scope';
import type { Sources } from './sources';

export interface FlowInput {
  graph: ProgramGraph;
  sources: Sources;
  scope: Scope;
  relevance: Relevance;
  entries: readonly Entry[];
  loops: readonly FoundLoop[];
}

/** Loops worth a unit of their own: close to the best one. */
const maximumLoops = 5;
const nearBest = 6;
/** Loops that read a stream to the end for one answer of their own are no rounds of the agent. */
const oneAnswer = /summar|compact|condens|title|commit_?msg|commit_?message|confirm|approv|permission/i;
/** Entry points with a unit of their own; the others share one. */
const maximumEntries = 2;

/** Units of the agent loops, likeliest first. */
export function gatherLoops(drafts: Drafts, { loops }: FlowInput): string[] {
  const ids: string[] = [];
  for (const loop of loops.slice(0, maximumLoops)) {
    if (loop !== loops[0] && loop.score < (loops[0]?.score ?? 0) - nearBest) break;
    if (loop !== loops[0] && oneAnswer.test(loop.node.name)) continue;
    const draft = drafts.open('main_loop', loop.node.id, loop.node.qualname);
    drafts.adopt(draft, loop.node);
    draft.reasons.push(...loop.reasons);
    ids.push(draft.id);
  }
  return ids;
}

/** Units of entry points, and of what leads from them to the loop. */
export function gatherEntries(drafts: Drafts, input: FlowInput): void {
  const { entries, sources } = input;
  for (const [index, entry] of entries.entries()) {
    const draft =
      index < maximumEntries || entries.length <= maximumEntries + 1
        ? drafts.open('entry', entry.id, (entry.node ?? entry.variable)?.qualname ?? entry.file)
        : drafts.open('entry', 'further', 'further commands', { title: 'Entry points: further commands' });
    const place = entry.node ?? entry.variable;
    if (place) drafts.adopt(draft, place);
    else drafts.addSite(draft, sources.site(entry.file, '', entry.start, entry.end));
    if (draft.sites.length === 0 && place) drafts.addSite(draft, sources.nodeSite(place));
    if (draft.reasons.length < 6) draft.reasons.push(entry.reason);
  }
}

/** What lies on the way from an entry point to the loop and is no other behaviour: the onset of a run. */
export function gatherWay(drafts: Drafts, { graph, relevance }: FlowInput): void {
  for (const id of relevance.onPath) {
    const node = graph.node(id);
    if (!isFunction(node) || drafts.homeOf(id)) continue;
    const { home, subject } = homeOf(node);
    const draft = drafts.open('other', `${home}/way`, subject, {
      title: `On the way to the loop: ${subject}`,
      stage: 'onset',
    });
    drafts.adopt(draft, node, `lies on the way of calls from an entry point to the loop (${node.file}:${node.start})`);
  }
}

/** Classes that carry defaults or report a limit, a malformed answer or the end: they join the unit of their kind nearby. */
export function gatherClasses(drafts: Drafts, { graph, scope, relevance }: FlowInput): void {
  for (const node of graph.data.nodes) {
    if (node.kind !== 'class' || !scope.isInside(node.file) || scope.role(node.file) === 'example') continue;
    const found = classifyClass(node);
    if (!found) continue;
    // Defaults are gathered with the keys of their file.
    if (found.kind === 'config_defaults') continue;
    if (relevance.ofFile(node.file) < 1) continue;
    const near = drafts.all().find((draft) => draft.kind === found.kind && draft.order !== undefined);
    const draft = near ?? drafts.open(found.kind, node.file, kindWords[found.kind].title);
    if (near && near.sites.length >= 10) continue;
    adoptClass(drafts, draft.id, node, graph, found.reason);
  }
}

function adoptClass(drafts: Drafts, id: string, node: GraphNode, graph: ProgramGraph, reason: string): void {
  const draft = drafts.get(id);
  if (!draft) return;
  drafts.adopt(draft, node, reason);
  for (const edge of graph.out(node.id, 'contains')) drafts.adoptQuietly(draft, edge.to);
}
