import type { FileFacts } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import { errorsIn } from '../../syntax/errors';
import { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childOfType, namedChildren, type SyntaxNode, type SyntaxTree, walk } from '../../syntax/tree';
import { openClass, openFunction } from './definitions';
import { chainOf, plainString, stringParts, valuesOf } from './expressions';
import { addHeldBy } from './held';
import { addExports, addImports } from './imports';
import { ToolCollector } from './tools';
import { addField, addProperty, openAlias } from './types';
import { assign, bindLoop, declare, environment } from './variables';

/** Facts of a TypeScript or JavaScript source, with or without JSX. */
export function analyzeTypeScript(tree: SyntaxTree): FileFacts {
  const builder = new FactsBuilder(tree);
  const tools = new ToolCollector(builder);
  walk(tree.root, {
    enter: (node) => enter(builder, tools, node),
    // Calls are added in the order they run: arguments and receivers first.
    leave: (node) => (isCall(node) ? addCall(builder, tools, node) : builder.closeScope(node)),
  });
  builder.facts.parseErrors = errorsIn(tree).length;
  return builder.finish();
}

function enter(builder: FactsBuilder, tools: ToolCollector, node: SyntaxNode): boolean {
  const { tree } = builder;
  switch (node.type) {
    case 'import_statement':
      addImports(builder, node);
      return false;
    case 'export_statement':
      addExports(builder, node);
      return childIn(node, 'source') === undefined;
    case 'export_clause':
      return false;
    case 'function_declaration':
    case 'generator_function_declaration':
    case 'function_expression':
    case 'generator_function':
    case 'arrow_function':
    case 'method_definition':
    case 'method_signature':
    case 'abstract_method_signature':
      openFunction(builder, node, tools);
      return true;
    case 'function_signature':
      // Only an ambient declaration stands alone; overloads repeat the function that follows.
      if (node.parent?.type === 'ambient_declaration' || node.parent?.parent?.type === 'ambient_declaration')
        openFunction(builder, node, tools);
      return false;
    case 'class_declaration':
    case 'abstract_class_declaration':
    case 'interface_declaration':
    case 'class':
      if (!node.named) return true;
      openClass(builder, node);
      if (builder.symbol?.kind === 'class') tools.addClass(node, builder.symbol);
      return true;
    case 'type_alias_declaration':
      openAlias(builder, node);
      return childIn(node, 'value')?.type === 'object_type';
    case 'property_signature':
      addProperty(builder, node);
      return false;
    case 'public_field_definition':
    case 'field_definition':
      addField(builder, node);
      return true;
    case 'variable_declarator':
      declare(builder, node);
      return true;
    case 'assignment_expression':
    case 'augmented_assignment_expression':
    case 'update_expression':
      assign(builder, node);
      return true;
    case 'enum_declaration':
      builder.add(node, { kind: 'variable', name: tree.text(childIn(node, 'name') ?? node) });
      return true;
    case 'for_statement':
    case 'while_statement':
    case 'do_statement':
      builder.loop(node);
      return true;
    case 'for_in_statement':
      builder.loop(node);
      bindLoop(builder, node);
      return true;
    case 'return_statement':
    case 'yield_expression':
      addReturned(builder, node);
      return true;
    case 'object':
      tools.addObject(node);
      return true;
    case 'member_expression':
      addMemberRead(builder, node);
      return true;
    case 'subscript_expression':
      addEnvironmentRead(builder, node);
      return true;
    case 'identifier':
    case 'shorthand_property_identifier':
      addPlainRead(builder, node);
      return false;
    case 'string':
    case 'template_string':
      builder.string(node, stringParts(tree, node));
      return true;
    case 'jsx_opening_element':
    case 'jsx_self_closing_element':
      addElement(builder, node);
      return true;
    case 'type_annotation':
    case 'type_arguments':
    case 'type_parameters':
      return false;
    default:
      return true;
  }
}

function isCall(node: SyntaxNode): boolean {
  return node.type === 'call_expression' || node.type === 'new_expression';
}

function addReturned(builder: FactsBuilder, node: SyntaxNode): void {
  const symbol = builder.symbol;
  if (!symbol || symbol.returns) return;
  const all = [...new Set([...(symbol.returned ?? []), ...valuesOf(builder.tree, namedChildren(node)[0])])].slice(0, 6);
  if (all.length > 0) symbol.returned = all;
}

function addCall(builder: FactsBuilder, tools: ToolCollector, node: SyntaxNode): void {
  const { tree } = builder;
  const construct = node.type === 'new_expression';
  const callee = childIn(node, construct ? 'constructor' : 'function');
  if (!callee || callee.type === 'import') return;
  const chain = callee.type === 'super' ? 'super().constructor' : chainOf(tree, callee);
  const list = childIn(node, 'arguments');
  const given = list?.type === 'arguments' ? namedChildren(list) : [];
  const text = plainString(tree, given[0]);
  builder.call(node, chain, construct, argumentsOf(tree, given));
  for (const argument of takesBack.test(chain) ? [] : given) {
    if (argument.type === 'identifier' || argument.type === 'member_expression')
      builder.callback(argument, chainOf(tree, argument));
  }
  addHeldBy(builder, chain, given);
  tools.addRegistration(node, chain, given);
  if (callee.type === 'super') tools.addSuperCall(given);
  if (text !== undefined) addConfigurationCall(builder, node, chain, text, given[1]);
}

/** `off('close', handler)` names a function that will not be called any more. */
const takesBack = /(^|\.)(off|remove\w*|unsubscribe|unregister\w*|clear(Timeout|Interval|Immediate))$/;

/** What the first arguments are, as far as it has a name or a text. */
function argumentsOf(tree: SyntaxTree, given: readonly SyntaxNode[]): string[] {
  return given.slice(0, 8).map((argument) => {
    const text = plainString(tree, argument) ?? templateText(tree, argument);
    if (text !== undefined) return `"${text.slice(0, 200)}"`;
    return valuesOf(tree, argument).find((chain) => chain !== '""') ?? '';
  });
}

/** Fixed text of a template, placeholders left out: enough to know an address by its end. */
function templateText(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  if (node?.type !== 'template_string') return undefined;
  return stringParts(tree, node)
    .map((part) => part ?? '*')
    .join('');
}

const configurationOwner = /(^|[._])(config|configuration|settings|conf|cfg)(\(\))?$/i;

function addConfigurationCall(
  builder: FactsBuilder,
  node: SyntaxNode,
  chain: string,
  key: string,
  otherwise?: SyntaxNode,
): void {
  const owner = chain.endsWith('.get') ? chain.slice(0, -'.get'.length) : '';
  if (!configurationOwner.test(owner) && !/getConfiguration\(\)$/.test(owner) && !/^(Deno|Bun)\.env\.get$/.test(chain))
    return;
  builder.configuration(node, key, otherwise);
}

function addEnvironmentRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const owner = childIn(node, 'object');
  const key = plainString(tree, childIn(node, 'index'));
  if (owner && key && environment.test(tree.text(owner))) addEnvironmentFact(builder, node, key);
}

function addEnvironmentFact(builder: FactsBuilder, node: SyntaxNode, key: string): void {
  const { parent } = node;
  if (node.field === 'left' && parent?.type === 'assignment_expression') return;
  const isDefaulted = parent?.type === 'binary_expression' && node.field === 'left' && childOfType(parent, '||', '??');
  const otherwise = isDefaulted ? childIn(parent, 'right') : undefined;
  builder.configuration(node, key, otherwise, parent ?? node);
}

function addMemberRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const { parent, field } = node;
  const owner = childIn(node, 'object');
  const property = childIn(node, 'property');
  if (owner && property && environment.test(tree.text(owner))) addEnvironmentFact(builder, node, tree.text(property));
  if (!parent || parent.type === 'member_expression') return;
  if (field === 'left' && /assignment_expression$/.test(parent.type)) return;
  const chain = chainOf(tree, node);
  if (!isNamed(chain)) return;
  const isCalled = field === 'function' || field === 'constructor';
  const read = isCalled ? chain.slice(0, chain.lastIndexOf('.')) : chain;
  if (read.includes('.') || isCalled) builder.read(node, read);
  if (field === 'value' && parent.type === 'pair') builder.callback(node, chain);
}

function addPlainRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { parent, field } = node;
  if (!parent) return;
  const text = builder.tree.text(node);
  const isHeld = parent.type === 'array' || (parent.type === 'pair' && field === 'value');
  if (node.type === 'shorthand_property_identifier' || isHeld) {
    builder.read(node, text);
    builder.callback(node, text);
    return;
  }
  if (field === 'name' || field === 'function' || field === 'pattern' || field === 'left' || field === 'parameter')
    return;
  if (/pattern$|^formal_parameters$|^variable_declarator$/.test(parent.type) && field !== 'value') return;
  if (parent.type === 'member_expression') return;
  builder.read(node, text);
}

/** `<Name />` calls the component. */
function addElement(builder: FactsBuilder, node: SyntaxNode): void {
  const name = childIn(node, 'name');
  const chain = name ? chainOf(builder.tree, name) : '?';
  if (/^[A-Z]/.test(chain)) builder.call(node, chain, false);
}
