import type { FileFacts } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import { errorsIn } from '../../syntax/errors';
import { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, namedChildren, type SyntaxNode, type SyntaxTree, walk } from '../../syntax/tree';
import { assign, bindLoop, bindWith } from './assignments';
import { isDocString, openClass, openFunction } from './definitions';
import { chainOf, plainString, stringParts, valuesOf } from './expressions';
import { addImports } from './imports';
import { addDeclaredTool } from './tools';

/** Facts of a Python source. */
export function analyzePython(tree: SyntaxTree): FileFacts {
  const builder = new FactsBuilder(tree);
  walk(tree.root, {
    enter: (node) => enter(builder, node),
    // Calls are added in the order they run: arguments and receivers first.
    leave: (node) => (node.type === 'call' ? addCall(builder, node) : builder.closeScope(node)),
  });
  builder.facts.parseErrors = errorsIn(tree).length;
  return builder.finish();
}

function enter(builder: FactsBuilder, node: SyntaxNode): boolean {
  const { tree } = builder;
  switch (node.type) {
    case 'import_statement':
    case 'import_from_statement':
      addImports(builder, node);
      return false;
    case 'function_definition':
      openFunction(builder, node);
      return true;
    case 'class_definition':
      openClass(builder, node);
      return true;
    case 'assignment':
    case 'augmented_assignment':
    case 'named_expression':
    case 'delete_statement':
      assign(builder, node);
      return true;
    case 'for_statement':
      builder.loop(node);
      bindLoop(builder, node);
      return true;
    case 'for_in_clause':
      bindLoop(builder, node);
      return true;
    case 'while_statement':
      builder.loop(node);
      return true;
    case 'as_pattern':
      bindWith(builder, node);
      return true;
    case 'return_statement':
    case 'yield':
      addReturned(builder, node);
      return true;
    case 'dictionary':
      addDeclaredTool(builder, node);
      addHeldFunctions(builder, node);
      return true;
    case 'subscript':
      addEnvironmentRead(builder, node);
      return true;
    case 'attribute':
      addAttributeRead(builder, node);
      return true;
    case 'identifier':
      if (isPlainRead(node)) builder.read(node, tree.text(node));
      return false;
    case 'string':
    case 'concatenated_string':
      if (node.parent?.type !== 'concatenated_string' && !isDocString(node))
        builder.string(node, stringParts(tree, node));
      return true;
    case 'global_statement':
    case 'nonlocal_statement':
    case 'type':
      return false;
    default:
      return true;
  }
}

function addReturned(builder: FactsBuilder, node: SyntaxNode): void {
  const symbol = builder.enclosingFunction;
  if (!symbol || symbol.returns) return;
  const known = symbol.returned ?? [];
  const found = valuesOf(builder.tree, namedChildren(node)[0]);
  const all = [...new Set([...known, ...found])].slice(0, 6);
  if (all.length > 0) symbol.returned = all;
}

/** A function that a dictionary holds is handed over to whoever gets the dictionary. */
function addHeldFunctions(builder: FactsBuilder, node: SyntaxNode): void {
  for (const pair of namedChildren(node)) {
    const value = pair.type === 'pair' ? childIn(pair, 'value') : undefined;
    if (value?.type === 'identifier' || value?.type === 'attribute')
      builder.callback(value, chainOf(builder.tree, value));
  }
}

const configurationOwner = /(^|[._])(config|configuration|settings|conf|cfg)(\[\])?$/i;

function addCall(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const callee = childIn(node, 'function');
  if (!callee) return;
  const chain = chainOf(tree, callee);
  const list = childIn(node, 'arguments');
  const given = list ? namedChildren(list) : [];
  const first = given.find((argument) => argument.type !== 'keyword_argument');
  const text = plainString(tree, first);
  builder.call(node, chain, false, argumentsOf(tree, given));
  for (const argument of given) {
    const value = argument.type === 'keyword_argument' ? childIn(argument, 'value') : argument;
    if (value?.type === 'identifier' || value?.type === 'attribute') builder.callback(value, chainOf(tree, value));
  }
  addHeld(builder, chain, given);
  if (text !== undefined) addConfigurationCall(builder, node, chain, text, given[1]);
  addDeclaredTool(builder, node);
}

/** `handlers.append(f)`, `registry.setdefault('a', f)`: the last argument becomes an element. */
function addHeld(builder: FactsBuilder, chain: string, given: readonly SyntaxNode[]): void {
  const holder = /^(.+)\.(?:append|appendleft|add|insert|setdefault)$/.exec(chain)?.[1];
  const last = given.at(-1);
  if (!holder || !last || last.type === 'keyword_argument') return;
  const key = given.length > 1 ? plainString(builder.tree, given[0]) : undefined;
  for (const value of valuesOf(builder.tree, last)) if (isNamed(value)) builder.element(holder, value, key);
}

/** What the first positional arguments are, as far as it has a name or a text. */
function argumentsOf(tree: SyntaxTree, given: readonly SyntaxNode[]): string[] {
  const positional = given.filter((argument) => argument.type !== 'keyword_argument').slice(0, 8);
  return positional.map((argument) => {
    const text = plainString(tree, argument);
    if (text !== undefined) return `"${text.slice(0, 200)}"`;
    const chain = chainOf(tree, argument);
    return isNamed(chain) ? chain : '';
  });
}

function addConfigurationCall(
  builder: FactsBuilder,
  node: SyntaxNode,
  chain: string,
  key: string,
  otherwise?: SyntaxNode,
): void {
  const isEnvironment = /(^|\.)(getenv|environ\.(get|pop|setdefault))$/.test(chain);
  const isConfiguration = chain.endsWith('.get') && configurationOwner.test(chain.slice(0, -'.get'.length));
  if (!isEnvironment && !isConfiguration) return;
  const value = otherwise?.type === 'keyword_argument' ? childIn(otherwise, 'value') : otherwise;
  builder.configuration(node, key, value);
}

function addEnvironmentRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const owner = childIn(node, 'value');
  const key = plainString(tree, childIn(node, 'subscript'));
  if (!owner || !key || (node.parent?.type === 'assignment' && node.field === 'left')) return;
  const chain = chainOf(tree, owner);
  if (!/(^|\.)environ$/.test(chain) && !configurationOwner.test(chain)) return;
  builder.configuration(node, key);
}

function addAttributeRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { parent } = node;
  if (!parent || parent.type === 'attribute') return;
  if (node.field === 'left' && (parent.type === 'assignment' || parent.type === 'augmented_assignment')) return;
  const chain = chainOf(builder.tree, node);
  if (!isNamed(chain)) return;
  // Of a called member only the receiver is read.
  const read = node.field === 'function' && parent.type === 'call' ? chain.slice(0, chain.lastIndexOf('.')) : chain;
  if (read.includes('.') || node.field === 'function') builder.read(node, read);
}

const definingParents = new Set([
  'parameters',
  'lambda_parameters',
  'typed_parameter',
  'list_splat_pattern',
  'dictionary_splat_pattern',
  'pattern_list',
  'tuple_pattern',
  'as_pattern_target',
  'dotted_name',
]);

function isPlainRead(node: SyntaxNode): boolean {
  const { parent, field } = node;
  if (!parent || definingParents.has(parent.type)) return false;
  if (field === 'name' || field === 'attribute' || field === 'function' || field === 'left') return false;
  return !(parent.type === 'attribute' && field === 'object');
}
