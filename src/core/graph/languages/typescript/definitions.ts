import type { ParameterFact } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import { type FactsBuilder, firstSentence } from '../../syntax/factsBuilder';
import { childIn, childOfType, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { chainOf, typeText } from './expressions';
import { keyText, pathOf } from './functionNames';
import type { ToolCollector } from './tools';
import { bindPattern } from './variables';

/** Opens a scope for a function that has a name; parameters of nameless ones become locals of the enclosing one. */
export function openFunction(builder: FactsBuilder, node: SyntaxNode, tools: ToolCollector): void {
  const { tree } = builder;
  const parameterList = childIn(node, 'parameters') ?? childIn(node, 'parameter');
  const place = placeOf(builder, node);
  if (!place) {
    const elements = elementsGivenTo(tree, node);
    for (const [at, parameter] of parametersOf(tree, parameterList).entries()) {
      const values = at === 0 && elements ? { values: [elements] } : {};
      builder.local(parameter.name, { ...(parameter.type ? { type: parameter.type } : {}), ...values });
    }
    bindParameterPatterns(builder, parameterList);
    return;
  }
  const returns = childIn(node, 'return_type');
  const doc = docOf(tree, node);
  const decorators = decoratorsOf(tree, node);
  const symbol = builder.openScope(node, {
    kind: place.method ? 'method' : 'function',
    name: place.path.slice(place.path.lastIndexOf('.') + 1),
    path: place.path,
    signature: signatureOf(tree, place.path, parameterList, returns),
    parameters: parametersOf(tree, parameterList),
    ...(doc ? { doc } : {}),
    ...(decorators.length > 0 ? { decorators } : {}),
    ...(node.children.some((child) => child.type === 'async') ? { async: true } : {}),
    ...(node.children.some((child) => child.type === 'get' || child.type === 'set') ? { getter: true } : {}),
    ...(returns ? { returns: typeText(tree, returns) } : {}),
    ...(/signature$/.test(node.type) && node.type !== 'function_signature' ? { abstract: true } : {}),
    ...(isExported(node) ? { exported: true } : {}),
  });
  if (place.exportedAs)
    builder.facts.exports.push({ exported: place.exportedAs, module: null, chain: symbol.qualname });
  if (place.holder) {
    tools.addImplementation(place.holder, symbol);
    if (place.loose && place.loose === place.holder && !isReturned(place.loose, builder.openNodes.at(-2)))
      symbol.holder = builder.looseName(place.holder, parentOf(symbol.qualname));
    builder.object(symbol.holder ?? parentOf(symbol.qualname), keysOf(tree, place.holder));
  }
  addAssigned(builder, node, symbol.qualname, parentOf(symbol.qualname));
  bindParameterPatterns(builder, parameterList);
  if (symbol.name === 'constructor') addParameterProperties(builder, parameterList);
}

const perElement = /\.(forEach|map|flatMap|filter|find|findLast|some|every|findIndex)$/;

/** `tools.map((tool) => ...)`: the first parameter of the function is an element of the list. */
function elementsGivenTo(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const call = node.parent?.type === 'arguments' ? node.parent.parent : undefined;
  const callee = call?.type === 'call_expression' ? childIn(call, 'function') : undefined;
  const chain = callee ? chainOf(tree, callee) : '';
  return isNamed(chain) && perElement.test(chain) ? `${chain.replace(perElement, '')}[]` : undefined;
}

function parentOf(qualname: string): string {
  return qualname.slice(0, Math.max(0, qualname.lastIndexOf('.')));
}

function keysOf(tree: SyntaxTree, object: SyntaxNode): string[] {
  return namedChildren(object).map((child) => {
    if (child.type === 'spread_element') return '...';
    return keyText(tree, childIn(child, 'key') ?? childIn(child, 'name') ?? child);
  });
}

/** Whether an object literal is what the enclosing function with a name gives, perhaps in a list. */
function isReturned(object: SyntaxNode, enclosing: SyntaxNode | null | undefined): boolean {
  let node = object;
  while (node.parent && /^(parenthesized_expression|as_expression|satisfies_expression|array)$/.test(node.parent.type))
    node = node.parent;
  if (node.parent?.type === 'arrow_function') return node.parent === enclosing;
  if (node.parent?.type !== 'return_statement') return false;
  let around: SyntaxNode | null = node.parent;
  while (around && !/function|method_definition/.test(around.type)) around = around.parent;
  return around === enclosing;
}

/** `selector.onPick = () => ...` gives a function to another object. */
function addAssigned(builder: FactsBuilder, node: SyntaxNode, symbol: string, scope: string): void {
  const { parent } = node;
  if (parent?.type !== 'assignment_expression' || node.field !== 'right') return;
  const chain = chainOf(builder.tree, childIn(parent, 'left') ?? parent);
  if (!chain.includes('.') || !isNamed(chain) || /^(this|exports|module)\./.test(chain)) return;
  builder.facts.assignments.push({ scope, chain, values: [], symbol });
}

interface Place {
  path: string;
  method: boolean;
  holder?: SyntaxNode | null;
  loose?: SyntaxNode;
  exportedAs?: string | undefined;
}

function placeOf(builder: FactsBuilder, node: SyntaxNode): Place | undefined {
  const { tree } = builder;
  const inClass = /^(class_body|interface_body|object_type)$/.test(node.parent?.type ?? '');
  if (inClass) return { path: keyText(tree, childIn(node, 'name')), method: true };
  const field = node.parent;
  if (field && /field_definition$/.test(field.type)) {
    return { path: keyText(tree, childIn(field, 'name') ?? childIn(field, 'property')), method: true };
  }
  const isDeclaration = /_declaration$|^function_signature$/.test(node.type);
  if (isDeclaration) {
    const name = childIn(node, 'name');
    const isDefault = node.parent?.type === 'export_statement' && childOfType(node.parent, 'default') !== undefined;
    return { path: name ? tree.text(name) : 'default', method: false, exportedAs: isDefault ? 'default' : undefined };
  }
  const found = pathOf(tree, node, builder.scope);
  return found ? { ...found, method: found.holder !== null } : undefined;
}

export function openClass(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const declared = childIn(node, 'name');
  // A class expression may have a name and be assigned, as in `module.exports = class Agent {}`.
  const found = declared && node.type !== 'class' ? undefined : pathOf(tree, node, builder.scope);
  const path = declared ? tree.text(declared) : found?.path;
  if (!path) return;
  const doc = docOf(tree, node);
  const decorators = decoratorsOf(tree, node);
  const isInterface = node.type === 'interface_declaration' || node.type === 'type_alias_declaration';
  const body = childIn(node, 'body') ?? childIn(node, 'value');
  const symbol = builder.openScope(node, {
    kind: 'class',
    name: path.slice(path.lastIndexOf('.') + 1),
    path,
    bases: basesOf(tree, node),
    signature: tree.source
      .slice(node.start, body?.start ?? node.end)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, 500),
    ...(doc ? { doc } : {}),
    ...(decorators.length > 0 ? { decorators } : {}),
    ...(isInterface || node.type === 'abstract_class_declaration' ? { abstract: true } : {}),
    ...(isExported(node) ? { exported: true } : {}),
  });
  const isDefault = node.parent?.type === 'export_statement' && childOfType(node.parent, 'default') !== undefined;
  if (isDefault || found?.exportedAs) {
    builder.facts.exports.push({ exported: found?.exportedAs ?? 'default', module: null, chain: symbol.qualname });
  }
}

function basesOf(tree: SyntaxTree, node: SyntaxNode): string[] {
  const heritage = childOfType(node, 'class_heritage') ?? childOfType(node, 'extends_type_clause', 'extends_clause');
  if (!heritage) return [];
  const clauses = heritage.type === 'class_heritage' ? heritage.children.filter((child) => child.named) : [heritage];
  const bases: string[] = [];
  for (const clause of clauses) {
    // In JavaScript the base stands in the heritage itself.
    const types = /clause$/.test(clause.type) ? namedChildren(clause) : [clause];
    for (const type of types) {
      if (type.type === 'type_arguments') continue;
      const chain = type.type === 'generic_type' || /type/.test(type.type) ? tree.text(type) : chainOf(tree, type);
      if (isNamed(chain)) bases.push(chain);
    }
  }
  return bases;
}

/** Parameters; a destructured one gets the name `{n}`, which the locals taken out of it refer to. */
export function parametersOf(tree: SyntaxTree, list: SyntaxNode | undefined): ParameterFact[] {
  if (!list) return [];
  if (list.type === 'identifier') return [{ name: tree.text(list) }];
  return namedChildren(list)
    .filter((node) => node.type !== 'decorator')
    .map((node, index) => {
      const pattern = childIn(node, 'pattern') ?? childIn(node, 'left') ?? node;
      const type = childIn(node, 'type');
      const value = childIn(node, 'value') ?? childIn(node, 'right');
      const chain = value ? chainOf(tree, value) : '?';
      const name = /pattern$/.test(pattern.type) && pattern.type !== 'rest_pattern' ? `{${index}}` : tree.text(pattern);
      return {
        name: name.replace(/^\.\.\./, ''),
        ...(type ? { type: typeText(tree, type) } : {}),
        ...(isNamed(chain) ? { value: chain } : {}),
      };
    });
}

function bindParameterPatterns(builder: FactsBuilder, list: SyntaxNode | undefined): void {
  if (!list || list.type === 'identifier') return;
  namedChildren(list).forEach((node, index) => {
    const pattern = childIn(node, 'pattern') ?? childIn(node, 'left') ?? node;
    if (pattern.type === 'object_pattern' || pattern.type === 'array_pattern')
      bindPattern(builder, pattern, [`{${index}}`]);
  });
}

/** `constructor(private readonly a: A)` declares an attribute. */
function addParameterProperties(builder: FactsBuilder, list: SyntaxNode | undefined): void {
  const owner = builder.enclosingClass;
  for (const node of list && owner ? namedChildren(list) : []) {
    if (!childOfType(node, 'accessibility_modifier', 'readonly', 'override_modifier')) continue;
    const name = builder.tree.text(childIn(node, 'pattern') ?? node);
    const type = childIn(node, 'type');
    const fact = {
      owner: owner!.qualname,
      name,
      values: [name],
      ...(type ? { type: typeText(builder.tree, type) } : {}),
    };
    builder.attribute(node, fact);
    builder.write(node, `this.${name}`, node);
  }
}

function signatureOf(tree: SyntaxTree, path: string, parameters?: SyntaxNode, returns?: SyntaxNode): string {
  const list = parameters ? tree.source.slice(parameters.start, (returns ?? parameters).end) : '()';
  return `${path.slice(path.lastIndexOf('.') + 1)}${list.startsWith('(') ? list : `(${list})`}`
    .replace(/\s+/g, ' ')
    .slice(0, 500);
}

/** The statement that holds a definition, where comments and `export` stand. */
function statementOf(node: SyntaxNode): SyntaxNode {
  let statement = node;
  while (
    statement.parent &&
    /^(variable_declarator|lexical_declaration|variable_declaration|export_statement|pair|public_field_definition|field_definition|assignment_expression|expression_statement)$/.test(
      statement.parent.type,
    )
  ) {
    statement = statement.parent;
  }
  return statement;
}

function isExported(node: SyntaxNode): boolean {
  const statement = statementOf(node);
  return statement.type === 'export_statement';
}

function docOf(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const statement = statementOf(node);
  const siblings = statement.parent?.children ?? [];
  let at = siblings.indexOf(statement) - 1;
  while (siblings[at]?.type === 'decorator') at -= 1;
  const comment = siblings[at];
  if (comment?.type !== 'comment' || !tree.text(comment).startsWith('/**')) return undefined;
  const text = tree
    .text(comment)
    .replace(/^\/\*\*|\*\/$/g, '')
    .replace(/^\s*\* ?/gm, '');
  return firstSentence(text.split(/^\s*@\w+/m)[0]!);
}

function decoratorsOf(tree: SyntaxTree, node: SyntaxNode): string[] {
  const own = node.children.filter((child) => child.type === 'decorator');
  const outer =
    node.parent?.type === 'export_statement' ? node.parent.children.filter((child) => child.type === 'decorator') : [];
  const siblings = node.parent?.type === 'class_body' ? node.parent.children : [];
  const before: SyntaxNode[] = [];
  for (let at = siblings.indexOf(node) - 1; siblings[at]?.type === 'decorator'; at--) before.unshift(siblings[at]!);
  return [...outer, ...before, ...own].map((decorator) => tree.shortText(decorator));
}
