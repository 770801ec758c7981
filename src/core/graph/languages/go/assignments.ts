import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childrenIn, namedChildren, type SyntaxNode } from '../../syntax/tree';
import { docOf, isExported } from './definitions';
import { chainOf, elementType, holds, plainOf, typeOfValue, valuesOf } from './expressions';

/** `var a, b T = x, y` and `const a = x`: state of the package, or locals. */
export function declare(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const type = childIn(node, 'type');
  const values = namedChildren(childIn(node, 'value') ?? node).filter((child) => child.field === '');
  const names = childrenIn(node, 'name').filter((child) => child.named);
  for (const [at, name] of names.entries()) {
    const text = tree.text(name);
    if (text === '_') continue;
    const value = childIn(node, 'value') ? values[at] : undefined;
    if (!builder.scope) addVariable(builder, node, text, value);
    bind(builder, name, node, { type: type ? tree.shortText(type) : undefined, value, at, from: values, names });
  }
}

function addVariable(builder: FactsBuilder, node: SyntaxNode, name: string, value: SyntaxNode | undefined): void {
  if (value?.type === 'func_literal') return;
  const detail = builder.detail(value);
  const doc = docOf(builder.tree, node);
  builder.add(node, {
    kind: 'variable',
    name,
    ...(detail ? { detail } : {}),
    ...(doc ? { doc } : {}),
    ...(isExported(name) ? { exported: true } : {}),
  });
}

/** `a, b := x, y`, `a.b = c`, `a += 1`, `a++`. */
export function assign(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const left = childIn(node, 'left');
  if (!left) {
    const [counted] = namedChildren(node);
    if (counted) writeBack(builder, counted, node);
    return;
  }
  const targets = namedChildren(left);
  const operator = childIn(node, 'operator')?.type ?? '=';
  if (operator !== '=' && node.type === 'assignment_statement') {
    for (const target of targets) writeBack(builder, target, node);
    return;
  }
  const right = childIn(node, 'right');
  const values = right?.type === 'expression_list' ? namedChildren(right) : right ? [right] : [];
  for (const [at, target] of targets.entries()) {
    const value = values.length === targets.length ? values[at] : undefined;
    if (target.type === 'identifier') {
      if (tree.text(target) !== '_') bind(builder, target, node, { value, at, from: values, names: targets });
    } else write(builder, target, node);
  }
}

/** A write that reads first: `a.count += 1`, `a.count++`. */
function writeBack(builder: FactsBuilder, target: SyntaxNode, statement: SyntaxNode): void {
  const chain = chainOf(builder.tree, innermost(target));
  if (isNamed(chain)) builder.read(target, chain);
  write(builder, target, statement);
}

interface Bound {
  type?: string | undefined;
  value: SyntaxNode | undefined;
  /** Position among the names, and everything on the right. */
  at: number;
  names: readonly SyntaxNode[];
  from: readonly SyntaxNode[];
}

function bind(builder: FactsBuilder, name: SyntaxNode, statement: SyntaxNode, bound: Bound): void {
  const { tree } = builder;
  const text = tree.text(name);
  const type = bound.type ?? typeOfValue(tree, bound.value);
  const isNew = statement.type !== 'assignment_statement';
  const values = bound.value ? valuesOf(tree, bound.value) : resultOf(builder, bound);
  const own = values.filter((chain) => chain !== text);
  if (isNew || (builder.scope && own.length > 0)) builder.local(text, { ...(type ? { type } : {}), values: own });
  if (!builder.scope || !isNew) {
    if (bound.value || !isNew) builder.write(name, text, statement);
  }
}

/** What one of several names gets from a single call, assertion or receive. */
function resultOf(builder: FactsBuilder, { at, names, from }: Bound): string[] {
  const [only] = from;
  if (names.length < 2 || from.length !== 1 || !only) return [];
  const chain = chainOf(builder.tree, only);
  if (!isNamed(chain)) return [];
  if (at === 0) return [chain];
  return plainOf(only)?.type === 'call_expression' && chain.endsWith('()') ? [`${chain.slice(0, -2)}(${at})`] : [];
}

/** `for k, v := range x`: the second name stands for an element. */
export function bindRange(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const targets = namedChildren(childIn(node, 'left') ?? node).filter((child) => child.field === '');
  const elements = valuesOf(tree, childIn(node, 'right')).map((chain) => `${chain}[]`);
  for (const [at, target] of childIn(node, 'left') ? targets.entries() : []) {
    if (target.type !== 'identifier') write(builder, target, node);
    else if (tree.text(target) !== '_') builder.local(tree.text(target), at === 1 ? { values: elements } : {});
  }
}

/** `switch t := x.(type)`: the name may be of every type of the cases. */
export function bindTypeSwitch(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const [alias] = namedChildren(childIn(node, 'alias') ?? node);
  if (!childIn(node, 'alias') || alias?.type !== 'identifier') return;
  const types = node.children.filter((child) => child.type === 'type_case').flatMap((each) => childrenIn(each, 'type'));
  const values = types.map((type) => `${chainOf(tree, type)}()`).filter(isNamed);
  builder.local(tree.text(alias), { values });
}

/** Fields that a struct literal sets: what they hold, and that they are written. */
export function addLiteralFields(builder: FactsBuilder, body: SyntaxNode): void {
  const { tree } = builder;
  const { parent } = body;
  if (parent?.type === 'composite_literal' && holds(parent)) return;
  const type = parent?.type === 'composite_literal' ? childIn(parent, 'type') : elementType(body);
  const owner = type ? chainOf(tree, type) : '?';
  if (!isNamed(owner)) return;
  for (const element of namedChildren(body)) {
    if (element.type !== 'keyed_element') continue;
    const key = namedChildren(childIn(element, 'key') ?? element)[0];
    const value = childIn(element, 'value');
    if (key?.type !== 'identifier' || !value) continue;
    const name = tree.text(key);
    const values = valuesOf(tree, value);
    if (values.length > 0) builder.attribute(element, { owner, name, values });
    builder.write(element, `${owner}().${name}`, element);
  }
}

/** A write to a name, a field, or an element of either. */
function write(builder: FactsBuilder, target: SyntaxNode, statement: SyntaxNode): void {
  const chain = chainOf(builder.tree, innermost(target));
  if (!isNamed(chain)) return;
  builder.write(target, chain, statement);
}

/** What an element belongs to: `a.b` of `a.b[0]`. */
function innermost(target: SyntaxNode): SyntaxNode {
  let node = target;
  while (node.type === 'index_expression' || node.type === 'slice_expression') {
    const inner = childIn(node, 'operand');
    if (!inner) return node;
    node = inner;
  }
  return node;
}
