import type { FileFacts } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import { errorsIn } from '../../syntax/errors';
import { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childOfType, namedChildren, type SyntaxNode, type SyntaxTree, walk } from '../../syntax/tree';
import { addLiteralFields, assign, bindRange, bindTypeSwitch, declare } from './assignments';
import { addConfigurationCall } from './configuration';
import { addField, openClosure, openFunction, openType } from './definitions';
import { chainOf, givenTo, holds, isString, plainString, stringParts, wholeString } from './expressions';
import { addImport } from './imports';
import { addToolCall, addToolLiteral } from './tools';

/** Facts of a Go source. */
export function analyzeGo(tree: SyntaxTree): FileFacts {
  const builder = new FactsBuilder(tree);
  walk(tree.root, {
    enter: (node) => enter(builder, node),
    // Calls are added in the order they run: arguments and receivers first.
    leave: (node) => (isCall(node) ? addCall(builder, node) : builder.closeScope(node)),
  });
  builder.facts.parseErrors = errorsIn(tree).length;
  return builder.finish();
}

function isCall(node: SyntaxNode): boolean {
  return /^(call_expression|type_conversion_expression|composite_literal)$/.test(node.type);
}

function enter(builder: FactsBuilder, node: SyntaxNode): boolean {
  const { tree } = builder;
  switch (node.type) {
    case 'package_clause': {
      const name = childOfType(node, 'package_identifier');
      if (name) builder.facts.package = tree.text(name);
      return false;
    }
    case 'import_spec':
      addImport(builder, node);
      return false;
    case 'comment':
      addEmbedded(builder, node);
      return false;
    case 'function_declaration':
    case 'method_declaration':
    case 'method_elem':
      openFunction(builder, node);
      return true;
    case 'func_literal':
      openClosure(builder, node);
      return true;
    case 'type_spec':
    case 'type_alias':
      openType(builder, node);
      return node.type === 'type_spec';
    case 'field_declaration':
      addField(builder, node);
      return false;
    case 'var_spec':
    case 'const_spec':
      declare(builder, node);
      return true;
    case 'short_var_declaration':
    case 'assignment_statement':
    case 'inc_statement':
    case 'dec_statement':
    case 'receive_statement':
      assign(builder, node);
      return true;
    case 'for_statement':
      builder.loop(node);
      return true;
    case 'range_clause':
      bindRange(builder, node);
      return true;
    case 'type_switch_statement':
      bindTypeSwitch(builder, node);
      return true;
    case 'literal_value':
      addLiteralFields(builder, node);
      addToolLiteral(builder, node);
      addHeldFunctions(builder, node);
      return true;
    case 'selector_expression':
      addFieldRead(builder, node);
      return true;
    case 'identifier':
      addPlainRead(builder, node);
      return false;
    case 'interpreted_string_literal':
    case 'raw_string_literal':
      addString(builder, node);
      return false;
    case 'parameter_list':
    case 'type_parameters':
    case 'type_arguments':
      return false;
    default:
      return true;
  }
}

/** One string for a sum of literals, where its first literal stands. */
function addString(builder: FactsBuilder, literal: SyntaxNode): void {
  const whole = wholeString(literal);
  let first = whole;
  while (!isString(first)) {
    const next: SyntaxNode | undefined = namedChildren(first).find(
      (child) => isString(child) || /binary/.test(child.type),
    );
    if (!next) return;
    first = next;
  }
  if (first === literal) builder.string(whole, stringParts(builder.tree, whole));
}

/** `//go:embed path` above a variable: the variable holds the file. */
function addEmbedded(builder: FactsBuilder, comment: SyntaxNode): void {
  const { tree } = builder;
  const paths = /^\/\/go:embed\s+(.*)$/.exec(tree.text(comment))?.[1];
  if (!paths || builder.scope) return;
  const siblings = comment.parent?.children ?? [];
  const statement = siblings.slice(siblings.indexOf(comment) + 1).find((node) => node.type !== 'comment');
  const spec = statement?.type === 'var_spec' ? statement : statement ? childOfType(statement, 'var_spec') : undefined;
  const name = spec ? childIn(spec, 'name') : undefined;
  if (!name) return;
  const line = tree.line(comment);
  for (const path of paths.match(/"[^"]*"|\S+/g) ?? []) {
    const plain = path.replace(/^"|"$/g, '').replace(/^all:/, '');
    builder.facts.embeds ??= [];
    builder.facts.embeds.push({ variable: tree.text(name), path: plain, line });
  }
}

function addCall(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  if (node.type === 'composite_literal') {
    const type = childIn(node, 'type');
    if (type && !holds(node) && isNamed(chainOf(tree, type))) builder.call(node, chainOf(tree, type), true);
    return;
  }
  const callee = childIn(node, 'function') ?? childIn(node, 'type');
  if (!callee) return;
  const chain = callee.type === 'func_literal' ? '?' : chainOf(tree, callee);
  const given = givenTo(node);
  // A literal that is called on the spot is part of the function around it.
  if (callee.type !== 'func_literal') builder.call(node, chain, false, argumentsOf(tree, given));
  for (const argument of given)
    if (argument.type === 'identifier' || argument.type === 'selector_expression')
      builder.callback(argument, chainOf(tree, argument));
  addConfigurationCall(builder, node, chain, given);
  addToolCall(builder, node, chain, given);
}

/** What the first arguments are, as far as they have a name or a text. */
function argumentsOf(tree: SyntaxTree, given: readonly SyntaxNode[]): string[] {
  return given.slice(0, 8).map((argument) => {
    const text = plainString(tree, argument);
    if (text !== undefined) return `"${text.slice(0, 200)}"`;
    const chain = chainOf(tree, argument);
    return isNamed(chain) ? chain : '';
  });
}

/** A function that a struct, list or map holds is handed over to whoever gets it. */
function addHeldFunctions(builder: FactsBuilder, body: SyntaxNode): void {
  for (const element of namedChildren(body)) {
    const value = element.type === 'keyed_element' ? childIn(element, 'value') : element;
    const inner = value ? namedChildren(value)[0] : undefined;
    if (inner?.type === 'identifier' || inner?.type === 'selector_expression')
      builder.callback(inner, chainOf(builder.tree, inner));
  }
}

function addFieldRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { parent, field } = node;
  if (!parent || parent.type === 'selector_expression') return;
  if (parent.field === 'left' && /^(assignment_statement|short_var_declaration)$/.test(parent.parent?.type ?? ''))
    return;
  const chain = chainOf(builder.tree, node);
  if (!isNamed(chain)) return;
  const isCalled = field === 'function';
  const read = isCalled ? chain.slice(0, chain.lastIndexOf('.')) : chain;
  if (read.includes('.') || isCalled) builder.read(node, read);
}

function addPlainRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { parent, field } = node;
  if (!parent || field === 'name' || field === 'function' || field === 'operand' || field === 'alias') return;
  if (parent.type === 'literal_element' && parent.field === 'key') return;
  if (parent.field === 'left' && parent.type === 'expression_list') return;
  builder.read(node, builder.tree.text(node));
}
