import type { GraphNode } from '../../graph';
import type { TraceReader } from '../../traces';
import type { LinkIndex } from '../linkIndex';
import type { Link } from '../model';
import { assignSteps, type RanFunctions } from './assign';
import type { RecordedFunction, Recording } from './model';
import { readRecording } from './read';

const MOST_LINKS = 20;
const CONFIRMED = 0.98;
/** A link into a function that did not run, in a step whose functions are known. */
const REFUTED = 0.3;

/** What ran in each step of a run, with the definitions of the harness that the functions are now. */
export interface RecordedRun {
  recording: Recording;
  steps: ReadonlyMap<number, RanFunctions>;
  nodes: ReadonlyMap<number, GraphNode>;
  /** In how many steps each definition ran, by its id. */
  frequency: ReadonlyMap<string, number>;
}

/** The recording beside the trace of a run, joined to its steps; null when there is none or no step can be joined. */
export async function recordedRun(index: LinkIndex, reader: TraceReader): Promise<RecordedRun | null> {
  const recording = await readRecording(reader.run.file);
  if (recording === null) return null;
  const steps = await assignSteps(recording, reader);
  if (steps.size === 0) return null;
  const nodes = new Map<number, GraphNode>();
  for (const [id, recorded] of recording.functions) {
    const node = definitionOf(index, recorded);
    if (node !== undefined) nodes.set(id, node);
  }
  const frequency = new Map<string, number>();
  for (const { counts } of steps.values()) {
    const ids = new Set([...counts.keys()].flatMap((id) => nodes.get(id)?.id ?? []));
    for (const id of ids) frequency.set(id, (frequency.get(id) ?? 0) + 1);
  }
  return { recording, steps, nodes, frequency };
}

/**
 * Links of a step with what the recording says: those that lead into a function that ran are certain, those into one that did
 * not lose most of their confidence, and the other functions that ran follow, the rarest first.
 */
export function withRecorded(index: LinkIndex, recorded: RecordedRun, step: number, links: readonly Link[]): Link[] {
  const ran = recorded.steps.get(step);
  if (ran === undefined) return [...links];
  const times = new Map<string, number>();
  for (const [id, count] of ran.counts) {
    const node = recorded.nodes.get(id);
    if (node !== undefined) times.set(node.id, (times.get(node.id) ?? 0) + count);
  }
  const taken = new Set<string>();
  const judged = links.map((link): Link => {
    const node = index.graph.enclosing(link.file, link.start);
    const isFunction = node?.kind === 'function' || node?.kind === 'method';
    // Templates, configuration and classes are not entered; nothing is said about them.
    if (node === undefined || !isFunction) return link;
    const count = times.get(node.id);
    if (count === undefined)
      return {
        ...link,
        confidence: rounded(link.confidence * REFUTED),
        reason: `${link.reason}; the recording shows that it did not run here`,
      };
    taken.add(node.id);
    const confidence = rounded(Math.max(link.confidence, CONFIRMED * (0.7 + 0.3 * link.confidence)));
    return { ...link, kind: 'recorded', confidence, reason: `ran ${timesIn(count)} here; ${link.reason}` };
  });
  const rest = [...times]
    .flatMap(([id, count]) => {
      const node = index.graph.node(id);
      return node === undefined || taken.has(id) ? [] : [{ node, count, share: shareOf(recorded, id) }];
    })
    .sort((left, right) => left.share - right.share || left.count - right.count)
    .slice(0, MOST_LINKS);
  return [
    ...judged,
    ...rest.map(({ node, count, share }) =>
      index.places.link(
        step,
        'recorded',
        index.places.ofNode(node),
        0.7 - 0.25 * share,
        `ran ${timesIn(count)} here (by ${ran.how})`,
      ),
    ),
  ];
}

/** Part of the steps in which a definition ran, 0 to 1. */
function shareOf({ frequency, steps }: RecordedRun, id: string): number {
  return (frequency.get(id) ?? 1) / steps.size;
}

function timesIn(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function rounded(confidence: number): number {
  return Math.round(Math.min(0.99, confidence) * 100) / 100;
}

/** The definition a recorded function is: the one of its name nearest to its line, else the one around it. */
function definitionOf(index: LinkIndex, { file, name, line }: RecordedFunction): GraphNode | undefined {
  const last = name.split('.').at(-1) ?? name;
  const isCallable = (node: GraphNode) => node.kind === 'function' || node.kind === 'method';
  const named = index.graph.inFile(file).filter((node) => isCallable(node) && node.name === last);
  const nearest = [...named].sort((left, right) => Math.abs(left.start - line) - Math.abs(right.start - line))[0];
  const around = index.graph.enclosing(file, line);
  if (
    nearest !== undefined &&
    (around === undefined || nearest.id === around.id || Math.abs(nearest.start - line) <= 30)
  )
    return nearest;
  return around !== undefined && isCallable(around) ? around : undefined;
}
