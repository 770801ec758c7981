import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, namedChildren, type SyntaxNode } from '../../syntax/tree';
import { chainOf, plainString, valuesOf } from './expressions';
import { keyText } from './functionNames';

/** What an object literal, `new Map([['a', f]])` or `new Set([f])` holds, for the name or attribute it is bound to. */
export function addHeldIn(builder: FactsBuilder, holder: string, value: SyntaxNode | undefined): void {
  const { tree } = builder;
  let node = value;
  while (node && /^(as|satisfies|parenthesized)_expression$/.test(node.type)) node = namedChildren(node)[0];
  if (node?.type === 'object') {
    for (const child of namedChildren(node)) {
      const held = child.type === 'pair' ? childIn(child, 'value') : child;
      if (!held || (child.type !== 'pair' && child.type !== 'shorthand_property_identifier')) continue;
      const key = keyText(tree, child.type === 'pair' ? childIn(child, 'key') : child);
      for (const chain of valuesOf(tree, held)) if (isNamed(chain)) builder.element(holder, chain, key);
    }
    return;
  }
  const made = node?.type === 'new_expression' ? chainOf(tree, childIn(node, 'constructor') ?? node) : '';
  if (!/^(Map|Set|WeakMap)$/.test(made)) return;
  const entries = namedChildren(childIn(node!, 'arguments') ?? node!)[0];
  for (const entry of entries?.type === 'array' ? namedChildren(entries) : []) {
    const [first, second] = entry.type === 'array' ? namedChildren(entry) : [entry, undefined];
    const chain = chainOf(tree, second ?? first ?? entry);
    if (isNamed(chain)) builder.element(holder, chain, second ? plainString(tree, first) : undefined);
  }
}

/** `registry.set('a', f)`, `handlers.push(f)`, `tools.add(t)`: the last argument becomes an element. */
export function addHeldBy(builder: FactsBuilder, callee: string, given: readonly SyntaxNode[]): void {
  const [, holder, method] = /^(.+)\.(set|push|unshift|add)$/.exec(callee) ?? [];
  const last = given.at(-1);
  if (!holder || !last || given.length > (method === 'set' ? 2 : 1)) return;
  const key = method === 'set' ? plainString(builder.tree, given[0]) : undefined;
  for (const value of valuesOf(builder.tree, last)) if (isNamed(value)) builder.element(holder, value, key);
}
