import type { Step, TraceRun } from '../traces';
import { configurationLinks } from './configurationLinks';
import type { LinkContext } from './context';
import { frameLinks } from './frameLinks';
import { endLinks, lifecycleLinks } from './lifecycleLinks';
import type { LinkIndex } from './linkIndex';
import { literalLinks, markerLinks } from './literalLinks';
import { type Link, LinkKind } from './model';
import { toolLinks } from './toolLinks';

const MOST_LINKS = 12;
const END_EVENTS = new Set(['submission', 'limit', 'exception']);

/**
 * The harness code behind one step, best first. Text that the harness made (prompts, results, feedback, events) is
 * matched against its literals and searched for tracebacks; text of the model only for markers; called tools lead to
 * their code; last come the units that handle such a step. Empty when there is no evidence.
 */
export function linkStep(index: LinkIndex, step: Step, run: TraceRun, context: LinkContext = {}): Link[] {
  const components = context.components ?? run.components ?? [];
  const known = { ...context, components, componentFiles: context.componentFiles ?? index.filesOf(components) };
  const links: Link[] = [];
  for (const text of harnessTexts(step)) {
    links.push(...frameLinks(index, step.n, text), ...literalLinks(index, step.n, text, known));
    links.push(...configurationLinks(index, step, text));
  }
  for (const call of step.calls) {
    links.push(...toolLinks(index, step.n, call.name, known));
    links.push(
      ...markerLinks(
        index,
        step.n,
        typeof call.args === 'string' ? call.args : (JSON.stringify(call.args) ?? ''),
        known,
      ),
    );
  }
  if (step.kind === 'agent') links.push(...markerLinks(index, step.n, step.text, known));
  for (const name of calledTools(step, known)) links.push(...toolLinks(index, step.n, name, known, 0.5));
  if (step.kind === 'event' && END_EVENTS.has(step.event ?? '')) links.push(...endLinks(index, step, run, known));
  // That a unit handles such steps says nothing new about a function that something surer leads to.
  const handlers = lifecycleLinks(index, step).filter((weak) => !links.some((link) => explains(link, weak)));
  return best([...links, ...handlers]);
}

/** Texts of a step that the harness wrote; of an agent step only the results and feedback it holds. */
function harnessTexts(step: Step): string[] {
  const results = step.results.map((result) => result.text);
  return [...(step.kind === 'agent' ? [] : [step.text]), ...results].filter((text) => text.trim() !== '');
}

/** Tools whose results stand in a step of their own. */
function calledTools(step: Step, context: LinkContext): Set<string> {
  if (step.calls.length > 0) return new Set();
  return new Set(
    step.results.map((result) => context.toolOfCall?.get(result.callId ?? '')).filter((name) => name !== undefined),
  );
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

/** One link a place (the surest), best first; equal confidence by strength of the kind of evidence. */
function best(links: readonly Link[]): Link[] {
  const strength = (link: Link) => LinkKind.options.indexOf(link.kind);
  const ordered = [...links].sort(
    (left, right) => right.confidence - left.confidence || strength(left) - strength(right),
  );
  const seen = new Set<string>();
  return ordered
    .filter((link) => {
      const place = `${link.file}\0${link.symbol}\0${link.start}`;
      const isNew = !seen.has(place);
      seen.add(place);
      return isNew && link.confidence > 0.05;
    })
    .slice(0, MOST_LINKS);
}
