import type { GraphNode } from '../../graph';
import type { UnitKind } from '../model';
import type { FoundLoop } from './loops';
import { isFunction } from './reach';
import { shortened } from './regionKinds';
import type { Step, StepInput } from './steps';

/** What a callback of a loop in a library is for, by the name of its option. */
const callbackKinds: [RegExp, UnitKind][] = [
  [/prepare/i, 'prompt_assembly'],
  [/stop_?when|max_?(?:steps|turns|iterations)/i, 'termination'],
  [/retry/i, 'retry'],
  [/permission|canUseTool|approv/i, 'permission'],
  [/tool_?(?:result|output|end|finish)/i, 'observation'],
  [/tool/i, 'tool_dispatch'],
  [/step_?(?:finish|end)|finish|usage/i, 'accounting'],
];
const optionLine =
  /^(\s*)["']?(prepare_?step|on_?[A-Z_]\w*|on[A-Z]\w*|On[A-Z]\w*|Prepare\w+|stop_?when|max_?(?:steps|turns|iterations)|canUseTool|callbacks|hooks)["']?\s*[:=(]/i;

/** Steps of a call that hands a library the body of its loop: the call itself, then one region for each callback. */
export function librarySteps(loop: FoundLoop, { graph, sources, kinds, reach }: StepInput): Step[] {
  const { node, start, end } = loop;
  const lines = sources.lines(node.file);
  const keys: { line: number; name: string; indent: number }[] = [];
  for (let line = start; line <= end; line++) {
    const found = optionLine.exec(lines[line - 1] ?? '');
    if (found) keys.push({ line, name: found[2] as string, indent: (found[1] as string).length });
  }
  const indent = Math.min(...keys.map((key) => key.indent));
  const outer = keys.filter((key) => key.indent === indent);
  const steps: Step[] = [
    {
      kind: 'model_call',
      node,
      start,
      end: Math.max(start, (outer[0]?.line ?? start + 1) - 1),
      detail: shortened(lines[start - 1] ?? ''),
      phase: 'loop',
      reason: `hands the loop to a library: \`${shortened(lines[start - 1] ?? '')}\` (${node.file}:${start})`,
    },
  ];
  for (const [index, key] of outer.entries()) {
    const last = (outer[index + 1]?.line ?? end) - 1;
    const kind = callbackKinds.find(([pattern]) => pattern.test(key.name))?.[1] ?? 'loop_step';
    const reason = `the library calls \`${key.name}\` in its loop (${node.file}:${key.line})`;
    const region: Step = {
      kind,
      node,
      start: key.line,
      end: Math.max(key.line, last),
      detail: key.name,
      phase: 'loop',
      reason,
    };
    // Preparing a step comes before the request.
    if (/^prepare/i.test(key.name)) steps.splice(0, 0, region);
    else steps.push(region);
    for (const callee of calledIn(node, key.line, last)) {
      const own = kinds.get(callee.id)?.kind ?? 'loop_step';
      const whole: Step = {
        kind: own,
        node: callee,
        start: callee.start,
        end: callee.end,
        whole: true,
        phase: 'loop',
        detail: callee.qualname,
        reason,
      };
      steps.splice(steps.indexOf(region) + 1, 0, whole);
    }
  }
  return steps;

  function calledIn(from: GraphNode, first: number, last: number): GraphNode[] {
    const owner = from.qualname.slice(0, Math.max(0, from.qualname.lastIndexOf('.')));
    const inside = [
      from.id,
      ...reach
        .calls(from.id)
        .filter((edge) => edge.kind === 'contains')
        .map((edge) => edge.to),
    ];
    const found = inside
      .flatMap((id) => reach.calls(id))
      .filter((edge) => edge.kind === 'calls' && edge.line >= first && edge.line <= last)
      .flatMap((edge) => graph.node(edge.to) ?? [])
      .filter((callee) => isFunction(callee) && callee.file === from.file && callee.qualname.startsWith(`${owner}.`));
    return [...new Set(found)].slice(0, 3);
  }
}
