import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { addNamedTool, type NameRead } from '../../syntax/tools';
import { childIn, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { closurePath, toolMaker } from './closures';
import { chainOf, plainOf, plainString } from './expressions';

const toolAdder = /(^|\.)(AddTool|RegisterTool|RegisterFunction|AddFunction)$/;
const schemaFields = ['Parameters', 'InputSchema', 'Schema', 'Required', 'RawInputSchema', 'ParametersJsonSchema'];
const runFields = ['Handler', 'Func', 'Function', 'Run', 'Execute', 'Call', 'Fn'];
const runMethods = 'Run Execute Call Invoke Handle'.split(' ');

/** `NewAgentTool(name, description, func...)`, `mcp.AddTool(server, &mcp.Tool{...}, handler)`. */
export function addToolCall(
  builder: FactsBuilder,
  node: SyntaxNode,
  chain: string,
  given: readonly SyntaxNode[],
): void {
  const { tree } = builder;
  if (toolAdder.test(chain)) {
    // What it registers is declared by a literal or a call of its own; here is what runs it.
    const handler = given.at(-1);
    const declared = given.slice(0, -1).find((argument) => plainOf(argument)?.type !== 'identifier');
    const tool = declared ? builder.facts.tools.findLast(({ start }) => start >= tree.line(declared)) : undefined;
    if (tool && handler && tool.start <= tree.endLine(node)) tool.implementations.push(...runnersOf(builder, handler));
    return;
  }
  if (!toolMaker.test(chain) || given.length < 1) return;
  const description = plainString(tree, given[1]) ?? describedBy(tree, given[1]);
  const runs = given.slice(2).flatMap((argument) => (isRunner(argument) ? runnersOf(builder, argument) : []));
  addNamedTool(builder, node, nameIn(tree, given[0]), { description, implementations: runs });
}

/** A struct literal with a name, a description and a schema or a function. */
export function addToolLiteral(builder: FactsBuilder, body: SyntaxNode): void {
  const { tree } = builder;
  const fields = fieldsOf(tree, body);
  const description = fields.get('Description');
  if (!fields.has('Name') || !description) return;
  const runs = runFields.flatMap((name) => fields.get(name) ?? []);
  const type = body.parent?.type === 'composite_literal' ? tree.text(childIn(body.parent, 'type') ?? body) : '';
  const isTool = /(Tool|Function)(Info|Param|Definition|Declaration|Spec)?$/.test(type);
  if (!isTool && runs.length === 0 && !schemaFields.some((name) => fields.has(name))) return;
  if (/Command$/.test(type)) return;
  const implementations = runs.flatMap((value) => runnersOf(builder, value));
  const receiver = builder.enclosingFunction?.receiver;
  // `func (t *bash) Info() ToolInfo` describes what the methods of the same type run.
  if (runs.length === 0 && receiver) implementations.push(...runMethods.map((method) => `${receiver}.${method}`));
  addNamedTool(builder, body, nameIn(tree, fields.get('Name')), {
    description: plainString(tree, description),
    implementations,
  });
}

function nameIn(tree: SyntaxTree, node: SyntaxNode | undefined): NameRead | undefined {
  return node && { plain: plainString(tree, node), chain: chainOf(tree, node) };
}

/** `mcp.WithDescription("text")`. */
function describedBy(tree: SyntaxTree, argument: SyntaxNode | undefined): string | undefined {
  const callee = argument?.type === 'call_expression' ? childIn(argument, 'function') : undefined;
  if (!callee || !/WithDescription$/.test(tree.text(callee))) return undefined;
  return plainString(tree, namedChildren(childIn(argument!, 'arguments') ?? callee)[0]);
}

function isRunner(argument: SyntaxNode): boolean {
  return /^(func_literal|identifier|selector_expression)$/.test(argument.type);
}

/** What runs a tool: the function named, or the function around a literal without a name. */
function runnersOf(builder: FactsBuilder, value: SyntaxNode): string[] {
  const plain = plainOf(value);
  if (plain?.type === 'func_literal') {
    const path = closurePath(builder.tree, plain);
    if (path) return [lastNamed(builder, path)];
    return builder.scope ? [builder.scope] : [];
  }
  const chain = plain ? chainOf(builder.tree, plain) : '?';
  return isNamed(chain) ? [chain] : [];
}

/** The closure of a path that was opened last: literals of the same path are numbered. */
function lastNamed(builder: FactsBuilder, path: string): string {
  const full = builder.scope ? `${builder.scope}.${path}` : path;
  return builder.facts.symbols.findLast(({ qualname }) => qualname.replace(/~\d+$/, '') === full)?.qualname ?? full;
}

function fieldsOf(tree: SyntaxTree, body: SyntaxNode): Map<string, SyntaxNode> {
  const fields = new Map<string, SyntaxNode>();
  for (const element of namedChildren(body)) {
    const key = element.type === 'keyed_element' ? childIn(element, 'key') : undefined;
    const value = childIn(element, 'value');
    const inner = value ? namedChildren(value)[0] : undefined;
    if (key && inner) fields.set(tree.text(key), inner);
  }
  return fields;
}
