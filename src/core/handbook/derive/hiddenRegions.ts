import type { GraphNode, ProgramGraph } from '../../graph';
import { isExampleFile, isForeignFile, isInterfaceFile, isTestFile } from '../vocabulary';
import type { Drafts } from './drafts';
import { guardKind, shortened } from './regionKinds';
import type { Sources } from './sources';
import { type Statement, statementsOf } from './statements';
import type { Step } from './steps';

/** Loops over attempts of a library: tenacity's `Retrying`, helpers called retry or backoff. */
const retryLoop = /^\s*(?:async\s+)?for\b.*\b(?:\w*Retrying|retry|retries|backoff)\s*\(/i;
const limitRaise = /\b(?:raise|throw)\b[^\n]*(?:Limit|Budget|Exceeded|Timeout|MaxTurns|MaxSteps)/;

/**
 * Limits and retries that are regions of functions the loop may run, but no statement of its own steps: a cost limit in the
 * model's accounting, a retry loop around the request. Functions that are such a unit as a whole are left out.
 */
export function gatherHiddenRegions(
  drafts: Drafts,
  graph: ProgramGraph,
  sources: Sources,
  inLoop: ReadonlySet<string>,
  steps: readonly Step[],
  loop: string | undefined,
): void {
  const cut = new Set(steps.map((step) => step.node.id));
  for (const id of [...inLoop].sort()) {
    const node = graph.node(id);
    if (!node || id === loop || isTestFile(node.file) || isForeignFile(node.file)) continue;
    if (isExampleFile(node.file) || isInterfaceFile(node.file)) continue;
    const home = drafts.get(drafts.homeOf(id) ?? '')?.kind;
    if (!cut.has(id) && home !== 'limits') gatherLimits(drafts, node, sources);
    if (home !== 'retry') gatherRetries(drafts, node, sources);
  }
}

/** A short loop that catches an error and waits before it goes on. */
function waitsAfterError(body: string): boolean {
  return (
    body.length < 3000 &&
    /\b(?:except|catch)\b/.test(body) &&
    /\b(?:sleep|setTimeout|delay|backoff|wait)\s*\(/.test(body)
  );
}

function gatherLimits(drafts: Drafts, node: GraphNode, sources: Sources): void {
  const text = sources.text(node.file, node.start, node.end);
  if (!limitRaise.test(text)) return;
  const guards: Statement[] = [];
  const visit = (statements: readonly Statement[]): void => {
    for (const statement of statements) {
      const own = sources.text(node.file, statement.start, statement.end);
      if (!limitRaise.test(own)) continue;
      const before = guards.length;
      for (const clause of statement.clauses) visit(clause.body);
      // The innermost guard is the check; what is around it only leads there.
      if (guards.length === before && guardKind(statement, own)) guards.push(statement);
    }
  };
  visit(statementsOf(sources.lines(node.file), node.start + 1, node.end));
  const first = guards[0];
  const last = guards.at(-1);
  if (!first || !last) return;
  const guard = guardKind(first, sources.text(node.file, first.start, first.end));
  const draft = drafts.region('limits', node, first.start, last.end, guard?.detail ?? node.name);
  draft.reasons.push(
    `leaves by an error when a limit is passed: \`${shortened(first.header)}\` (${node.file}:${first.start})`,
  );
}

function gatherRetries(drafts: Drafts, node: GraphNode, sources: Sources): void {
  for (const range of node.loops ?? []) {
    const header = sources.lines(node.file)[range.start - 1] ?? '';
    const body = sources.text(node.file, range.start, range.end);
    if (!retryLoop.test(header) && !waitsAfterError(body)) continue;
    const draft = drafts.region('retry', node, range.start, range.end, 'attempts');
    draft.reasons.push(`repeats a call: \`${shortened(header)}\` (${node.file}:${range.start})`);
    return;
  }
}
