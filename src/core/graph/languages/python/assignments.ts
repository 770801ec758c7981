import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, namedChildren, type SyntaxNode } from '../../syntax/tree';
import { chainOf, givenTo, plainString, valuesOf } from './expressions';

/** Writes and what names may stand for, of `a = b`, `a: T = b`, `a += b`, `(a := b)` and `del a`. */
export function assign(builder: FactsBuilder, node: SyntaxNode): void {
  if (node.type === 'delete_statement') {
    for (const target of targetsOf(namedChildren(node)[0])) write(builder, target, node);
    return;
  }
  const left = childIn(node, node.type === 'named_expression' ? 'name' : 'left');
  if (!left) return;
  const right = childIn(node, node.type === 'named_expression' ? 'value' : 'right');
  const type = childIn(node, 'type');
  const typeText = type ? builder.tree.shortText(type) : undefined;
  // `a = b = c`: the inner assignment is visited by itself.
  const value = right?.type === 'assignment' ? undefined : right;
  if (node.type === 'augmented_assignment') {
    write(builder, left, node);
    if (left.type === 'attribute') builder.read(left, chainOf(builder.tree, left));
    if (left.type === 'identifier') builder.read(left, builder.tree.text(left));
    return;
  }
  const targets = targetsOf(left);
  const single = targets.length === 1 && targets[0] === left;
  // `a, b = c, d` pairs them.
  const parts = !single && value && /^(expression_list|tuple)$/.test(value.type) ? namedChildren(value) : [];
  const paired = parts.length === targets.length && parts.every((part) => part.type !== 'list_splat');
  for (const [at, target] of targets.entries())
    bind(builder, target, node, single ? { type: typeText, value } : { value: paired ? parts[at] : undefined });
}

interface Bound {
  type?: string | undefined;
  value?: SyntaxNode | undefined;
}

function bind(builder: FactsBuilder, target: SyntaxNode, statement: SyntaxNode, bound: Bound): void {
  const { tree } = builder;
  const values = valuesOf(tree, bound.value);
  const detail = builder.detail(bound.value);
  const stands = { ...(bound.type ? { type: bound.type } : {}), ...(values.length > 0 ? { values } : {}) };
  if (target.type === 'identifier') {
    const name = tree.text(target);
    const owner = builder.symbol;
    if (owner?.kind === 'class') {
      builder.attribute(statement, { owner: owner.qualname, name, ...stands, ...(detail ? { detail } : {}) });
      if (bound.value) builder.write(target, `self.${name}`, statement);
      return;
    }
    if (!builder.scope) addModuleVariable(builder, name, statement, detail);
    builder.local(name, stands);
    builder.write(target, name, statement);
    return;
  }
  const owner = builder.enclosingClass;
  if (target.type === 'attribute' && owner) {
    const chain = chainOf(tree, target);
    const name = /^(?:self|cls)\.(\w+)$/.exec(chain)?.[1];
    if (name) builder.attribute(statement, { owner: owner.qualname, name, ...stands, ...(detail ? { detail } : {}) });
  }
  hold(builder, target, values);
  write(builder, target, statement);
}

function addModuleVariable(
  builder: FactsBuilder,
  name: string,
  statement: SyntaxNode,
  detail: string | undefined,
): void {
  const known = builder.facts.symbols.find((symbol) => symbol.qualname === name);
  if (known) return;
  builder.add(statement, { kind: 'variable', name, exported: !name.startsWith('_'), ...(detail ? { detail } : {}) });
}

/** `registry['a'] = f` puts f into the registry; `selector.on_pick = f` gives it to another object. */
function hold(builder: FactsBuilder, target: SyntaxNode, values: readonly string[]): void {
  const { tree } = builder;
  const chain = chainOf(tree, target);
  if (target.type === 'attribute' && isNamed(chain) && !/^(self|cls)\.\w+$/.test(chain) && values.length > 0)
    builder.facts.assignments.push({ scope: builder.scope, chain, values: [...values] });
  const holder = target.type === 'subscript' ? childIn(target, 'value') : undefined;
  if (!holder) return;
  const key = plainString(tree, childIn(target, 'subscript'));
  for (const value of values) if (isNamed(value)) builder.element(chainOf(tree, holder), value, key);
}

/** A write to a name, an attribute, or an element of either. */
function write(builder: FactsBuilder, target: SyntaxNode, statement: SyntaxNode): void {
  let node = target;
  while (node.type === 'subscript') {
    const inner = childIn(node, 'value');
    if (!inner) return;
    node = inner;
  }
  const chain = chainOf(builder.tree, node);
  if (isNamed(chain)) builder.write(target, chain, statement);
}

function targetsOf(left: SyntaxNode | undefined): SyntaxNode[] {
  const found: SyntaxNode[] = [];
  const open = left ? [left] : [];
  while (open.length > 0) {
    const node = open.shift()!;
    if (/^(pattern_list|tuple_pattern|list_pattern|expression_list|list_splat_pattern|tuple)$/.test(node.type)) {
      open.push(...namedChildren(node));
    } else found.push(node);
  }
  return found;
}

/** `for x in y`: the name stands for an element; of `items()`, `enumerate()` and `zip()` the names for their parts. */
export function bindLoop(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const left = childIn(node, 'left');
  const right = childIn(node, 'right');
  const elements = (of: SyntaxNode | undefined) => valuesOf(tree, of).map((chain) => `${chain}[]`);
  if (left?.type === 'identifier') {
    builder.local(tree.text(left), { values: elements(right) });
    return;
  }
  const targets = targetsOf(left);
  const callee = right?.type === 'call' ? chainOf(tree, right) : '';
  for (const [at, target] of targets.entries()) {
    if (target.type !== 'identifier') continue;
    const isLast = at === targets.length - 1;
    let values: string[] = [];
    if (right && callee === 'zip()') values = elements(givenTo(right)[at]);
    else if (right && callee === 'enumerate()' && isLast) values = elements(givenTo(right)[0]);
    else if (callee.endsWith('.items()') && isLast) values = elements(right);
    builder.local(tree.text(target), { values });
  }
}

/** `with x as y` and `except E as y`. */
export function bindWith(builder: FactsBuilder, node: SyntaxNode): void {
  const target = childIn(node, 'alias')?.children[0];
  if (target?.type !== 'identifier') return;
  const [value] = namedChildren(node);
  const values = valuesOf(builder.tree, value);
  const isHandler = node.parent?.type === 'except_clause';
  builder.local(builder.tree.text(target), { values: isHandler ? values.map((chain) => `${chain}()`) : values });
}
