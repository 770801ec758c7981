import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childOfType, type SyntaxNode } from '../../syntax/tree';
import { before, isTest, summary } from './attributes';
import { type Around, bindGenerics, own } from './definitions';
import { chainOf, codeChildren, isString, plainString, valuesOf } from './expressions';
import { bindLet, bindPattern } from './patterns';

/** `const` and `static`: state of the module, of a type, or a local. */
export function declareConstant(builder: FactsBuilder, node: SyntaxNode, around: Around): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  if (!name) return;
  const text = tree.text(name);
  const type = childIn(node, 'type');
  const value = childIn(node, 'value');
  const values = valuesOf(tree, value);
  const detail = builder.detail(value);
  const stands = { ...(type ? { type: own(tree.shortText(type), around.owner) } : {}), values };
  if (around.owner && node.parent?.type === 'declaration_list') {
    const owner = [...around.modules, around.owner].join('.');
    builder.attribute(node, { owner, name: text, ...stands, ...(detail ? { detail } : {}) });
    return;
  }
  builder.local(text, stands);
  if (builder.scope) return;
  const { attributes, doc, start } = before(tree, node);
  builder.add(node, {
    kind: 'variable',
    name: text,
    start,
    ...(detail ? { detail } : {}),
    ...(summary(doc) ? { doc: summary(doc)! } : {}),
    ...(childOfType(node, 'visibility_modifier') ? { exported: true } : {}),
    ...(around.test || isTest(attributes) ? { test: true } : {}),
  });
  builder.write(name, text, node);
  const included = value && includedFile(builder, value);
  if (included === undefined || around.modules.length > 0) return;
  builder.facts.embeds ??= [];
  builder.facts.embeds.push({ variable: text, path: included, line: tree.line(node) });
}

/** The path in `include_str!("x")`. */
export function includedFile({ tree }: FactsBuilder, node: SyntaxNode): string | undefined {
  const name = node.type === 'macro_invocation' ? childIn(node, 'macro') : undefined;
  if (!name || !/(^|::)include_(str|bytes|dir)$/.test(tree.text(name))) return undefined;
  const path = plainString(tree, childOfType(node, 'token_tree')?.children.find(isString));
  return path?.replace(/^(\$CARGO_MANIFEST_DIR\/|\.\/|(\.\.\/)+)/, '');
}

/** A type alias, or an associated type by its bounds or what an `impl` gives it. */
export function declareAlias(builder: FactsBuilder, node: SyntaxNode, around: Around): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  const type = childIn(node, 'type') ?? childIn(node, 'bounds');
  if (!name || !type) return;
  const text = own(tree.shortText(type).replace(/^:\s*/, ''), around.owner);
  const owner =
    around.owner && node.parent?.type === 'declaration_list' ? [...around.modules, around.owner].join('.') : undefined;
  builder.local(tree.text(name), { type: text, alias: true, ...(owner ? { scope: owner } : {}) });
  if (node.type === 'type_item') bindGenerics(builder, node, builder.scope);
}

/** `let p: T = v`. */
export function declare(builder: FactsBuilder, node: SyntaxNode, around: Around): void {
  const { tree } = builder;
  const pattern = childIn(node, 'pattern');
  const value = childIn(node, 'value');
  if (!pattern) return;
  if (value?.type === 'closure_expression' && pattern.type === 'identifier') return;
  const type = childIn(node, 'type');
  if (pattern.type === 'tuple_pattern' && value?.type === 'tuple_expression') {
    const parts = codeChildren(value);
    for (const [at, child] of codeChildren(pattern).entries()) bindPattern(builder, child, valuesOf(tree, parts[at]));
    return;
  }
  const values = valuesOf(tree, value).map((chain) => own(chain, around.owner));
  bindLet(builder, pattern, values, type);
}

/** `a = b`, `self.a += b`. */
export function assign(builder: FactsBuilder, node: SyntaxNode, around: Around): void {
  const { tree } = builder;
  const left = childIn(node, 'left');
  if (!left) return;
  const target = innermost(left);
  const chain = chainOf(tree, target);
  if (!isNamed(chain)) return;
  const right = childIn(node, 'right');
  if (node.type === 'compound_assignment_expr') builder.read(target, chain);
  else if (target === left && left.type === 'identifier' && builder.scope)
    builder.local(chain, { values: valuesOf(tree, right).filter((value) => value !== chain) });
  else if (target === left && around.owner) {
    const name = /^self\.(\w+)$/.exec(chain)?.[1];
    const values = valuesOf(tree, right);
    const owner = [...around.modules, around.owner].join('.');
    if (name && values.length > 0) builder.attribute(node, { owner, name, values });
  }
  builder.write(target, chain, node);
}

/** What an element or a dereferenced value belongs to: `a.b` of `*a.b[0]`. */
function innermost(left: SyntaxNode): SyntaxNode {
  let node = left;
  while (/^(index_expression|unary_expression|parenthesized_expression)$/.test(node.type)) {
    const [inner] = codeChildren(node);
    if (!inner) return node;
    node = inner;
  }
  return node;
}

/** Fields that a struct expression sets: what they hold, and that they are written. */
export function addStructFields(builder: FactsBuilder, node: SyntaxNode, around: Around): void {
  const { tree } = builder;
  const type = childIn(node, 'name');
  const body = childIn(node, 'body');
  if (!type || !body) return;
  const owner = own(chainOf(tree, type), around.owner);
  if (!isNamed(owner)) return;
  for (const field of codeChildren(body)) {
    const isShort = field.type === 'shorthand_field_initializer';
    const key = isShort ? codeChildren(field)[0] : childIn(field, 'field');
    const value = isShort ? key : childIn(field, 'value');
    if (!key || !value) continue;
    const name = tree.text(key);
    const values = valuesOf(tree, value).map((chain) => own(chain, around.owner));
    if (values.length > 0) builder.attribute(field, { owner, name, values });
    builder.write(field, `${owner}().${name}`, field);
  }
}
