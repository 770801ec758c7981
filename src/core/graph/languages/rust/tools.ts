import type { SymbolFact } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { addNamedTool, addTool, type NameRead } from '../../syntax/tools';
import { childIn, type SyntaxNode, type SyntaxTree, walk } from '../../syntax/tree';
import { attributeValue, before, derives } from './attributes';
import { chainOf, codeChildren, givenTo, plainString } from './expressions';

const toolEnum =
  /^(?:Tools?|ToolCatalog|ToolKind|ToolName|ToolInput|ToolRequest|BuiltinTools?|ToolAction|AgentTools?)$/;
const toolType =
  /(?:^|\.)(?:\w*Tool|ToolDefinition|FunctionDeclaration|FunctionDefinition|FunctionObject|ToolSpec|ToolInfo|ToolSchema|ChatCompletionTool)$/;
/** A function that carries tools out, rather than one that describes or judges them. */
const running = /(?:^|_)(?:call|execute|exec|run|dispatch|invoke|handle|perform|process)(?:_|$)/;
/** What prepares a value before it is handed to what runs. */
const preparing =
  /(?:^|\.)(?:clone|into|to_string|as_ref|as_str|unwrap\w*|expect|new|from|default|format|info|debug|warn|trace|error|bail|anyhow|Ok|Err|Some|len|is_\w+)$/;

/** `#[tool(name = "x", description = "...")] fn x()`: the function is the tool. */
export function addAttributeTool(builder: FactsBuilder, symbol: SymbolFact): void {
  const mark = symbol.decorators?.find((text) => /^#\[(?:\w+::)*tool\b/.test(text));
  if (!mark) return;
  const description = attributeValue([mark], 'description') ?? symbol.doc;
  const name = attributeValue([mark], 'name') ?? symbol.name;
  addTool(builder, symbol, { name, description, implementations: [symbol.qualname] });
}

/** An enum of tools: each variant is one, by its name as it is sent to the model. */
export function addEnumTools(builder: FactsBuilder, node: SyntaxNode, symbol: SymbolFact): void {
  const { tree } = builder;
  const { attributes } = before(tree, node);
  if (!toolEnum.test(symbol.name) || !derives(attributes, /\b(Deserialize|JsonSchema|EnumIter|EnumString)\b/)) return;
  const style = attributeValue(attributes, 'rename_all') ?? attributeValue(attributes, 'serialize_all');
  for (const variant of codeChildren(childIn(node, 'body') ?? node)) {
    const name = variant.type === 'enum_variant' ? childIn(variant, 'name') : undefined;
    if (!name) continue;
    const own = before(tree, variant);
    const sent =
      attributeValue(own.attributes, 'rename') ??
      attributeValue(own.attributes, 'serialize') ??
      styled(tree.text(name), style);
    addTool(builder, variant, { name: sent, description: own.doc, implementations: [] });
    // What the variant is called is the text that leads from other places to the tool.
    const place = builder.facts.attributes.findLast(
      (fact) => fact.owner === symbol.qualname && fact.name === tree.text(name),
    );
    if (place) place.detail = `"${sent}"`;
  }
}

function styled(name: string, style: string | undefined): string {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').split(' ');
  if (style === 'kebab-case') return words.join('-').toLowerCase();
  if (style === 'lowercase') return name.toLowerCase();
  if (style === 'camelCase') return name[0]!.toLowerCase() + name.slice(1);
  return style === undefined ? name : words.join('_').toLowerCase();
}

/** `ToolCatalog::Read(input) => self.read(input)`: what an arm calls runs the tool. */
export function addToolArms(builder: FactsBuilder, match: SyntaxNode): void {
  const { tree } = builder;
  if (!running.test(builder.enclosingFunction?.name ?? '')) return;
  for (const arm of codeChildren(childIn(match, 'body') ?? match)) {
    const pattern = childIn(arm, 'pattern');
    const value = childIn(arm, 'value');
    const found = pattern && /^(?:\w+::)*(\w+)::(\w+)\s*[({]/.exec(tree.text(pattern));
    if (!found || !value || !toolEnum.test(found[1]!)) continue;
    const runs = calledIn(builder, value);
    if (runs.length === 0) continue;
    const name = `${found[1]!}.${found[2]!}`;
    addTool(builder, arm, { name, nameChain: true, elsewhere: true, implementations: runs });
  }
}

/** The call that an arm is about: the last that does more than prepare, in source order. */
function calledIn(builder: FactsBuilder, value: SyntaxNode): string[] {
  const found: string[] = [];
  walk(value, {
    enter: (node) => node.type !== 'closure_expression',
    leave(node) {
      const callee = node.type === 'call_expression' ? childIn(node, 'function') : undefined;
      const chain = callee ? chainOf(builder.tree, callee) : '?';
      if (isNamed(chain) && !preparing.test(chain) && /^(self|[a-z_:])/.test(chain)) found.push(chain);
    },
  });
  return found.slice(-1);
}

/** `const NAME: &str = "x"` in `impl Tool for X`: X is a tool that its `call` runs. */
export function addTraitTool(builder: FactsBuilder, impl: SyntaxNode, owner: string): void {
  const { tree } = builder;
  const trait = childIn(impl, 'trait');
  if (!trait || !/(^|::)(\w*Tool|ToolHandler|ToolExecutor)(<|$)/.test(tree.text(trait))) return;
  let name: string | undefined;
  let description: string | undefined;
  const runs: string[] = [];
  for (const item of codeChildren(childIn(impl, 'body') ?? impl)) {
    const label = childIn(item, 'name');
    const text = label ? tree.text(label) : '';
    if (item.type === 'const_item' && text === 'NAME') name = plainString(tree, childIn(item, 'value'));
    if (item.type !== 'function_item') continue;
    if (/^(call|run|execute|invoke|handle)$/.test(text)) runs.push(`${owner}.${text}`);
    const last = codeChildren(childIn(item, 'body') ?? item).at(-1);
    if (text === 'name') name ??= plainString(tree, last);
    if (text === 'description') description = plainString(tree, last);
  }
  if (name === undefined) return;
  addTool(builder, impl, { name, description, implementations: runs });
}

/** `ToolDefinition { name: "x".into(), description: ... }`. */
export function addToolStruct(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const type = childIn(node, 'name');
  const body = childIn(node, 'body');
  if (!type || !body || !toolType.test(chainOf(tree, type))) return;
  const fields = new Map<string, SyntaxNode | undefined>();
  for (const field of codeChildren(body)) {
    const key = childIn(field, 'field');
    if (key) fields.set(tree.text(key), childIn(field, 'value'));
  }
  if (!fields.has('description')) return;
  addNamedTool(builder, node, nameIn(tree, fields.get('name')), {
    description: plainString(tree, fields.get('description')),
    implementations: [],
  });
}

/** `Tool::new("x", "description", schema)`, `registry.register("x", handler)`. */
export function addToolCall(builder: FactsBuilder, node: SyntaxNode, chain: string): void {
  const { tree } = builder;
  const given = givenTo(node);
  if (/(?:^|\.)register_(?:tool|handler|function)$/.test(chain) && given.length === 2) {
    const handler = chainOf(tree, given[1]!);
    const runs = isNamed(handler) ? [handler, `${handler}.handle`, `${handler}.call`] : [];
    addNamedTool(builder, node, nameIn(tree, given[0]), { implementations: runs });
    return;
  }
  if (!/(?:^|\.)\w*Tool(?:Definition)?\.new$/.test(chain) || given.length < 2) return;
  const description = plainString(tree, given[1]);
  if (description?.includes(' '))
    addNamedTool(builder, node, nameIn(tree, given[0]), { description, implementations: [] });
}

function nameIn(tree: SyntaxTree, node: SyntaxNode | undefined): NameRead | undefined {
  return node && { plain: plainString(tree, node), chain: chainOf(tree, node) };
}
