import { throwIfCancelled } from '../../errors';
import type { ProgramGraph } from '../../graph';
import type { Harness } from '../../harness';
import type { WorkOptions } from '../../progress';
import type { Register } from '../model';
import { otherPrograms, packageRoots } from './apart';
import { gatherBehaviours } from './behaviours';
import { allClaims, bestKinds, rankCandidates } from './candidates';
import { Drafts } from './drafts';
import { distances, type Entry, findEntries, rankEntries } from './entries';
import { gatherClasses, gatherEntries, gatherLoops, gatherWay } from './gather';
import { gatherArtifacts } from './gatherArtifacts';
import { gatherRest } from './gatherRest';
import { gatherTools } from './gatherTools';
import { type FoundLoop, findLoops, leastScore } from './loops';
import { nearbyRegions } from './nearbyRegions';
import { computeReach, type Reach } from './reach';
import { findRegisters } from './registers';
import { computeRelevance } from './relevance';
import { Scope } from './scope';
import type { Sources } from './sources';
import { loopSteps, type Step } from './steps';

export interface Derived {
  drafts: Drafts;
  scope: Scope;
  /** Steps of the first loop, in run order. */
  steps: Step[];
  /** Id of the unit of a step. */
  unitOf: ReadonlyMap<Step, string>;
  loopIds: string[];
  /** Whether a file has no part in a run: tests, examples, documents and other programs of the repository. */
  isApart(file: string): boolean;
  registers: Register[];
  /** Graph ids of the tools that the model of the loop is offered. */
  modelTools: string[];
  /** What was seen on the way, for saying what is missing. */
  found: { reach: Reach; loops: readonly FoundLoop[]; candidates: readonly FoundLoop[]; entries: readonly Entry[] };
}

/** Units under construction, from the graph and the text alone; every function has a home afterwards. */
export async function deriveDrafts(
  graph: ProgramGraph,
  harness: Harness,
  sources: Sources,
  work: WorkOptions,
): Promise<Derived> {
  work.progress?.({ message: 'Finding the agent loop' });
  const scope = new Scope(graph);
  const reach = computeReach(graph, sources);
  const known = await findEntries(graph, harness, sources);
  const candidates = findLoops({ graph, reach, sources, scope, entryDistance: distances(known, reach, graph) });
  const loops = candidates.filter((loop) => loop.score >= leastScore);
  const entries = rankEntries(known, loops[0], reach, scope);
  const base = { graph, reach, sources, scope };
  const claims = allClaims(base);
  const isApart = otherPrograms({ ...base, entries, loops, packages: await packageRoots(graph, harness) });
  const relevance = computeRelevance({ ...base, entries, loops, isApart });
  const steps = loops[0] ? loopSteps(loops[0], { graph, reach, sources, kinds: bestKinds(claims) }) : [];
  const registers = findRegisters({ ...base, relevance, loops, steps });

  throwIfCancelled(work.signal, 'Building the handbook');
  work.progress?.({ message: 'Gathering units' });
  const drafts = new Drafts(sources);
  const flow = { ...base, relevance, entries, loops };
  const loopIds = gatherLoops(drafts, flow);
  gatherEntries(drafts, flow);
  const modelTools = gatherTools(drafts, { ...flow, isApart });
  const regions = nearbyRegions({ ...flow, steps });
  const unitOf = gatherBehaviours(drafts, {
    ...base,
    relevance,
    ranked: rankCandidates(claims, relevance, base),
    steps,
    regions,
  });
  gatherWay(drafts, flow);
  gatherClasses(drafts, flow);
  gatherArtifacts(drafts, flow);
  gatherRest(drafts, { ...flow, isApart });
  return {
    drafts,
    scope,
    unitOf,
    steps,
    loopIds,
    registers,
    modelTools,
    isApart: (file) => isApart(file) || /^(?:aside|example|outside)$/.test(scope.role(file)),
    found: { reach, loops, candidates, entries },
  };
}
