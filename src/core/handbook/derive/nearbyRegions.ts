import type { GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import type { FoundLoop } from './loops';
import type { Part } from './parts';
import type { Reach } from './reach';
import { guardKind, handlerKind, shortened } from './regionKinds';
import type { Relevance } from './relevance';
import type { Scope } from './scope';
import type { Sources } from './sources';
import { type Statement, statementsOf } from './statements';
import type { Step } from './steps';

/** Loops over attempts of a library: tenacity's `Retrying`, helpers called retry or backoff. */
const retryLoop = /^\s*(?:async\s+)?for\b.*\b(?:\w*Retrying|retry|retries|backoff)\s*\(/i;
const retryDecorator = /\b(?:retry|retrying|backoff)\b/i;
const limitRaise = /\b(?:raise|throw|return)\b[^\n]*(?:Limit|Budget|Exceeded|Timeout|MaxTurns|MaxSteps|exhausted)/;
const lengthTest = /\blen\([^)]*\)\s*>|\.length\s*>|\b(?:size|chars|bytes)\w*\s*>/;
const cut = /\[\s*-?\s*\w*\s*:|\[:|\.slice\(|\.substring\(|truncat|elided|omitted/i;
const limitError = /\b(?:raise|throw)\b[^\n]*(?:Limit|Budget|Exceeded|MaxTurns|MaxSteps)/;
const outputWord = /output|result|observation|content|stdout|text|lines|bytes|chars/i;
const mostCost = 10;
const leastWorth = 1;
/** Longest region; more is the function itself. */
const longest = 30;

const weights: Partial<Record<UnitKind, number>> = {
  limits: 2.4,
  retry: 3,
  stop: 2.2,
  format_error: 2.4,
  truncation: 0.8,
};

export interface NearbyInput {
  graph: ProgramGraph;
  reach: Reach;
  sources: Sources;
  scope: Scope;
  relevance: Relevance;
  loops: readonly FoundLoop[];
  steps: readonly Step[];
}

/**
 * Regions of functions the loop may run, or that a class derived from the loop's puts in its place, which are no statement of
 * a step: a cost limit in the accounting of the model, a retry loop around the request, the handler of an interruption.
 */
export function nearbyRegions(input: NearbyInput): Part[] {
  const { graph, scope, relevance, loops, steps } = input;
  const cutUp = new Set(steps.map((step) => step.node.id));
  const overrides = overridesOf(loops[0]?.node, graph);
  const parts: Part[] = [];
  for (const node of graph.functions()) {
    if (scope.role(node.file) !== 'harness' && !overrides.has(node.id)) continue;
    const cost = relevance.fromLoop(node.id);
    if (!overrides.has(node.id) && (cost === undefined || cost > mostCost)) continue;
    const worth = relevance.of(node) + (overrides.has(node.id) ? 1.5 : 0);
    if (worth < leastWorth) continue;
    visit(node, worth, cutUp.has(node.id), input, parts);
  }
  return parts;
}

/** Methods of classes that derive from the class of the loop, directly or through others. */
function overridesOf(loop: GraphNode | undefined, graph: ProgramGraph): Set<string> {
  const found = new Set<string>();
  const at = loop?.qualname.lastIndexOf('.') ?? -1;
  if (!loop || at === -1) return found;
  const queue = [`${loop.file}#${loop.qualname.slice(0, at)}`];
  for (let index = 0; index < queue.length && index < 50; index++) {
    for (const edge of graph.in(queue[index] as string, 'inherits')) {
      if (queue.includes(edge.from)) continue;
      queue.push(edge.from);
      for (const member of graph.out(edge.from, 'contains')) found.add(member.to);
    }
  }
  return found;
}

function visit(node: GraphNode, worth: number, isCutUp: boolean, input: NearbyInput, parts: Part[]): void {
  const { sources } = input;
  const add = (kind: UnitKind, start: number, end: number, detail: string, reason: string): void => {
    const score = (weights[kind] ?? 2) + 0.7 * worth + regionWorth(kind, node, start, end, input);
    parts.push({ kind, node, region: { start, end, detail }, score, reason: `${reason} (${node.file}:${start})` });
  };
  const decorator = node.decorators?.find((text) => retryDecorator.test(text));
  if (decorator)
    add(
      'retry',
      node.start,
      Math.min(node.end, node.start + longest),
      'decorator',
      `is repeated: \`${shortened(decorator)}\``,
    );
  for (const range of node.loops ?? []) {
    const header = sources.lines(node.file)[range.start - 1] ?? '';
    const body = sources.text(node.file, range.start, range.end);
    if (!retryLoop.test(header) && !waitsAfterError(body)) continue;
    add('retry', range.start, range.end, 'attempts', `repeats a call: \`${shortened(header)}\``);
    break;
  }
  const walk = (statements: readonly Statement[]): void => {
    for (const statement of statements) {
      const text = sources.text(node.file, statement.start, statement.end);
      const short = statement.end - statement.start < longest;
      const guard = short && limitRaise.test(text) ? guardKind(statement, text) : undefined;
      const hasInner = statement.clauses.some((clause) => clause.body.some((inner) => inner.clauses.length > 0));
      const isLimit = guard && (guard.kind === 'limits' || limitError.test(text));
      if (isLimit && !hasInner && !isCutUp) {
        const reason = `leaves by an error when a limit is passed: \`${shortened(statement.header)}\``;
        add('limits', statement.start, statement.end, guard.detail, reason);
        continue;
      }
      if (
        short &&
        /^(?:\}\s*)?(?:if|elif|else if)\b/.test(statement.header) &&
        lengthTest.test(text) &&
        outputWord.test(text) &&
        cut.test(text)
      ) {
        add(
          'truncation',
          statement.start,
          statement.end,
          statement.header,
          `cuts what is too long: \`${shortened(statement.header)}\``,
        );
        continue;
      }
      for (const clause of statement.clauses) {
        const clauseText = sources.text(node.file, clause.start, clause.end);
        const handler = isCutUp ? undefined : handlerKind(clause.header, clauseText);
        if (handler && (handler.kind === 'stop' || handler.kind === 'format_error'))
          add(handler.kind, clause.start, clause.end, handler.detail, handler.reason);
        walk(clause.body);
      }
    }
  };
  if (node.end - node.start < 800) walk(statementsOf(sources.lines(node.file), node.start + 1, node.end));
}

/** What the text of a region adds: limits of the run weigh more than those of a request, retries those of a request. */
function regionWorth(
  kind: UnitKind,
  node: GraphNode,
  start: number,
  end: number,
  { sources, reach }: NearbyInput,
): number {
  if (kind === 'retry') return (reach.model.get(node.id) ?? 9) <= 3 ? 0.8 : -1.5;
  if (kind === 'limits')
    return /cost|budget|turns?|steps?|calls|iterations/i.test(sources.text(node.file, start, end)) ? 0.8 : 0;
  return 0;
}

/** A short loop that catches an error and waits before it goes on. */
function waitsAfterError(body: string): boolean {
  if (body.length >= 3000 || !/\b(?:[sS]leep|setTimeout|delay|backoff|wait)\s*\(/.test(body)) return false;
  if (/\b(?:except|catch)\b/.test(body)) return true;
  // Where errors are values every loop looks at them; one that repeats a call counts its attempts.
  return /\bErr\(|\berr\s*[!=]=\s*nil\b/.test(body) && /attempt|retr(?:y|ies)|tries/i.test(body);
}
