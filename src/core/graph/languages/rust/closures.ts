import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, type SyntaxNode } from '../../syntax/tree';
import { parametersOf } from './definitions';
import { chainOf, codeChildren } from './expressions';
import { bindPattern } from './patterns';

/** Methods that hand elements, or what is inside an option or result, to a closure. */
const handing =
  /^(?:map|for_each|filter|filter_map|flat_map|find|find_map|any|all|and_then|inspect|position|is_some_and|is_ok_and|retain|map_while|take_while|skip_while|partition|then|map_or|map_or_else|sort_by_key|max_by_key|min_by_key|try_for_each|for_each_concurrent|buffered|unwrap_or_else)$/;

/** A closure that `let` gives a name. */
export function openClosure(builder: FactsBuilder, node: SyntaxNode): boolean {
  const { parent } = node;
  const pattern = parent?.type === 'let_declaration' && node.field === 'value' ? childIn(parent, 'pattern') : undefined;
  if (pattern?.type !== 'identifier' || !builder.scope) return false;
  const { tree } = builder;
  const name = tree.text(pattern);
  const parameters = childIn(node, 'parameters');
  const returns = childIn(node, 'return_type');
  builder.openScope(node, {
    kind: 'function',
    name,
    signature: tree.source
      .slice((parameters ?? node).start, (returns ?? parameters ?? node).end)
      .replace(/\s+/g, ' ')
      .slice(0, 500),
    parameters: parameters ? parametersOf(tree, parameters) : [],
    ...(returns ? { returns: tree.shortText(returns) } : {}),
    ...(node.children.some((child) => child.type === 'async') ? { async: true } : {}),
  });
  return true;
}

/** Parameters of a closure without a name are names in the function around it; of `xs.map(|x| ..)` elements of `xs`. */
export function bindClosure(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const parameters = childIn(node, 'parameters');
  if (!parameters) return;
  const call = node.parent?.type === 'arguments' ? node.parent.parent : null;
  const callee = call ? childIn(call, 'function') : undefined;
  const method = callee?.type === 'field_expression' ? tree.text(childIn(callee, 'field') ?? callee) : '';
  const receiver = handing.test(method) ? childIn(callee!, 'value') : undefined;
  const chain = receiver ? chainOf(tree, receiver) : '?';
  const elements = isNamed(chain) ? [`${chain}[]`] : [];
  for (const parameter of codeChildren(parameters)) {
    const pattern = parameter.type === 'parameter' ? childIn(parameter, 'pattern') : parameter;
    const type = childIn(parameter, 'type');
    if (!pattern) continue;
    if (type && pattern.type === 'identifier') builder.local(tree.text(pattern), { type: tree.shortText(type) });
    else bindPattern(builder, pattern, elements);
  }
}
