import { isNamed } from '../../syntax/chains';
import type { FactsBuilder } from '../../syntax/factsBuilder';
import { childIn, childOfType, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { includedFile } from './assignments';
import { own } from './definitions';
import { chainOf, givenTo, isMacro, isString, plainString, stringParts } from './expressions';
import { addToolCall } from './tools';
import { pathChain } from './types';

export function addCall(builder: FactsBuilder, node: SyntaxNode, owner: string | undefined): void {
  const { tree } = builder;
  const callee = childIn(node, 'function');
  if (!callee || callee.type === 'closure_expression') return;
  const chain = own(chainOf(tree, callee), owner) + (isMacro(tree, node) ? '!' : '');
  const given = givenTo(node);
  builder.call(node, chain, false, argumentsOf(tree, given));
  for (const argument of given) {
    const inner = argument.type === 'reference_expression' ? (childIn(argument, 'value') ?? argument) : argument;
    if (/^(identifier|scoped_identifier|field_expression)$/.test(inner.type))
      builder.callback(inner, own(chainOf(tree, inner), owner));
  }
  addEnvironmentRead(builder, node, chain, given[0]);
  addToolCall(builder, node, chain);
}

/** A struct that is made. */
export function addConstruct(builder: FactsBuilder, node: SyntaxNode, owner: string | undefined): void {
  const type = childIn(node, 'name');
  const chain = type ? own(chainOf(builder.tree, type), owner) : '?';
  if (isNamed(chain)) builder.call(node, chain, true);
}

/** What the first arguments are, as far as they have a name or a text. */
function argumentsOf(tree: SyntaxTree, given: readonly SyntaxNode[]): string[] {
  return given.slice(0, 8).map((argument) => {
    const text = plainString(tree, argument) ?? formatted(tree, argument);
    if (text !== undefined) return `"${text.slice(0, 200)}"`;
    const chain = chainOf(tree, argument);
    return isNamed(chain) ? chain : '';
  });
}

/** Fixed text of `format!(...)`, placeholders left out: enough to know an address by its end. */
function formatted(tree: SyntaxTree, argument: SyntaxNode): string | undefined {
  const call = argument.type === 'reference_expression' ? childIn(argument, 'value') : argument;
  const callee = call?.type === 'call_expression' ? childIn(call, 'function') : undefined;
  const first = callee && tree.text(callee) === 'format' ? givenTo(call!)[0] : undefined;
  if (!first || !isString(first)) return undefined;
  return stringParts(tree, first)
    .map((part) => part ?? '*')
    .join('');
}

function addEnvironmentRead(
  builder: FactsBuilder,
  node: SyntaxNode,
  chain: string,
  argument: SyntaxNode | undefined,
): void {
  const isEnvironment = /(^|\.)(env\.(var|var_os)|get_env_var|env_var|var_os)$/.test(chain);
  const isConfiguration = /(^|\.)(config|settings|cfg)(\(\))?\.(get|get_string|get_bool|get_int)$/.test(chain);
  const key = isEnvironment || isConfiguration ? plainString(builder.tree, argument) : undefined;
  if (key === undefined) return;
  addConfiguration(builder, node, key);
}

function addConfiguration(builder: FactsBuilder, node: SyntaxNode, key: string): void {
  const { tree } = builder;
  const callee = node.parent?.type === 'field_expression' ? node.parent : undefined;
  const method = callee ? tree.text(childIn(callee, 'field') ?? callee) : '';
  const otherwise = /^unwrap_or(_else)?$/.test(method) && callee?.parent ? givenTo(callee.parent)[0] : undefined;
  builder.configuration(node, key, otherwise);
}

const call = /(?<![\w.:])((?:[A-Za-z_]\w*\s*(?:::|\.)\s*)*[A-Za-z_]\w*)\s*\(/g;
const keywords = /^(if|while|for|match|loop|return|in|as|let|move|fn|async|await|else|Some|Ok|Err)$/;

/** A macro that was not read as a call: files it includes, variables it reads, and calls by their text. */
export function addMacro(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const name = childIn(node, 'macro');
  const body = childOfType(node, 'token_tree');
  if (!name || !body) return;
  const text = tree.text(name);
  const included = includedFile(builder, node);
  const line = tree.line(node);
  if (included !== undefined) {
    builder.facts.strings.push({ scope: builder.scope, start: line, end: line, parts: [included] });
    return;
  }
  if (/(^|::)(option_)?env$/.test(text)) {
    const key = plainString(tree, body.children.find(isString));
    if (key !== undefined) addConfiguration(builder, node, key);
    return;
  }
  builder.call(node, `${pathChain(text)}!`, false);
  addStrings(builder, body);
  const code = tree.text(body).replace(/"(?:\\[\s\S]|[^"\\])*"|\/\/.*/g, (found) => ' '.repeat(found.length));
  for (const found of code.matchAll(call)) {
    const chain = pathChain(found[1]!.replace(/\s/g, ''));
    if (keywords.test(chain)) continue;
    const start = body.start + found.index;
    builder.call({ ...body, start, end: start + found[0].length + 60 }, chain, false);
  }
}

/** Strings in the tokens of a macro. */
function addStrings(builder: FactsBuilder, body: SyntaxNode): void {
  const open = [body];
  for (let steps = 0; open.length > 0 && steps < 5_000; steps++) {
    const node = open.pop()!;
    if (isString(node)) builder.string(node, stringParts(builder.tree, node));
    else open.push(...node.children);
  }
}
