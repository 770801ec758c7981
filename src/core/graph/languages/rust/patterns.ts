import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childrenIn, type SyntaxNode } from '../../syntax/tree';
import { chainOf, codeChildren } from './expressions';

/** Patterns that only unwrap what they match. */
const unwrapping = /^(?:\w+::)*(?:Some|Ok|Err|Ready|Break|Continue|Left|Right|Borrowed|Owned)$/;

/** What names in a pattern stand for when it matches `values`. The payload of a variant is `Enum.Variant:0`. */
export function bindPattern(builder: FactsBuilder, pattern: SyntaxNode, values: readonly string[]): void {
  const { tree } = builder;
  const open: { node: SyntaxNode; values: readonly string[] }[] = [{ node: pattern, values }];
  for (let steps = 0; open.length > 0 && steps < 500; steps++) {
    const { node, values: from } = open.pop()!;
    const push = (inner: SyntaxNode | undefined, given: readonly string[]) => {
      if (inner) open.push({ node: inner, values: given });
    };
    switch (node.type) {
      case 'identifier':
      case 'shorthand_field_identifier':
        // A constant or a unit variant in a pattern binds nothing.
        if (/^[a-z_]/.test(tree.text(node)) && tree.text(node) !== '_')
          builder.local(tree.text(node), { values: from.filter((chain) => chain !== tree.text(node)) });
        break;
      case 'match_pattern':
      case 'ref_pattern':
      case 'mut_pattern':
      case 'reference_pattern':
        push(
          codeChildren(node).find(({ type }) => type !== 'mutable_specifier'),
          from,
        );
        break;
      case 'or_pattern':
      case 'captured_pattern':
        for (const child of codeChildren(node)) push(child, from);
        break;
      case 'slice_pattern':
        for (const child of codeChildren(node))
          push(
            child,
            from.map((chain) => `${chain}[]`),
          );
        break;
      case 'tuple_pattern':
        for (const [at, child] of codeChildren(node).entries())
          push(
            child,
            from.map((chain) => part(chain, at)),
          );
        break;
      case 'tuple_struct_pattern': {
        const type = childIn(node, 'type');
        const name = type ? tree.text(type) : '';
        const inner = codeChildren(node).filter((child) => child !== type);
        if (unwrapping.test(name)) push(inner[0], from);
        else if (type) for (const [at, child] of inner.entries()) push(child, [`${typeChain(builder, type)}:${at}`]);
        break;
      }
      case 'struct_pattern': {
        const type = childIn(node, 'type');
        const chain = type ? typeChain(builder, type) : '?';
        for (const field of codeChildren(node).filter((child) => child.type === 'field_pattern')) {
          const name = childIn(field, 'name');
          const key = name ? tree.text(name) : '';
          // Taking a field out reads it, also where its value gets no name.
          if (chain !== '?' && key) builder.read(field, `${chain}().${key}`);
          const given = /\.\w+$/.test(chain) && !chain.startsWith('::') ? [`${chain}:${key}`] : [`${chain}().${key}`];
          push(childIn(field, 'pattern') ?? name, given);
        }
        break;
      }
    }
  }
}

/** The chain of the type a pattern names; `Self` is the type around. */
function typeChain(builder: FactsBuilder, type: SyntaxNode): string {
  const receiver = builder.enclosingFunction?.receiver;
  const chain = chainOf(builder.tree, type);
  return receiver ? chain.replace(/^(?:::)?Self\b/, receiver) : chain;
}

/** One of several parts: of a call its result by number, of an element the element. */
function part(chain: string, at: number): string {
  if (chain.endsWith('()')) return `${chain.slice(0, -2)}(${at})`;
  return chain.endsWith('[]') ? chain : `${chain}.${at}`;
}

/** `let p = v`, `if let p = v`, `while let p = v`. */
export function bindLet(
  builder: FactsBuilder,
  pattern: SyntaxNode,
  values: readonly string[],
  type?: SyntaxNode,
): void {
  const { tree } = builder;
  if (pattern.type === 'identifier' && type)
    builder.local(tree.text(pattern), { type: tree.shortText(type), values: [...values] });
  else bindPattern(builder, pattern, values);
}

/** `for p in v`: an element; of `enumerate()` the second name, of a map the value. */
export function bindLoop(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const pattern = childIn(node, 'pattern');
  const value = childIn(node, 'value');
  if (!pattern || !value) return;
  const chain = chainOf(tree, value);
  const elements = isNamed(chain) ? [`${chain}[]`] : [];
  if (pattern.type !== 'tuple_pattern') bindPattern(builder, pattern, elements);
  else bindElements(builder, pattern, value, elements);
}

function bindElements(
  builder: FactsBuilder,
  pattern: SyntaxNode,
  value: SyntaxNode,
  elements: readonly string[],
): void {
  const parts = codeChildren(pattern);
  const callee = childIn(value, 'function');
  const method = callee?.type === 'field_expression' ? builder.tree.text(childIn(callee, 'field') ?? callee) : '';
  parts.forEach((child, at) => {
    const isValue = at === parts.length - 1;
    bindPattern(builder, child, isValue || method === 'zip' ? elements : []);
  });
}

/** Arms of a `match`: what their patterns take out of the value. */
export function bindMatch(builder: FactsBuilder, node: SyntaxNode): void {
  const value = childIn(node, 'value');
  const body = childIn(node, 'body');
  if (!value || !body) return;
  const chain = chainOf(builder.tree, value);
  for (const arm of codeChildren(body))
    for (const pattern of childrenIn(arm, 'pattern'))
      bindPattern(builder, pattern, chain.startsWith('?') ? [] : [chain]);
}
