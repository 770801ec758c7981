import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, type SyntaxNode } from '../../syntax/tree';
import { openClass } from './definitions';
import { declaredType, typeText, valuesOf } from './expressions';
import { keyText } from './functionNames';
import { addHeldIn } from './held';

/** An object type is an interface; any other alias is a name for its type. */
export function openAlias(builder: FactsBuilder, node: SyntaxNode): void {
  const name = childIn(node, 'name');
  const value = childIn(node, 'value');
  if (!name || !value) return;
  if (value.type === 'object_type') openClass(builder, node);
  else builder.local(builder.tree.text(name), { type: typeText(builder.tree, value), alias: true });
}

/** A property of an interface or object type that is the body of an open one. */
export function addProperty(builder: FactsBuilder, node: SyntaxNode): void {
  const owner = builder.symbol;
  const name = childIn(node, 'name');
  const type = childIn(node, 'type');
  const isOwn = node.parent?.parent?.type !== 'type_annotation';
  if (owner?.kind !== 'class' || !name || !isOwn) return;
  const fact = { owner: owner.qualname, name: keyText(builder.tree, name) };
  const optional = node.children.some((child) => child.type === '?');
  builder.attribute(node, {
    ...fact,
    ...(type ? { type: typeText(builder.tree, type) } : {}),
    ...(optional ? { optional } : {}),
  });
}

/** A class field that is not a function. */
export function addField(builder: FactsBuilder, node: SyntaxNode): void {
  const owner = builder.symbol;
  const name = childIn(node, 'name') ?? childIn(node, 'property');
  const value = childIn(node, 'value');
  if (owner?.kind !== 'class' || !name) return;
  if (value && /^(arrow_function|function_expression|generator_function)$/.test(value.type)) return;
  const { tree } = builder;
  const type = childIn(node, 'type');
  const values = valuesOf(tree, value);
  const detail = builder.detail(value);
  builder.attribute(node, {
    owner: owner.qualname,
    name: keyText(tree, name),
    ...declaredType(tree, type, value),
    ...(values.length > 0 ? { values } : {}),
    ...(detail ? { detail } : {}),
  });
  addHeldIn(builder, `this.${keyText(tree, name)}`, value);
  if (value) builder.write(name, `this.${keyText(tree, name)}`, node);
}
