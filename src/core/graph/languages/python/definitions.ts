import type { ParameterFact } from '../../fileFacts';
import { isNamed } from '../../syntax/chains';
import { type FactsBuilder, firstSentence } from '../../syntax/factsBuilder';
import { childIn, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { chainOf, plainString } from './expressions';
import { addClassTool, addDecoratedTool } from './tools';

const abstractBases = /(^|\.)(Protocol|ABC|ABCMeta)(\[|$)/;

export function openFunction(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  if (!name) return;
  const owner = builder.symbol?.kind === 'class' ? builder.symbol : null;
  const decorators = decoratorsOf(tree, node);
  const parameters = childIn(node, 'parameters');
  const returns = childIn(node, 'return_type');
  const doc = docOf(tree, node);
  addDecorations(builder, decorators, tree.text(name));
  const symbol = builder.openScope(node, {
    kind: owner ? 'method' : 'function',
    name: tree.text(name),
    start: startOf(tree, node),
    signature: tree.source
      .slice(name.start, (returns ?? parameters ?? name).end)
      .replace(/\s+/g, ' ')
      .slice(0, 500),
    parameters: parameters ? parametersOf(tree, parameters) : [],
    ...(doc ? { doc: firstSentence(doc) } : {}),
    ...(decorators.length > 0 ? { decorators: decorators.map((decorator) => tree.shortText(decorator)) } : {}),
    ...(node.children.some((child) => child.type === 'async') ? { async: true } : {}),
    ...(returns ? { returns: tree.shortText(returns) } : {}),
    exported: !tree.text(name).startsWith('_'),
  });
  const texts = symbol.decorators ?? [];
  const isDeclared =
    texts.some((text) => /abstractmethod/.test(text)) || owner?.bases?.some((base) => /(^|\.)Protocol/.test(base));
  if (isDeclared || (owner?.abstract && onlyDeclares(tree, node))) symbol.abstract = true;
  if (texts.some((text) => /(^@|\.)((cached_)?property|setter|computed_field)\b/.test(text))) symbol.getter = true;
  addDecoratedTool(builder, symbol, decorators, doc);
}

export function openClass(builder: FactsBuilder, node: SyntaxNode): void {
  const { tree } = builder;
  const name = childIn(node, 'name');
  if (!name) return;
  const superclasses = childIn(node, 'superclasses');
  const bases = superclasses
    ? namedChildren(superclasses).map((base) =>
        base.type === 'keyword_argument' ? tree.text(childIn(base, 'value') ?? base) : tree.text(base),
      )
    : [];
  const decorators = decoratorsOf(tree, node);
  const doc = docOf(tree, node);
  addDecorations(builder, decorators, tree.text(name));
  const symbol = builder.openScope(node, {
    kind: 'class',
    name: tree.text(name),
    start: startOf(tree, node),
    bases,
    signature: tree.source
      .slice(name.start, (superclasses ?? name).end)
      .replace(/\s+/g, ' ')
      .slice(0, 500),
    ...(doc ? { doc: firstSentence(doc) } : {}),
    ...(decorators.length > 0 ? { decorators: decorators.map((decorator) => tree.shortText(decorator)) } : {}),
    ...(bases.some((base) => abstractBases.test(base)) ? { abstract: true } : {}),
    exported: !tree.text(name).startsWith('_'),
  });
  addClassTool(builder, node, symbol);
}

/** `@register('x')` calls what `register('x')` gives with the function below it. */
function addDecorations(builder: FactsBuilder, decorators: readonly SyntaxNode[], name: string): void {
  for (const decorator of decorators) {
    const expression = namedChildren(decorator)[0];
    const chain = expression ? chainOf(builder.tree, expression) : '?';
    if (isNamed(chain)) builder.decoration(decorator, chain, name);
  }
}

function decoratorsOf(tree: SyntaxTree, node: SyntaxNode): SyntaxNode[] {
  if (node.parent?.type !== 'decorated_definition') return [];
  return node.parent.children.filter((child) => child.type === 'decorator' && tree.text(child).length > 1);
}

/** The decorators belong to the definition: an edit there changes it. */
function startOf(tree: SyntaxTree, node: SyntaxNode): number {
  return tree.line(node.parent?.type === 'decorated_definition' ? node.parent : node);
}

/** The doc string of a function or class body. */
function docOf(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const body = childIn(node, 'body');
  const first = body ? namedChildren(body)[0] : undefined;
  return first?.type === 'expression_statement' ? plainString(tree, first.children[0]) : undefined;
}

/** Whether a string is the doc string of what encloses it. */
export function isDocString(node: SyntaxNode): boolean {
  const statement = node.parent;
  if (statement?.type !== 'expression_statement' || !statement.parent) return false;
  const body = statement.parent;
  return (body.type === 'block' || body.type === 'module') && namedChildren(body)[0] === statement;
}

/** A body that does nothing: a doc string, `...`, `pass` or `raise NotImplementedError`. */
function onlyDeclares(tree: SyntaxTree, node: SyntaxNode): boolean {
  return namedChildren(childIn(node, 'body') ?? node).every((statement) => {
    if (statement.type === 'expression_statement') return /^(string|ellipsis)$/.test(statement.children[0]?.type ?? '');
    if (statement.type === 'raise_statement') return /\bNotImplementedError\b/.test(tree.text(statement));
    return statement.type === 'pass_statement' || statement.type === 'comment';
  });
}

function parametersOf(tree: SyntaxTree, list: SyntaxNode): ParameterFact[] {
  const found: ParameterFact[] = [];
  for (const node of namedChildren(list)) {
    const name = childIn(node, 'name') ?? (node.type === 'identifier' ? node : firstIdentifier(node));
    if (!name) continue;
    const type = childIn(node, 'type');
    const value = childIn(node, 'value');
    const chain = value ? chainOf(tree, value) : '?';
    found.push({
      name: tree.text(name),
      ...(type ? { type: tree.shortText(type) } : {}),
      ...(isNamed(chain) ? { value: chain } : {}),
    });
  }
  return found;
}

function firstIdentifier(node: SyntaxNode): SyntaxNode | undefined {
  return (
    node.children.find((child) => child.type === 'identifier') ??
    node.children[0]?.children.find((child) => child.type === 'identifier')
  );
}
