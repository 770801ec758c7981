import type { ParameterFact } from '../../fileFacts';
import { type FactsBuilder, firstSentence } from '../../syntax/factsBuilder';
import { childIn, childOfType, childrenIn, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { closurePath } from './closures';
import { chainOf } from './expressions';

/** A function, a method with its receiver, or what an interface asks for. */
export function openFunction(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  if (!name) return;
  const text = tree.text(name);
  const receiver = receiverOf(tree, node);
  const isMember = node.type !== 'function_declaration';
  const doc = docOf(tree, node);
  const symbol = builder.openScope(node, {
    kind: isMember ? 'method' : 'function',
    name: text,
    ...(receiver ? { path: `${receiver.type}.${text}`, receiver: receiver.type } : {}),
    ...shapeOf(builder, node, text),
    ...(doc ? { doc } : {}),
    ...(isExported(text) ? { exported: true } : {}),
    ...(node.type === 'method_elem' ? { abstract: true } : {}),
    ...(text === 'main' && !isMember && builder.facts.package === 'main' ? { entry: 'program' } : {}),
  });
  const result = childIn(node, 'result');
  for (const { name: named, type } of result?.type === 'parameter_list' ? parametersOf(tree, result) : [])
    if (named !== '_' && type) builder.local(named, { type, scope: symbol.qualname });
  if (receiver?.name) builder.local(receiver.name, { type: receiver.type, scope: symbol.qualname });
}

/** A function literal that has a name by where it stands. */
export function openClosure(builder: FactsBuilder, node: SyntaxNode): void {
  const path = closurePath(builder.tree, node);
  if (!path) {
    bindParameters(builder, node);
    return;
  }
  const name = path.slice(path.lastIndexOf('.') + 1);
  const literal = node.parent?.parent?.parent?.parent;
  const type = literal?.type === 'composite_literal' ? childIn(literal, 'type') : undefined;
  const isCommand = /^RunE?$/.test(name) && type !== undefined && chainOf(builder.tree, type) === 'cobra.Command';
  const shape = shapeOf(builder, node, name);
  builder.openScope(node, { kind: 'function', name, path, ...shape, ...(isCommand ? { entry: 'command' } : {}) });
}

function shapeOf(
  { tree }: FactsBuilder,
  node: SyntaxNode,
  name: string,
): { signature: string; parameters: ParameterFact[]; returns?: string } {
  const parameters = childIn(node, 'parameters');
  const result = childIn(node, 'result');
  const from = parameters?.start ?? node.start;
  return {
    signature: `${name}${tree.source.slice(from, (result ?? parameters ?? node).end)}`
      .replace(/\s+/g, ' ')
      .slice(0, 500),
    parameters: parameters ? parametersOf(tree, parameters) : [],
    ...(result ? { returns: tree.shortText(result) } : {}),
  };
}

/** Parameters of a literal without a node of its own are names in the function around it. */
function bindParameters(builder: FactsBuilder, node: SyntaxNode): void {
  const list = childIn(node, 'parameters');
  for (const { name, type } of list ? parametersOf(builder.tree, list) : [])
    if (name !== '_') builder.local(name, type ? { type } : {});
}

export function parametersOf(tree: SyntaxTree, list: SyntaxNode): ParameterFact[] {
  return namedChildren(list).flatMap((node) => {
    const type = childIn(node, 'type');
    if (!type) return [];
    const text = tree.shortText(type);
    const written = node.type === 'variadic_parameter_declaration' ? `[]${text}` : text;
    const names = childrenIn(node, 'name');
    // A parameter without a name still takes its place.
    return (names.length > 0 ? names.map((name) => tree.text(name)) : ['_']).map((name) => ({ name, type: written }));
  });
}

function receiverOf(tree: SyntaxTree, node: SyntaxNode): { name: string | undefined; type: string } | undefined {
  const list = childIn(node, 'receiver');
  const parameter = list ? namedChildren(list)[0] : undefined;
  const type = parameter ? childIn(parameter, 'type') : undefined;
  if (!type) return undefined;
  const name = childIn(parameter!, 'name');
  return { name: name ? tree.text(name) : undefined, type: chainOf(tree, type).replace(/[^\w]/g, '') };
}

/** A struct, an interface, or another named type; an alias is a name for its type. */
export function openType(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  const type = childIn(node, 'type');
  if (!name || !type) return;
  const text = tree.text(name);
  if (node.type === 'type_alias') {
    builder.local(text, { type: tree.shortText(type), alias: true });
    return;
  }
  const doc = docOf(tree, node);
  const isStructured = /^(struct|interface)_type$/.test(type.type);
  const parameters = childIn(node, 'type_parameters');
  const symbol = builder.openScope(node, {
    kind: 'class',
    name: text,
    signature: (isStructured ? `type ${text} ${type.type.split('_')[0]}` : `type ${tree.text(node)}`)
      .replace(/\s+/g, ' ')
      .slice(0, 500),
    bases: embeddedIn(type).map((base) => chainOf(tree, base)),
    ...(doc ? { doc } : {}),
    ...(isExported(text) ? { exported: true } : {}),
    ...(type.type === 'interface_type' ? { abstract: true } : {}),
  });
  for (const parameter of parameters ? namedChildren(parameters) : [])
    for (const each of childrenIn(parameter, 'name'))
      builder.local(tree.text(each), { type: 'any', scope: symbol.qualname });
}

/** Types of which a struct or interface takes over the members. */
function embeddedIn(type: SyntaxNode): SyntaxNode[] {
  if (type.type === 'interface_type') {
    return type.children.filter((child) => child.type === 'type_elem').flatMap((child) => onlyType(child));
  }
  const list = type.type === 'struct_type' ? childOfType(type, 'field_declaration_list') : undefined;
  return namedChildren(list ?? type).flatMap((field) => {
    const embedded = field.type === 'field_declaration' && !childIn(field, 'name') ? childIn(field, 'type') : undefined;
    return embedded ? [embedded] : [];
  });
}

function onlyType(element: SyntaxNode): SyntaxNode[] {
  const types = namedChildren(element);
  return types.length === 1 && /^(type_identifier|qualified_type|generic_type)$/.test(types[0]!.type) ? types : [];
}

/** Fields of a struct; an embedded one is reached by the name of its type. */
export function addField(builder: FactsBuilder, node: SyntaxNode): void {
  const owner = builder.symbol;
  const type = childIn(node, 'type');
  if (owner?.kind !== 'class' || !type) return;
  const { tree } = builder;
  const tag = childIn(node, 'tag');
  const text = tree.shortText(type);
  const detail = tag ? { detail: tree.shortText(tag) } : {};
  const names = childrenIn(node, 'name').map((name) => tree.text(name));
  const embedded = chainOf(tree, type);
  for (const name of names.length > 0 ? names : [embedded.slice(embedded.lastIndexOf('.') + 1)])
    if (name !== '_') builder.attribute(node, { owner: owner.qualname, name, type: text, ...detail });
  if (tag) addConfigurationField(builder, node, owner.name, tree.text(tag));
}

/** A field of a struct that is read from a configuration file, by the key its tag gives it. */
function addConfigurationField(builder: FactsBuilder, node: SyntaxNode, owner: string, tag: string): void {
  const key = /\b(?:json|yaml|toml|mapstructure|koanf)\s*:\s*"([\w.-]+)/.exec(tag)?.[1];
  if (!key || key === '-' || !/(config|options|settings|preferences)$/i.test(owner)) return;
  const otherwise = /\bdefault(?:=|:\s*")([^",]+)/.exec(tag)?.[1];
  builder.configuration(node, key, otherwise);
}

export function isExported(name: string): boolean {
  return /^\p{Lu}/u.test(name);
}

/** The comment that ends on the line above a declaration, without directives. */
export function docOf(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const statement = node.parent && /^(type|var|const)_declaration$/.test(node.parent.type) ? node.parent : node;
  const siblings = (statement === node || statement.children.length > 1 ? node : statement).parent?.children ?? [];
  const lines: string[] = [];
  let above = tree.line(siblings.includes(node) ? node : statement);
  let at = siblings.indexOf(siblings.includes(node) ? node : statement) - 1;
  for (; at >= 0 && siblings[at]?.type === 'comment' && tree.endLine(siblings[at]!) === above - 1; at--) {
    above = tree.line(siblings[at]!);
    const text = tree.text(siblings[at]!);
    if (!/^\/\/(go|nolint|line|export)\b\S*/.test(text)) lines.unshift(text.replace(/^\/\/ ?|^\/\*|\*\/$/g, ''));
  }
  return lines.length > 0 ? firstSentence(lines.join('\n')) : undefined;
}
