import type { FileFacts } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, type SyntaxNode, type SyntaxTree, walk } from '../../syntax/tree';
import { addStructFields, assign, declare, declareAlias, declareConstant } from './assignments';
import { before, isTest } from './attributes';
import { addCall, addConstruct, addMacro } from './calls';
import { bindClosure, openClosure } from './closures';
import { type Around, bindGenerics, openFunction, openType } from './definitions';
import { chainOf, stringParts } from './expressions';
import { addModule, addUse } from './imports';
import { bindLet, bindLoop, bindMatch } from './patterns';
import { addAttributeTool, addEnumTools, addToolArms, addToolStruct, addTraitTool } from './tools';

interface Open extends Around {
  node: SyntaxNode;
}

/** Facts of a Rust source; `parseErrors` are those of the source as it is written. */
export function analyzeRust(tree: SyntaxTree, parseErrors: number): FileFacts {
  const builder = new FactsBuilder(tree);
  const around: Open[] = [{ node: tree.root, owner: undefined, test: false, modules: [] }];
  walk(tree.root, {
    enter: (node) => enter(builder, node, around),
    // Calls are added in the order they run: arguments and receivers first.
    leave(node) {
      if (node.type === 'call_expression') addCall(builder, node, around.at(-1)!.owner);
      else if (node.type === 'struct_expression') addConstruct(builder, node, around.at(-1)!.owner);
      else builder.closeScope(node);
      if (around.length > 1 && around.at(-1)!.node === node) around.pop();
    },
  });
  builder.facts.parseErrors = parseErrors;
  return builder.finish();
}

function enter(builder: FactsBuilder, node: SyntaxNode, open: Open[]): boolean {
  const { tree } = builder;
  const around = open.at(-1)!;
  switch (node.type) {
    case 'use_declaration':
      addUse(builder, node, around);
      return false;
    case 'mod_item':
      return enterModule(builder, node, open);
    case 'impl_item':
      enterImplementation(builder, node, open);
      return true;
    case 'trait_item':
      openType(builder, node, around);
      open.push({ ...around, node, owner: builder.symbol!.name });
      return true;
    case 'struct_item':
    case 'enum_item':
    case 'union_item':
      openType(builder, node, around);
      addNamedFiles(builder, node);
      if (node.type === 'enum_item' && builder.symbol) addEnumTools(builder, node, builder.symbol);
      return false;
    case 'function_item':
    case 'function_signature_item':
      openFunction(builder, node, around);
      if (builder.symbol) addAttributeTool(builder, builder.symbol);
      return true;
    case 'const_item':
    case 'static_item':
      declareConstant(builder, node, around);
      return true;
    case 'type_item':
    case 'associated_type':
      declareAlias(builder, node, around);
      return false;
    case 'let_declaration':
      declare(builder, node, around);
      return true;
    case 'let_condition': {
      const pattern = childIn(node, 'pattern');
      const value = childIn(node, 'value');
      const chain = value ? chainOf(tree, value) : '?';
      if (pattern) bindLet(builder, pattern, isNamed(chain) ? [chain] : []);
      return true;
    }
    case 'match_expression':
      bindMatch(builder, node);
      addToolArms(builder, node);
      return true;
    case 'for_expression':
      builder.loop(node);
      bindLoop(builder, node);
      return true;
    case 'while_expression':
    case 'loop_expression':
      builder.loop(node);
      return true;
    case 'closure_expression':
      if (!openClosure(builder, node)) bindClosure(builder, node);
      return true;
    case 'assignment_expression':
    case 'compound_assignment_expr':
      assign(builder, node, around);
      return true;
    case 'struct_expression':
      addStructFields(builder, node, around);
      addToolStruct(builder, node);
      return true;
    case 'field_expression':
      addFieldRead(builder, node);
      return true;
    case 'identifier':
      addPlainRead(builder, node);
      return false;
    case 'scoped_identifier':
      if (node.field !== 'function' && node.parent?.type !== 'scoped_identifier') addPathRead(builder, node);
      return false;
    case 'string_literal':
    case 'raw_string_literal':
      builder.string(node, stringParts(tree, node));
      return false;
    case 'macro_invocation':
      addMacro(builder, node);
      return false;
    case 'macro_definition':
    case 'attribute_item':
    case 'inner_attribute_item':
    case 'parameters':
    case 'where_clause':
    case 'visibility_modifier':
      return false;
    default:
      return (
        !/_type$|^(line|block)_comment$|^match_pattern$|_pattern$/.test(node.type) || node.type === 'match_pattern'
      );
  }
}

function enterModule(builder: FactsBuilder, node: SyntaxNode, open: Open[]): boolean {
  const { tree } = builder;
  const name = childIn(node, 'name');
  if (!name) return false;
  const around = open.at(-1)!;
  const { attributes } = before(tree, node);
  if (!childIn(node, 'body')) {
    addModule(builder, tree.text(name), attributes);
    return false;
  }
  builder.openNamespace(node, tree.text(name));
  const test = around.test || isTest(attributes);
  open.push({ node, owner: undefined, test, modules: [...around.modules, tree.text(name)] });
  return true;
}

/** `impl Trait for Type`: methods belong to the type; an `impl` for everything of a trait gives them to that trait. */
function enterImplementation(builder: FactsBuilder, node: SyntaxNode, open: Open[]): void {
  const { tree } = builder;
  const around = open.at(-1)!;
  const type = childIn(node, 'type');
  const trait = childIn(node, 'trait');
  const parameters = childIn(node, 'type_parameters');
  const name = /(\w+)\s*(?:<[\s\S]*)?$/.exec(
    (type ? tree.text(type) : '').replace(/^[&\s]*(?:'\w+\s+)?(?:mut\s+|dyn\s+)*/, '').split(/[<+]/)[0]!,
  )?.[1];
  const bound =
    parameters && name
      ? new RegExp(`\\b${name}\\s*:\\s*(?:[a-z_]\\w*::)*(\\w+)`).exec(tree.text(parameters))?.[1]
      : undefined;
  const owner = bound ?? name ?? '?';
  const path = type?.type === 'scoped_type_identifier' ? chainOf(tree, type) : '?';
  if (isNamed(path) && !bound) builder.local(owner, { values: [path], scope: '' });
  const scope = around.modules.join('.');
  const { attributes } = before(tree, node);
  open.push({ ...around, node, owner, test: around.test || isTest(attributes) });
  bindGenerics(builder, node, scope ? `${scope}.${owner}` : owner);
  const base = trait ? chainOf(tree, trait) : '?';
  if (isNamed(base)) {
    builder.facts.implementations ??= [];
    builder.facts.implementations.push({ type: owner, base, scope });
  }
  addTraitTool(builder, node, owner);
}

/** Files that attributes of a type name, such as the description of a tool. */
function addNamedFiles(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  for (const attribute of before(tree, node).nodes) {
    const path = /"([\w./-]+\.(?:md|txt|tpl|tmpl|j2|jinja2?|hbs|html|xml|ya?ml|json|toml))"/.exec(
      tree.text(attribute),
    )?.[1];
    if (!path) continue;
    const line = tree.line(attribute);
    builder.facts.strings.push({ scope: builder.scope, start: line, end: line, parts: [path] });
  }
}

function addFieldRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { parent, field } = node;
  if (!parent || parent.type === 'field_expression') return;
  if (field === 'left' && parent.type === 'assignment_expression') return;
  const chain = chainOf(builder.tree, node);
  if (!isNamed(chain)) return;
  const isCalled = field === 'function';
  const read = isCalled ? chain.slice(0, chain.lastIndexOf('.')) : chain;
  if (read.includes('.') || isCalled) builder.read(node, read);
}

function addPathRead(builder: FactsBuilder, node: SyntaxNode): void {
  const chain = chainOf(builder.tree, node);
  if (isNamed(chain)) builder.read(node, chain);
}

function addPlainRead(builder: FactsBuilder, node: SyntaxNode): void {
  const { parent, field } = node;
  if (!parent || field === 'name' || field === 'function' || field === 'pattern' || field === 'label') return;
  if (field === 'value' && parent.type === 'field_expression') return;
  if (/^(scoped_identifier|closure_parameters|parameter|tuple_struct_pattern|captured_pattern)$/.test(parent.type))
    return;
  builder.read(node, builder.tree.text(node));
}
