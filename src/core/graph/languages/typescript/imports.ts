import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childOfType, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { plainString, valuesOf } from './expressions';

/** `import a, { b as c } from 'd'`, `import * as a from 'b'`, `import a = require('b')`. */
export function addImports(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const line = tree.line(node);
  const required = childOfType(node, 'import_require_clause');
  const module = plainString(tree, childIn(required ?? node, 'source'));
  if (module === undefined) return;
  const add = (local: string, name: string) => builder.facts.imports.push({ local, module, name, line });
  if (required) add(tree.text(required.children[0] ?? required), 'default');
  const clause = childOfType(node, 'import_clause');
  if (!clause && !required) add('', '*');
  for (const part of clause ? namedChildren(clause) : []) {
    if (part.type === 'identifier') add(tree.text(part), 'default');
    else if (part.type === 'namespace_import') add(tree.text(childOfType(part, 'identifier') ?? part), '*');
    else {
      for (const item of namedChildren(part)) {
        const name = childIn(item, 'name');
        if (name) add(tree.text(childIn(item, 'alias') ?? name), tree.text(name));
      }
    }
  }
}

/** Re-exports and `export default name`; declarations are found as symbols. */
export function addExports(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const { exports } = builder.facts;
  const module = plainString(tree, childIn(node, 'source')) ?? null;
  const clause = childOfType(node, 'export_clause');
  const namespace = childOfType(node, 'namespace_export');
  for (const item of clause ? namedChildren(clause) : []) {
    const name = childIn(item, 'name');
    if (name) exports.push({ exported: tree.text(childIn(item, 'alias') ?? name), module, chain: tree.text(name) });
  }
  if (namespace && module !== null)
    exports.push({ exported: tree.text(namespace.children.at(-1)!), module, chain: '*' });
  else if (module !== null && !clause) exports.push({ exported: '*', module, chain: '*' });
  const isDefault = childOfType(node, 'default', '=') !== undefined;
  const value = childIn(node, 'value') ?? (isDefault ? node.children.at(-1) : undefined);
  if (isDefault && value) {
    for (const chain of valuesOf(tree, value).slice(0, 1)) exports.push({ exported: 'default', module: null, chain });
  }
}

/** The module of `require('x')` or `await import('x')`. */
export function moduleOf(tree: SyntaxTree, value: SyntaxNode): string | undefined {
  const call = value.type === 'await_expression' ? namedChildren(value)[0] : value;
  if (call?.type !== 'call_expression') return undefined;
  const callee = childIn(call, 'function');
  if (callee?.type !== 'import' && (callee?.type !== 'identifier' || tree.text(callee) !== 'require')) return undefined;
  const list = childIn(call, 'arguments');
  return list ? plainString(tree, namedChildren(list)[0]) : undefined;
}

export function bindRequire(builder: FactsBuilder, name: SyntaxNode, module: string, node: SyntaxNode): void {
  const { tree } = builder;
  const line = tree.line(node);
  const add = (local: string, imported: string) => builder.facts.imports.push({ local, module, name: imported, line });
  if (name.type === 'identifier') add(tree.text(name), '*');
  for (const item of name.type === 'object_pattern' ? namedChildren(name) : []) {
    if (item.type === 'shorthand_property_identifier_pattern') add(tree.text(item), tree.text(item));
    const key = childIn(item, 'key');
    const value = childIn(item, 'value');
    if (key && value?.type === 'identifier') add(tree.text(value), tree.text(key));
  }
}
