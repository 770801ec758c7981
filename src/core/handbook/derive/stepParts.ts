import type { GraphEdge, GraphNode, ProgramGraph } from '../../graph';
import type { UnitKind } from '../model';
import type { FoundLoop } from './loops';
import { isFunction, type Reach } from './reach';
import { type RegionKind, shortened } from './regionKinds';
import type { Statement } from './statements';
import { isDispatch } from './suspects';

/** Whether one call is an argument of another on the same line. */
export function contains(outer: GraphEdge, inner: GraphEdge): boolean {
  return outer.line === inner.line && outer.text !== inner.text && (outer.text ?? '').includes(inner.text ?? '\0');
}

/** Class or file that a function stands in. */
export function owner(node: GraphNode): string {
  const at = node.qualname.lastIndexOf('.');
  return at === -1 ? `${node.file}#` : `${node.file}#${node.qualname.slice(0, at)}`;
}

/** Region that crosses a boundary or leads to one. */
export function found(kind: UnitKind, text: string): RegionKind {
  const words: Partial<Record<UnitKind, string>> = {
    model_call: 'asks the model',
    exec_boundary: 'starts a process',
    tool_dispatch: 'carries out an action',
  };
  return { kind, detail: shortened(text), reason: `${words[kind] ?? 'calls'}: \`${shortened(text)}\`` };
}

/** A statement of which nothing else is known. */
export function plain(statement: Statement): RegionKind {
  return {
    kind: 'loop_step',
    detail: shortened(statement.header),
    reason: `keeps the loop's state: \`${shortened(statement.header)}\``,
  };
}

/** A count or flag that is set: state of the loop, even in a function the loop calls. */
export function isCounter(region: RegionKind): boolean {
  return /^(?:self|this)\.[\w.]+\s*(?:[-+]=|=\s*(?:True|False|true|false|None|null|0)\b)/.test(region.detail);
}

/** Kinds a call inside the loop may give to the statement that makes it, strongest first. */
export const callKinds: UnitKind[] = [
  'compaction',
  'subagents',
  'response_parse',
  'permission',
  'observation',
  'truncation',
  'format_error',
  'limits',
  'termination',
  'prompt_assembly',
  'memory_files',
  'retry',
  'trajectory',
  'accounting',
];

/** Whether a call on the loop's lines, or in functions of its class or file, hands the actions of the answer on. */
export function dispatchesIn(loop: FoundLoop, { reach, graph }: { reach: Reach; graph: ProgramGraph }): boolean {
  const isOne = (from: string, start: number, end: number): boolean =>
    reach.calls(from).some((edge) => edge.line >= start && edge.line <= end && isDispatch(edge.text ?? '')) ||
    (reach.suspects.get(from) ?? []).some(
      (call) => call.line >= start && call.line <= end && call.kind === 'execution',
    );
  if (isOne(loop.node.id, loop.start, loop.end)) return true;
  return reach.calls(loop.node.id).some((edge) => {
    const callee = graph.node(edge.to);
    if (!isFunction(callee) || edge.line < loop.start || edge.line > loop.end) return false;
    return callee.file === loop.node.file && isOne(callee.id, callee.start, callee.end);
  });
}

/** Whether a call leads to one of the two boundaries by fewer hops than to the other. */
export function isNearer({ to }: GraphEdge, kind: 'model' | 'execution', { model, execution }: Reach): boolean {
  const [own, other] = kind === 'model' ? [model, execution] : [execution, model];
  return (own.get(to) ?? Number.POSITIVE_INFINITY) < (other.get(to) ?? Number.POSITIVE_INFINITY);
}
