import { isNamed } from '../../syntax/chains';
import { splitPlaceholders } from '../../syntax/factsBuilder';
import { childIn, childOfType, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';

const longestChain = 24;
const literals = new Set([
  'string',
  'concatenated_string',
  'integer',
  'float',
  'list',
  'dictionary',
  'set',
  'tuple',
  'true',
  'false',
  'none',
  'list_comprehension',
  'dictionary_comprehension',
  'set_comprehension',
  'generator_expression',
]);

/** The chain of an expression; see `fileFacts.ts` for the notation. */
export function chainOf(tree: SyntaxTree, expression: SyntaxNode): string {
  const parts: string[] = [];
  let suffix = '';
  let node: SyntaxNode | undefined = expression;
  for (let steps = 0; node && steps < longestChain * 3; steps++) {
    if (parts.length > longestChain) break;
    switch (node.type) {
      case 'identifier':
        parts.push(tree.text(node) + suffix);
        return parts.reverse().join('.');
      case 'attribute':
        parts.push(tree.text(childIn(node, 'attribute') ?? node) + suffix);
        suffix = '';
        node = childIn(node, 'object');
        break;
      case 'call': {
        const member = memberByName(tree, node);
        if (member) {
          // `getattr(x, 'name')` is `x.name`.
          parts.push(member.name + suffix);
          suffix = '';
          node = member.owner;
          break;
        }
        suffix = `()${suffix}`;
        node = childIn(node, 'function');
        break;
      }
      case 'subscript':
        suffix = `[]${suffix}`;
        node = childIn(node, 'value');
        break;
      case 'await':
      case 'parenthesized_expression':
        node = namedChildren(node)[0];
        break;
      case 'named_expression':
        node = childIn(node, 'value');
        break;
      default:
        parts.push((literals.has(node.type) ? '""' : '?') + suffix);
        return parts.reverse().join('.');
    }
  }
  return ['?', ...parts.reverse()].join('.');
}

function memberByName(tree: SyntaxTree, call: SyntaxNode): { owner: SyntaxNode; name: string } | undefined {
  const callee = childIn(call, 'function');
  if (callee?.type !== 'identifier' || tree.text(callee) !== 'getattr') return undefined;
  const [owner, key] = givenTo(call);
  const name = plainString(tree, key);
  return owner && name !== undefined && /^[A-Za-z_]\w*$/.test(name) ? { owner, name } : undefined;
}

/** `partial(f, 1)` stands for f. */
const wraps = /(^|\.)partial(method)?\(\)$/;

const holders = new Set(['list', 'list_comprehension', 'dictionary', 'dictionary_comprehension']);
/** Of a registry this many members are followed. */
const mostHeld = 16;
/** Built-in functions that give the elements of what they get. */
const sameElements = /^(sorted|reversed|list|tuple|set|iter)\(\)$/;

function heldIn(node: SyntaxNode): SyntaxNode[] {
  const elements = node.type.endsWith('comprehension') ? namedChildren(node).slice(0, 1) : namedChildren(node);
  return elements.flatMap((element) => (element.type === 'pair' ? (childIn(element, 'value') ?? []) : element));
}

/** Positional arguments of a call. */
export function givenTo(call: SyntaxNode): SyntaxNode[] {
  return namedChildren(childIn(call, 'arguments') ?? call).filter((argument) => argument.type !== 'keyword_argument');
}

/** Chains of everything an expression may evaluate to: both sides of `or`, both arms of a conditional. */
export function valuesOf(tree: SyntaxTree, expression: SyntaxNode | undefined): string[] {
  const found: string[] = [];
  const open = expression ? [expression] : [];
  while (open.length > 0 && found.length < 8) {
    const node = open.pop()!;
    if (node.type === 'boolean_operator') {
      open.push(...[childIn(node, 'right'), childIn(node, 'left')].filter((side) => side !== undefined));
    } else if (node.type === 'conditional_expression') {
      const [whenTrue, , whenFalse] = namedChildren(node);
      open.push(...[whenFalse, whenTrue].filter((side) => side !== undefined));
    } else if (node.type === 'parenthesized_expression' || node.type === 'await') {
      open.push(...namedChildren(node).slice(0, 1));
    } else if (holders.has(node.type)) {
      // What a list or dictionary holds stands for it: `x[]` of it gives the same value.
      const held = heldIn(node).map((element) => chainOf(tree, element));
      const named = held.filter(isNamed);
      found.push(...(named.length > 0 ? named : ['""']).slice(0, mostHeld));
    } else if (node.type === 'call' && wraps.test(chainOf(tree, node))) {
      open.push(...givenTo(node).slice(0, 1));
    } else if (node.type === 'call' && sameElements.test(chainOf(tree, node))) {
      open.push(...givenTo(node).slice(0, 1));
    } else if (node.type === 'call' && chainOf(tree, node) === 'next()') {
      found.push(...valuesOf(tree, givenTo(node)[0]).map((chain) => `${chain}[]`));
    } else {
      const chain = chainOf(tree, node);
      if (!chain.startsWith('?') && node.type !== 'none') found.push(chain);
    }
  }
  return found;
}

/** The text of a string without placeholders, or undefined. */
export function plainString(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  if (node?.type !== 'string' && node?.type !== 'concatenated_string') return undefined;
  const parts = partsOf(tree, node);
  return parts.every((part) => part !== null) ? parts.join('') : undefined;
}

/** Fixed parts and placeholders of a string or of adjacent strings. */
export function stringParts(tree: SyntaxTree, node: SyntaxNode): (string | null)[] {
  const style = {
    braces: node.parent?.type === 'attribute' && tree.text(childIn(node.parent, 'attribute') ?? node) === 'format',
    percent: node.parent?.type === 'binary_operator' && childOfType(node.parent, '%') !== undefined,
  };
  const parts = partsOf(tree, node).flatMap((part) => (part === null ? [null] : splitPlaceholders(part, style)));
  return parts.filter((part, index) => part !== '' && (part !== null || parts[index - 1] !== null));
}

function partsOf(tree: SyntaxTree, node: SyntaxNode): (string | null)[] {
  if (node.type === 'concatenated_string') {
    const joined: (string | null)[] = [];
    for (const child of node.children) {
      if (child.type !== 'string') continue;
      for (const part of partsOf(tree, child)) {
        const last = joined.at(-1);
        if (typeof part === 'string' && typeof last === 'string') joined[joined.length - 1] = last + part;
        else joined.push(part);
      }
    }
    return joined;
  }
  const open = childOfType(node, 'string_start');
  const close = childOfType(node, 'string_end');
  if (!open || !close) return [''];
  const prefix = tree.text(open).toLowerCase();
  const decode = (text: string) => {
    const braces = prefix.includes('f') ? text.replaceAll('{{', '{').replaceAll('}}', '}') : text;
    return prefix.includes('r') ? braces : decodeEscapes(braces);
  };
  const parts: (string | null)[] = [];
  let from = open.end;
  for (const child of node.children) {
    if (child.type !== 'interpolation') continue;
    if (child.start > from) parts.push(decode(tree.source.slice(from, child.start)));
    parts.push(null);
    from = child.end;
  }
  if (close.start > from || parts.length === 0) parts.push(decode(tree.source.slice(from, close.start)));
  return parts;
}

const escapes: Record<string, string> = {
  n: '\n',
  t: '\t',
  r: '\r',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '\n': '',
  '0': '\0',
  '\\': '\\',
  "'": "'",
  '"': '"',
};

/** Escapes as in section 2.4.1 of the Python language reference: an unknown one keeps its backslash. */
function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\s\S]))/g,
    (whole: string, two?: string, four?: string, eight?: string, one?: string) => {
      if (one !== undefined) return escapes[one] ?? whole;
      const code = Number.parseInt(two ?? four ?? eight ?? '', 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
