import type { Step, TraceRun } from '../traces';
import { configurationLinks } from './configurationLinks';
import type { LinkContext } from './context';
import { frameLinks } from './frameLinks';
import { endLinks, lifecycleLinks, scoreLinks } from './lifecycleLinks';
import type { LinkIndex } from './linkIndex';
import { literalLinks } from './literalLinks';
import { markerLinks, tagLinks } from './markers';
import { type Link, LinkKind } from './model';
import { recordLinks } from './recordLinks';
import { partsOf, type StepPart } from './stepParts';
import { toolLinks } from './toolLinks';

const MOST_LINKS = 12;
const END_EVENTS = new Set(['submission', 'limit', 'exception']);

/**
 * The harness code behind one step, best first. Text that the harness made (prompts, results, feedback, events) is
 * matched against its literals and searched for tracebacks; text of the model only for markers and whole templates; called
 * tools lead to their code; last come the units that handle such a step. Empty when there is no evidence.
 */
export function linkStep(index: LinkIndex, step: Step, run: TraceRun, context: LinkContext = {}): Link[] {
  const components = context.components ?? [...(run.components ?? []), ...index.classesNamed(run.agent)];
  const known = { ...context, components, componentFiles: context.componentFiles ?? index.filesOf(components) };
  const links: Link[] = [];
  for (const [at, call] of step.calls.entries()) {
    const called = toolLinks(index, step.n, call.name, known);
    links.push(...called.map((link) => ({ ...link, part: { of: 'call' as const, at } })));
  }
  for (const part of partsOf(step, known)) links.push(...linksOfPart(index, step, part, known));
  if (step.kind === 'event' && END_EVENTS.has(step.event ?? '')) links.push(...endLinks(index, step, run, known));
  if (step.kind === 'event' && step.event === 'score') links.push(...scoreLinks(index, step, run));
  // That a unit handles such steps, or names keys of such records, says nothing new about a function that something
  // surer leads to.
  const weak = context.record === undefined ? [] : recordLinks(index, step.n, context.record);
  for (const link of [...weak, ...lifecycleLinks(index, step, known)])
    if (!links.some((surer) => explains(surer, link))) links.push(link);
  return best(links);
}

function linksOfPart(index: LinkIndex, step: Step, part: StepPart, context: LinkContext): Link[] {
  if (part.of === 'reasoning') return [];
  const marked = part.voice === 'harness' ? [] : markerLinks(index, step.n, part, context);
  if (part.voice === 'arguments') return marked;
  const tool = part.tool === undefined ? [] : toolLinks(index, step.n, part.tool, context, 0.5);
  const literal = literalLinks(index, step.n, part, {
    ...context,
    near: sourcesOf(tool),
    result: part.of === 'result',
    failed: part.failed === true,
  });
  if (part.voice === 'model') return [...marked, ...literal];
  const at = { of: part.of, at: part.at };
  return [
    ...frameLinks(index, step.n, part.text, context.roots).map((link) => ({ ...link, part: at })),
    ...literal,
    ...tagLinks(index, step.n, part),
    ...configurationLinks(index, step, part.text).map((link) => ({ ...link, part: at })),
    ...(step.calls.length > 0 ? [] : tool.map((link) => ({ ...link, part: at }))),
  ];
}

/** Files of a tool; a guess by name is none. */
function sourcesOf(tool: readonly Link[]): ReadonlySet<string> {
  return new Set(tool.filter((link) => link.confidence >= 0.2).map((link) => link.file));
}

/** Whether a link leads at least as surely into the same unit of the same function; another region of it is news. */
function explains(link: Link, weak: Link): boolean {
  return (
    link.file === weak.file &&
    link.symbol === weak.symbol &&
    link.unit === weak.unit &&
    link.confidence >= weak.confidence
  );
}

/** Whether a surer link leads to lines inside of the function that the wide one names, by the same part of the step. */
function narrows(link: Link, wide: Link): boolean {
  const within = link.start >= wide.start && link.end <= wide.end;
  const samePart = link.part?.of === wide.part?.of && link.part?.at === wide.part?.at;
  return wide.symbol !== '' && link.file === wide.file && link.symbol === wide.symbol && within && samePart;
}

/**
 * One link a place (the surest), best first; equal confidence by strength of the kind of evidence. A whole function is
 * left out where a surer link by the same part of the step leads to lines of it.
 */
function best(links: readonly Link[]): Link[] {
  const strength = (link: Link) => LinkKind.options.indexOf(link.kind);
  const ordered = [...links].sort(
    (left, right) => right.confidence - left.confidence || strength(left) - strength(right),
  );
  const seen = new Set<string>();
  const kept: Link[] = [];
  for (const link of ordered) {
    const place = `${link.file}\0${link.symbol}\0${link.start}`;
    if (seen.has(place) || link.confidence <= 0.05) continue;
    seen.add(place);
    if (!kept.some((surer) => narrows(surer, link))) kept.push(link);
    if (kept.length === MOST_LINKS) break;
  }
  return kept;
}
