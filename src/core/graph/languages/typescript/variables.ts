import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, namedChildren, type SyntaxNode } from '../../syntax/tree';
import { chainOf, declaredType, plainString, valuesOf } from './expressions';
import { keyText } from './functionNames';
import { addHeldIn } from './held';
import { bindRequire, moduleOf } from './imports';

const functions = /^(arrow_function|function_expression|generator_function|class)$/;

/** `const a: T = b`, `const { a } = b`, `const a = require('b')`. */
export function declare(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  if (!name) return;
  const value = childIn(node, 'value');
  const module = value ? moduleOf(tree, value) : undefined;
  if (module !== undefined && value) {
    bindRequire(builder, name, module, node);
    return;
  }
  const type = childIn(node, 'type');
  const isFunction = value !== undefined && functions.test(value.type);
  if (name.type !== 'identifier') {
    bindPattern(builder, name, valuesOf(tree, value));
    if (value && environment.test(tree.text(value))) addEnvironmentNames(builder, name, node);
    return;
  }
  if (isFunction) return;
  const text = tree.text(name);
  if (!builder.scope && !builder.facts.symbols.some((symbol) => symbol.qualname === text)) {
    const detail = builder.detail(value);
    const statement = node.parent?.parent?.type === 'export_statement';
    builder.add(node, {
      kind: 'variable',
      name: text,
      ...(detail ? { detail } : {}),
      ...(statement ? { exported: true } : {}),
    });
  }
  builder.local(text, { ...declaredType(tree, type, value), values: valuesOf(tree, value) });
  addHeldIn(builder, text, value);
  if (value && !builder.scope) builder.write(name, text, node);
}

/** Where JavaScript runtimes and bundlers keep the variables of the environment. */
export const environment = /^(?:process\.env|import\.meta\.env|Bun\.env)$/;

/** `const { A, B = 'c', D: d } = process.env` reads A, B and D. */
function addEnvironmentNames(builder: FactsBuilder, pattern: SyntaxNode, node: SyntaxNode): void {
  const { tree } = builder;
  for (const item of namedChildren(pattern)) {
    if (item.type === 'rest_pattern') continue;
    const otherwise = childIn(item, 'right') ?? childIn(childIn(item, 'value') ?? item, 'right');
    builder.configuration(item, keyText(tree, childIn(item, 'key') ?? childIn(item, 'left') ?? item), otherwise, node);
  }
}

/** Names taken out of an object or array: each stands for a member of the values, and reads it. */
export function bindPattern(builder: FactsBuilder, pattern: SyntaxNode, values: readonly string[]): void {
  const { tree } = builder;
  const open: { node: SyntaxNode; values: readonly string[] }[] = [{ node: pattern, values }];
  for (let steps = 0; open.length > 0 && steps < 500; steps++) {
    const { node, values: from } = open.pop()!;
    const member = (key: string) => {
      const chains = from.map((chain) => `${chain}.${key}`);
      for (const chain of chains) if (isNamed(chain)) builder.read(node, chain);
      return chains;
    };
    switch (node.type) {
      case 'identifier':
        builder.local(tree.text(node), { values: [...from] });
        break;
      case 'shorthand_property_identifier_pattern':
        builder.local(tree.text(node), { values: member(tree.text(node)) });
        break;
      case 'pair_pattern': {
        const key = childIn(node, 'key');
        const target = childIn(node, 'value');
        if (key && target) open.push({ node: target, values: member(tree.text(key)) });
        break;
      }
      case 'assignment_pattern':
      case 'object_assignment_pattern': {
        const left = childIn(node, 'left');
        if (left) open.push({ node: left, values: from });
        break;
      }
      case 'member_expression':
        bindMember(builder, node, from);
        break;
      case 'array_pattern':
        for (const child of namedChildren(node)) open.push({ node: child, values: from.map((chain) => `${chain}[]`) });
        break;
      case 'object_pattern':
        for (const child of namedChildren(node)) open.push({ node: child, values: from });
        break;
    }
  }
}

/** `[this.a, b.c] = d` writes members. */
function bindMember(builder: FactsBuilder, node: SyntaxNode, values: readonly string[]): void {
  const chain = chainOf(builder.tree, node);
  const name = /^this\.([\w#$]+)$/.exec(chain)?.[1];
  const owner = builder.enclosingClass;
  if (name && owner)
    builder.attribute(node, { owner: owner.qualname, name, ...(values.length > 0 ? { values: [...values] } : {}) });
  if (isNamed(chain)) builder.write(node, chain, node.parent ?? node);
}

/** `for (const a of b)`: the name stands for an element. */
export function bindLoop(builder: FactsBuilder, node: SyntaxNode): void {
  const left = childIn(node, 'left');
  const isOf = childIn(node, 'operator')?.type === 'of';
  const values = isOf ? valuesOf(builder.tree, childIn(node, 'right')).map((chain) => `${chain}[]`) : [];
  if (left) bindPattern(builder, left, values);
}

/** `a = b`, `this.a = b`, `a.b += c`, `a++`, `exports.a = b`. */
export function assign(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const left = childIn(node, 'left') ?? childIn(node, 'argument');
  if (!left) return;
  const right = childIn(node, 'right');
  const target = innermost(left);
  const chain = chainOf(tree, target);
  if (!isNamed(chain)) {
    if (/pattern$/.test(left.type)) bindPattern(builder, left, valuesOf(tree, right));
    return;
  }
  if (left.type === 'subscript_expression' && right) {
    const key = plainString(tree, childIn(left, 'index'));
    for (const value of valuesOf(tree, right)) if (isNamed(value)) builder.element(chain, value, key);
  }
  if (node.type !== 'assignment_expression') builder.read(target, chain);
  else if (target === left && right) bindAssigned(builder, left, chain, right);
  builder.write(target, chain, node);
}

function bindAssigned(builder: FactsBuilder, left: SyntaxNode, chain: string, right: SyntaxNode): void {
  const { tree } = builder;
  const attribute = /^this\.([\w#$]+)$/.exec(chain)?.[1];
  const owner = builder.enclosingClass;
  const isFunction = functions.test(right.type);
  const values = isFunction && attribute ? [attribute] : valuesOf(tree, right);
  if (attribute) addHeldIn(builder, chain, right);
  else if (chain.includes('.') && !isFunction && values.length > 0)
    builder.facts.assignments.push({ scope: builder.scope, chain, values });
  if (attribute && owner) {
    const detail = builder.detail(right);
    const fact = {
      owner: owner.qualname,
      name: attribute,
      ...(values.length > 0 ? { values } : {}),
      ...(detail ? { detail } : {}),
    };
    builder.attribute(left, fact);
    return;
  }
  if (!chain.includes('.') && values.length > 0) builder.local(chain, { values });
  const exported = /^(?:module\.)?exports(?:\.(\w+))?$/.exec(chain);
  if (!exported || isFunction) return;
  if (right.type === 'object' && !exported[1]) {
    for (const child of namedChildren(right)) {
      const key = child.type === 'pair' ? childIn(child, 'key') : child;
      const value = child.type === 'pair' ? childIn(child, 'value') : child;
      if (!key || !value || child.type === 'spread_element' || child.type === 'method_definition') continue;
      const name = chainOf(tree, value);
      if (isNamed(name)) builder.facts.exports.push({ exported: tree.text(key), module: null, chain: name });
    }
  } else if (values[0]) {
    builder.facts.exports.push({ exported: exported[1] ?? 'default', module: null, chain: values[0] });
  }
}

/** What an element belongs to: `a.b` of `a.b[0]`. */
function innermost(left: SyntaxNode): SyntaxNode {
  let node = left;
  while (node.type === 'subscript_expression' || node.type === 'non_null_expression') {
    const inner = childIn(node, 'object') ?? node.children[0];
    if (!inner) return node;
    node = inner;
  }
  return node;
}
