import { splitTop } from '../../brackets';
import type { ParameterFact } from '../../fileFacts';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childOfType, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { attributeValue, before, derives, isTest, summary } from './attributes';
import { chainOf, codeChildren } from './expressions';
import { bindPattern } from './patterns';

/** The type that an `impl` or `trait` around the current place is about, and whether it is compiled for tests only. */
export interface Around {
  /** Receiver of methods; `Self` stands for it. */
  owner: string | undefined;
  test: boolean;
  modules: string[];
}

/** A function, a method of an `impl`, or what a trait asks for. */
export function openFunction(builder: FactsBuilder, node: SyntaxNode, around: Around): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  if (!name) return;
  const text = tree.text(name);
  const isMember = node.parent?.type === 'declaration_list' && around.owner !== undefined;
  const owner = isMember ? around.owner : undefined;
  const { attributes, doc, start } = before(tree, node);
  const parameters = childIn(node, 'parameters');
  const returns = childIn(node, 'return_type');
  const inTrait = builder.symbol?.kind === 'class';
  const symbol = builder.openScope(node, {
    kind: owner ? 'method' : 'function',
    name: text,
    ...(owner && !inTrait ? { path: `${owner}.${text}`, receiver: owner } : {}),
    start,
    signature: tree.source
      .slice(name.start, (returns ?? parameters ?? name).end)
      .replace(/\s+/g, ' ')
      .slice(0, 500),
    parameters: parameters ? parametersOf(tree, parameters, owner) : [],
    ...(returns ? { returns: own(tree.shortText(returns, 300), owner) } : {}),
    ...(summary(doc) ? { doc: summary(doc)! } : {}),
    ...(attributes.length > 0 ? { decorators: attributes } : {}),
    ...(childOfType(node, 'visibility_modifier') ? { exported: true } : {}),
    ...(isAsync(tree, node) ? { async: true } : {}),
    ...(node.type === 'function_signature_item' ? { abstract: true } : {}),
    ...(around.test || isTest(attributes) ? { test: true } : {}),
    ...(text === 'main' && !owner && around.modules.length === 0 ? { entry: 'program' as const } : {}),
  });
  if (owner && parameters && childOfType(parameters, 'self_parameter'))
    builder.local('self', { type: owner, scope: symbol.qualname });
  bindGenerics(builder, node, symbol.qualname);
  for (const parameter of parameters ? codeChildren(parameters) : []) {
    const pattern = childIn(parameter, 'pattern');
    if (pattern && pattern.type !== 'identifier') bindPattern(builder, pattern, []);
  }
}

function isAsync(tree: SyntaxTree, node: SyntaxNode): boolean {
  const modifiers = childOfType(node, 'function_modifiers');
  return modifiers !== undefined && /\basync\b/.test(tree.text(modifiers));
}

/** Type parameters stand for what they are bound by. */
export function bindGenerics(builder: FactsBuilder, node: SyntaxNode, scope: string): void {
  const { tree } = builder;
  const list = childIn(node, 'type_parameters');
  const where = childOfType(node, 'where_clause');
  const found = new Map<string, string>();
  // The parser keeps type parameters as text; bounds are split at the top commas.
  for (const text of [
    list ? tree.text(list).slice(1, -1) : '',
    where ? tree.text(where).replace(/^where\b/, '') : '',
  ]) {
    for (const part of splitTop(text)) {
      const named = /^(\w+)\s*:\s*([\s\S]+)$/.exec(part.replace(/\s*=\s*[^<>=]*$/, ''));
      if (named && !found.get(named[1]!)) found.set(named[1]!, named[2]!.replace(/\s+/g, ' '));
      else if (/^\w+$/.test(part) && part !== 'const' && !found.has(part)) found.set(part, '');
    }
  }
  for (const [name, type] of found) {
    // An `impl` may ask for more than the type it is about.
    const known = builder.facts.locals.find((local) => local.scope === scope && local.name === name);
    if (!known) builder.local(name, { type: type || 'any', alias: true, scope });
    else if (known.type === 'any') known.type = type || 'any';
    else if (type && known.type !== type && (known.type ?? '').length < 300) known.type = `${known.type} + ${type}`;
  }
}

/** `Self` is the type around. */
export function own(text: string, owner: string | undefined): string {
  return owner ? text.replace(/\bSelf\b(?!::)/g, owner) : text;
}

export function parametersOf(tree: SyntaxTree, list: SyntaxNode, owner?: string): ParameterFact[] {
  return codeChildren(list).flatMap((node) => {
    if (/^(self_parameter|variadic_parameter)$/.test(node.type)) return [];
    const pattern = childIn(node, 'pattern') ?? node;
    const type = childIn(node, 'type');
    return [{ name: tree.text(pattern), ...(type ? { type: own(tree.shortText(type), owner) } : {}) }];
  });
}

/** A struct, enum, union or trait with its fields. */
export function openType(builder: FactsBuilder, node: SyntaxNode, around: Around): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  if (!name) return;
  const text = tree.text(name);
  const { attributes, doc, start } = before(tree, node);
  const bounds = node.type === 'trait_item' ? childIn(node, 'bounds') : undefined;
  const symbol = builder.openScope(node, {
    kind: 'class',
    name: text,
    start,
    signature: `${node.type.replace(/_item$/, '')} ${text}`,
    bases: bounds
      ? codeChildren(bounds)
          .map((bound) => chainOf(tree, bound))
          .filter((chain) => /^[\w.:]+$/.test(chain))
      : [],
    ...(summary(doc) ? { doc: summary(doc)! } : {}),
    ...(attributes.length > 0 ? { decorators: attributes } : {}),
    ...(childOfType(node, 'visibility_modifier') ? { exported: true } : {}),
    ...(node.type === 'trait_item' ? { abstract: true } : {}),
    ...(around.test || isTest(attributes) ? { test: true } : {}),
  });
  bindGenerics(builder, node, symbol.qualname);
  const body = childIn(node, 'body');
  if (!body || node.type === 'trait_item') return;
  if (node.type === 'enum_item') addVariants(builder, symbol.qualname, text, body);
  else addFields(builder, symbol.qualname, body, isConfiguration(text, attributes), '');
}

function isConfiguration(name: string, attributes: readonly string[]): boolean {
  if (derives(attributes, /\b(Parser|Args)\b/)) return true;
  return derives(attributes, /\bDeserialize\b/) && /(Config|Settings|Options|Preferences)$/.test(name);
}

/** Fields by name, those of tuples by number; `before` stands before the names of a variant's payload. */
function addFields(builder: FactsBuilder, owner: string, body: SyntaxNode, configures: boolean, prefix: string): void {
  const { tree } = builder;
  let position = 0;
  for (const child of codeChildren(body)) {
    if (child.type === 'field_declaration') {
      const name = childIn(child, 'name');
      const type = childIn(child, 'type');
      if (!name || !type) continue;
      const { attributes } = before(tree, child);
      const detail = attributeValue(attributes, 'default_value') ?? attributeValue(attributes, 'default');
      const text = tree.text(name);
      builder.attribute(child, {
        owner,
        name: prefix + text,
        type: tree.shortText(type),
        ...(detail ? { detail } : {}),
      });
      if (configures) addConfigurationField(builder, child, text, attributes);
    } else if (child.field === 'type' || /_type$|^type_identifier$/.test(child.type)) {
      builder.attribute(child, { owner, name: `${prefix}${position}`, type: tree.shortText(child) });
      position += 1;
    }
  }
}

function addConfigurationField(
  builder: FactsBuilder,
  node: SyntaxNode,
  name: string,
  attributes: readonly string[],
): void {
  const long = attributes.some((text) => /^#\[(arg|clap)\b/.test(text)) ? name.replaceAll('_', '-') : name;
  const otherwise =
    attributeValue(attributes, 'default_value') ??
    attributes.map((text) => /\bdefault_value_t\s*=\s*([^,)\]]+)/.exec(text)?.[1]).find(Boolean);
  const key = attributeValue(attributes, 'rename') ?? attributeValue(attributes, 'long') ?? long;
  builder.configuration(node, key, otherwise);
  const variable = attributeValue(attributes, 'env');
  if (variable) builder.configuration(node, variable, otherwise);
}

/** A variant makes a value of the enum; its payload is kept for what patterns take out of it. */
function addVariants(builder: FactsBuilder, owner: string, name: string, body: SyntaxNode): void {
  const { tree } = builder;
  for (const variant of codeChildren(body)) {
    const own = childIn(variant, 'name');
    if (variant.type !== 'enum_variant' || !own) continue;
    const text = tree.text(own);
    builder.attribute(variant, { owner, name: text, values: [name] });
    const payload = childIn(variant, 'body');
    if (payload) addFields(builder, owner, payload, false, `${text}:`);
  }
}
