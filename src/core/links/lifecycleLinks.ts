import type { GraphNode } from '../graph';
import type { Unit, UnitKind } from '../handbook';
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
/** Of more units than this one cannot say which handled the step. */
const MOST_UNITS = 3;

/** Weak links from the kind of a step to the handbook units that handle such steps; no text of the step is needed. */
export function lifecycleLinks(index: LinkIndex, step: Step, context: LinkContext = {}): Link[] {
  const links: Link[] = [];
  const what = step.event ?? step.kind;
  const kinds = HANDLERS[step.event ?? ''] ?? HANDLERS[step.kind] ?? [];
  const handlers = step.startsRun === undefined ? kinds : [...kinds, ...(HANDLERS.subagent ?? [])];
  for (const [rank, kind] of handlers.entries()) {
    const { units, why } = likely(index, index.places.ofKind(kind), context);
    if (units.length > MOST_UNITS) continue;
    for (const unit of units) {
      const site = unit.sites[0];
      if (site === undefined) continue;
      const also = units.length > 1 ? `, one of ${units.length} such units` : '';
      const reason = `the handbook unit "${unit.title}" handles steps of the kind ${what}${why}${also}; nothing in the text shows it`;
      links.push(
        index.places.link(step.n, 'lifecycle', site, (rank === 0 ? 0.32 : 0.22) / Math.min(2, units.length), reason),
      );
    }
  }
  return links;
}

/** Units in files that the trace names, else those the agent loop runs through, else all. */
function likely(index: LinkIndex, all: readonly Unit[], context: LinkContext): { units: Unit[]; why: string } {
  const units = all.filter((unit) => !onlyRepeats(unit.sites[0]?.file ?? ''));
  const named = units.filter((unit) => context.componentFiles?.has(unit.sites[0]?.file ?? ''));
  if (named.length > 0) return { units: named, why: ', in a file that the trace names' };
  const inLoop = units.filter((unit) => index.places.isInLoop(unit.id));
  if (inLoop.length > 0) return { units: inLoop, why: ', and the agent loop runs it' };
  return { units, why: '' };
}

/**
 * For the step that ends a run: what raises the exception its status is named after, the class, and what handles it. Where
 * the exception carries the message, as it does when the status stands beside it, what raises it comes first; else what
 * handles it made the message.
 */
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
      let carries = false;
      for (const edge of (own.length > 0 ? own : raised).slice(0, 2)) {
        const maker = index.graph.node(edge.from);
        if (maker === undefined || maker.file !== edge.file) continue;
        carries ||= /\{/.test(edge.text ?? '') || statesNear(index, status ?? '', edge);
        const place = { ...index.places.ofNode(maker), start: edge.line, end: edge.line };
        const others = raised.length - 1;
        const also = own.length === 0 && others > 0 ? `; raised in ${others} other places too` : '';
        const reason = `raises ${status}, the status this run ended with${also}`;
        links.push(index.places.link(step.n, 'lifecycle', place, also === '' ? 0.62 : 0.55, reason));
      }
      const reason = `the class ${status} is the status this run ended with`;
      links.push(index.places.link(step.n, 'lifecycle', index.places.ofNode(node), 0.5, reason));
      links.push(...handlersOf(index, step.n, node, carries ? 0.45 : 0.66));
    }
  }
  return links;
}

/** For a score: the scorer with the name the score has. */
export function scoreLinks(index: LinkIndex, step: Step, run: TraceRun): Link[] {
  return Object.keys(run.scores ?? {}).flatMap((name) =>
    index
      .definitionsNamed(name)
      .filter((node) => node.kind === 'function' && node.name === name && !onlyRepeats(node.file))
      .slice(0, 1)
      .map((node) =>
        index.places.link(
          step.n,
          'lifecycle',
          index.places.ofNode(node),
          0.6,
          `the scorer ${name} gave a score of this run`,
        ),
      ),
  );
}

/** Whether the name of the status also stands as a string in or just below the statement that raises it. */
function statesNear(index: LinkIndex, status: string, edge: { file: string; line: number }): boolean {
  return index
    .named(status)
    .some(({ file, start }) => file === edge.file && start >= edge.line && start <= edge.line + 12);
}

/** Where the agent loop catches the exception, or one it is derived from. */
function handlersOf(index: LinkIndex, step: number, node: GraphNode, confidence: number): Link[] {
  const names = new Set([node.name]);
  let open = [node.id];
  for (let depth = 0; depth < 4 && open.length > 0; depth += 1) {
    open = open.flatMap((id) => index.graph.out(id, 'inherits').map((edge) => edge.to));
    for (const id of open) names.add(index.graph.node(id)?.name ?? '');
  }
  const seen = new Set<string>();
  return index.places.map.units.flatMap((unit) => {
    if (unit.kind !== 'main_loop' && unit.kind !== 'termination' && unit.kind !== 'loop_step') return [];
    return (unit.failures ?? []).flatMap(({ does, name, file, line }) => {
      const catches = does === 'handles' && (name ?? '').split(/[\s,()|.]+/).some((one) => names.has(one));
      if (!catches || onlyRepeats(file) || seen.has(`${file}:${line}`)) return [];
      seen.add(`${file}:${line}`);
      const place = index.places.ofLines(file, line, line);
      return [index.places.link(step, 'lifecycle', place, confidence, `catches ${name}, which the run ended with`)];
    });
  });
}
