import type { SymbolFact } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { addTool } from '../../syntax/tools';
import { childIn, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { chainOf, plainString } from './expressions';

const toolDecorator = /(^|\.)(tool|function_tool|beta_tool|register_tool|tool_plain|ai_function)$/;
const toolCallee =
  /(^|\.)(\w*Tool|\w*ToolParam|from_function|from_defaults|FunctionDeclaration|ChatCompletionToolParam\w*)$/;
const schemaKeys = ['parameters', 'input_schema', 'inputSchema', 'args_schema'];
const runKeys = ['func', 'fn', 'function', 'handler', 'coroutine', 'callable', 'execute', 'run'];
const runMethods = /^(run|_run|arun|_arun|execute|invoke|forward|__call__|call|handle)$/;

/** `@tool`, `@server.tool(name="x")` and the like: the function is the tool. */
export function addDecoratedTool(
  builder: FactsBuilder,
  symbol: SymbolFact,
  decorators: SyntaxNode[],
  doc: string | undefined,
): void {
  const { tree } = builder;
  for (const decorator of decorators) {
    const expression = namedChildren(decorator)[0];
    if (!expression) continue;
    const callee = expression.type === 'call' ? childIn(expression, 'function') : expression;
    if (!callee || !toolDecorator.test(chainOf(tree, callee))) continue;
    const given = entriesOf(tree, childIn(expression, 'arguments'));
    const positional =
      expression.type === 'call' ? namedChildren(childIn(expression, 'arguments') ?? expression)[0] : undefined;
    const name = plainString(tree, given.get('name')) ?? plainString(tree, positional) ?? symbol.name;
    const description = plainString(tree, given.get('description')) ?? doc;
    addTool(builder, symbol, { name, description, implementations: [symbol.qualname] });
    return;
  }
}

/** A class with `name` and `description` attributes and a method that runs it. */
export function addClassTool(builder: FactsBuilder, node: SyntaxNode, symbol: SymbolFact): void {
  const { tree } = builder;
  const body = childIn(node, 'body');
  if (!body) return;
  const values = new Map<string, SyntaxNode>();
  const methods: string[] = [];
  for (const child of namedChildren(body)) {
    const assignment = child.type === 'expression_statement' ? child.children[0] : undefined;
    const left = assignment?.type === 'assignment' ? childIn(assignment, 'left') : undefined;
    const right = assignment ? childIn(assignment, 'right') : undefined;
    if (left?.type === 'identifier' && right) values.set(tree.text(left), right);
    const definition = child.type === 'decorated_definition' ? childIn(child, 'definition') : child;
    const name = definition?.type === 'function_definition' ? childIn(definition, 'name') : undefined;
    if (name && runMethods.test(tree.text(name))) methods.push(`${symbol.qualname}.${tree.text(name)}`);
  }
  const name = plainString(tree, values.get('name'));
  const description = plainString(tree, values.get('description'));
  const isTool = methods.length > 0 && (description !== undefined || symbol.bases?.some((base) => /Tool\b/.test(base)));
  if (!name || !isTool) return;
  addTool(builder, symbol, { name, description, implementations: methods });
}

/** `{"name": ..., "description": ..., "parameters": ...}` and `Tool(name=..., description=..., func=...)`. */
export function addDeclaredTool(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const isCall = node.type === 'call';
  if (isCall && !toolCallee.test(chainOf(tree, childIn(node, 'function') ?? node))) return;
  const entries = entriesOf(tree, isCall ? childIn(node, 'arguments') : node);
  const nameNode = entries.get('name');
  if (!nameNode || !(isCall || schemaKeys.some((key) => entries.has(key)))) return;
  const runs = runKeys.flatMap((key) => entries.get(key) ?? []).map((value) => chainOf(tree, value));
  if (!entries.has('description') && runs.length === 0) return;
  const plain = plainString(tree, nameNode);
  const chain = plain === undefined ? chainOf(tree, nameNode) : undefined;
  if (plain === undefined && !isNamed(chain!)) return;
  const description = plainString(tree, entries.get('description'));
  addTool(builder, node, {
    name: plain ?? chain!,
    nameChain: plain === undefined,
    description,
    implementations: runs.filter(isNamed),
  });
}

/** Values by key of a dictionary or by name of keyword arguments. */
function entriesOf(tree: SyntaxTree, node: SyntaxNode | undefined): Map<string, SyntaxNode> {
  const entries = new Map<string, SyntaxNode>();
  for (const child of node?.children ?? []) {
    const value = childIn(child, 'value');
    if (!value) continue;
    const key = child.type === 'pair' ? plainString(tree, childIn(child, 'key')) : undefined;
    const name = child.type === 'keyword_argument' ? tree.text(childIn(child, 'name') ?? child) : key;
    if (name) entries.set(name, value);
  }
  return entries;
}
