import type { UnitKind } from '../handbook';
import type { Step, TraceRun } from '../traces';
import type { LinkContext } from './context';
import type { LinkIndex } from './linkIndex';
import type { Link } from './model';
import { onlyRepeats } from './pathClass';

/** Unit kinds that handle a kind of step, the likeliest first. */
const HANDLERS: Record<string, readonly UnitKind[]> = {
  system: ['system_prompt', 'prompt_assembly'],
  user: ['prompt_assembly', 'entry'],
  agent: ['model_call', 'response_parse'],
  tool: ['observation', 'tool_dispatch'],
  format_error: ['format_error', 'response_parse'],
  limit: ['limits', 'termination'],
  compaction: ['compaction'],
  compaction_summary: ['compaction'],
  submission: ['tool_submit', 'termination', 'main_loop'],
  exception: ['retry', 'stop', 'termination'],
  truncation: ['truncation'],
  subagent: ['subagents'],
};
const MOST_PER_KIND = 2;

/** Weak links from the kind of a step to the handbook units that handle such steps; no text of the step is needed. */
export function lifecycleLinks(index: LinkIndex, step: Step): Link[] {
  const links: Link[] = [];
  const what = step.event ?? step.kind;
  const kinds = HANDLERS[step.event ?? ''] ?? HANDLERS[step.kind] ?? [];
  const handlers = step.startsRun === undefined ? kinds : [...kinds, ...(HANDLERS.subagent ?? [])];
  for (const [rank, kind] of handlers.entries()) {
    const units = index.places.ofKind(kind);
    for (const unit of units.slice(0, MOST_PER_KIND)) {
      const site = unit.sites[0];
      if (site === undefined) continue;
      const also = units.length > 1 ? `, one of ${units.length} such units` : '';
      const reason = `the handbook unit "${unit.title}" handles steps of the kind ${what}${also}; nothing in the text shows it`;
      links.push(
        index.places.link(step.n, 'lifecycle', site, (rank === 0 ? 0.32 : 0.22) / Math.min(2, units.length), reason),
      );
    }
  }
  return links;
}

/** For the step that ends a run: the exception class that its status is named after, and what raises it. */
export function endLinks(index: LinkIndex, step: Step, run: TraceRun, context: LinkContext): Link[] {
  const said = [run.exitStatus, run.outcome.exception, step.text.trim()];
  const statuses = new Set(said.filter((name) => name !== null && /^[A-Z]\w{3,60}$/.test(name)));
  const links: Link[] = [];
  for (const status of statuses) {
    const classes = index
      .definitionsNamed(status ?? '')
      .filter((node) => node.kind === 'class' && node.name === status);
    for (const node of classes.slice(0, 2)) {
      const raised = index.graph.in(node.id, 'constructs').filter((edge) => !onlyRepeats(edge.file));
      const own = raised.filter((edge) => context.componentFiles?.has(edge.file));
      for (const edge of (own.length > 0 ? own : raised).slice(0, 2)) {
        const maker = index.graph.node(edge.from);
        if (maker === undefined || maker.file !== edge.file) continue;
        const place = { ...index.places.ofNode(maker), start: edge.line, end: edge.line };
        const others = raised.length - 1;
        const also = own.length === 0 && others > 0 ? `; raised in ${others} other places too` : '';
        const reason = `raises ${status}, the status this run ended with${also}`;
        links.push(index.places.link(step.n, 'lifecycle', place, also === '' ? 0.62 : 0.55, reason));
      }
      const reason = `the class ${status} is the status this run ended with`;
      links.push(index.places.link(step.n, 'lifecycle', index.places.ofNode(node), 0.5, reason));
    }
  }
  return links;
}
