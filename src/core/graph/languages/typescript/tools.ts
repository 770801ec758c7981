import type { SymbolFact, ToolFact } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { addTool } from '../../syntax/tools';
import { childIn, namedChildren, type SyntaxNode } from '../../syntax/tree';
import { chainOf, plainString } from './expressions';
import { keyText, pathOf } from './functionNames';

const schemaKeys = ['parameters', 'inputSchema', 'input_schema', 'parametersJsonSchema', 'schema'];
const runKeys = ['execute', 'handler', 'run', 'call', 'func', 'invoke', 'callback'];
const runMethods = new Set(runKeys);

/** Finds tool declarations and joins them with the functions that stand in the same object. */
export class ToolCollector {
  private readonly byObject = new Map<SyntaxNode, ToolFact>();

  constructor(private readonly builder: FactsBuilder) {}

  /** `{ name, description, parameters, execute }`, also without a name inside `tool({...})`. */
  addObject(node: SyntaxNode): void {
    const { tree } = this.builder;
    const entries = entriesOf(this.builder, node);
    const hasSchema = schemaKeys.some((key) => entries.has(key));
    const hasRun = runKeys.some((key) => entries.has(key));
    if (!entries.has('description') || !(hasSchema || hasRun)) return;
    const nameNode = entries.get('name');
    if (!nameNode && !isToolCall(this.builder, node)) return;
    const plain = plainString(tree, nameNode);
    const chain = nameNode && plain === undefined ? chainOf(tree, nameNode) : undefined;
    const place = nameNode ? undefined : pathOf(tree, node, this.builder.scope)?.path;
    const name = plain ?? (chain && isNamed(chain) ? chain : undefined) ?? place?.slice(place.lastIndexOf('.') + 1);
    // An object with a name and a run function but no schema may be a command, so it must say that it takes a schema.
    if (!name || (!hasSchema && plain === undefined)) return;
    const runs = runKeys.map((key) => entries.get(key)).filter((value) => value !== undefined);
    const description = plainString(tree, entries.get('description'));
    const tool = addTool(this.builder, node, {
      name,
      nameChain: chain !== undefined,
      description,
      implementations: runs.map((value) => chainOf(tree, value)).filter(isNamed),
    });
    this.byObject.set(node, tool);
  }

  /** A function inside an object: when the object is a tool, it runs the tool. */
  addImplementation(holder: SyntaxNode, symbol: SymbolFact): void {
    const tool = this.byObject.get(holder);
    if (tool && runMethods.has(symbol.name)) tool.implementations.push(symbol.qualname);
  }

  /** `server.registerTool('name', { description }, handler)` and `server.tool('name', 'description', schema, handler)`. */
  addRegistration(node: SyntaxNode, callee: string, given: readonly SyntaxNode[]): void {
    const { tree } = this.builder;
    if (!/(^|\.)(registerTool|addTool|tool)$/.test(callee) || given.length < 2) return;
    const name = plainString(tree, given[0]);
    if (!name) return;
    const options = given.find((argument) => argument.type === 'object');
    const described = options ? entriesOf(this.builder, options).get('description') : undefined;
    const description = plainString(tree, described) ?? plainString(tree, given[1]);
    const handler = given.at(-1)!;
    const chain = chainOf(tree, handler);
    addTool(this.builder, node, {
      name,
      description,
      implementations: isNamed(chain) ? [chain] : [this.builder.scope].filter((scope) => scope !== ''),
    });
  }

  /** A class with `name` and `description` fields, or `super('name', ...)` in a class whose base is a tool. */
  addClass(node: SyntaxNode, symbol: SymbolFact): void {
    const { tree } = this.builder;
    const fields = new Map<string, SyntaxNode>();
    const methods: string[] = [];
    for (const child of childIn(node, 'body')?.children ?? []) {
      const key = childIn(child, 'name') ?? childIn(child, 'property');
      if (!key) continue;
      const value = childIn(child, 'value');
      if (value) fields.set(tree.text(key), value);
      if (child.type === 'method_definition' && runMethods.has(tree.text(key)))
        methods.push(`${symbol.qualname}.${tree.text(key)}`);
    }
    const name = plainString(tree, fields.get('name'));
    if (!name || !fields.has('description') || methods.length === 0) return;
    const description = plainString(tree, fields.get('description'));
    addTool(this.builder, symbol, { name, description, implementations: methods });
  }

  /** `super(name, displayName, description, ...)` of a tool class. */
  addSuperCall(given: readonly SyntaxNode[]): void {
    const owner = this.builder.enclosingClass;
    if (!owner || given.length < 2 || !owner.bases?.some((base) => /Tool(<|$)/.test(base))) return;
    const { tree } = this.builder;
    const plain = plainString(tree, given[0]);
    const chain = chainOf(tree, given[0]!);
    if (plain === undefined && !isNamed(chain)) return;
    const description = given
      .slice(1)
      .map((argument) => plainString(tree, argument))
      .sort((a, b) => (b?.length ?? 0) - (a?.length ?? 0))[0];
    addTool(this.builder, owner, {
      name: plain ?? chain,
      nameChain: plain === undefined,
      description,
      implementations: [`${owner.qualname}.execute`],
    });
  }
}

function isToolCall(builder: FactsBuilder, node: SyntaxNode): boolean {
  const call = node.parent?.type === 'arguments' ? node.parent.parent : undefined;
  const callee = call?.type === 'call_expression' ? childIn(call, 'function') : undefined;
  return callee !== undefined && /(^|\.)(tool|dynamicTool|createTool|defineTool)$/.test(chainOf(builder.tree, callee));
}

/** Values by key; methods and shorthand names count as values. */
function entriesOf({ tree }: FactsBuilder, node: SyntaxNode): Map<string, SyntaxNode> {
  const entries = new Map<string, SyntaxNode>();
  for (const child of namedChildren(node)) {
    if (child.type === 'pair') {
      const value = childIn(child, 'value');
      if (value) entries.set(keyText(tree, childIn(child, 'key')), value);
    } else if (child.type === 'method_definition') {
      entries.set(keyText(tree, childIn(child, 'name')), child);
    } else if (child.type === 'shorthand_property_identifier') {
      entries.set(tree.text(child), child);
    }
  }
  return entries;
}
