import type { GraphEdge, GraphNode } from '../../graph';
import type { UnitKind } from '../model';
import { type RegionKind, shortened } from './regionKinds';
import type { Statement } from './statements';

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
