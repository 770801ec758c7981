import { isNamed } from '../../syntax/chains';
import { splitPlaceholders } from '../../syntax/factsBuilder';
import { childIn, childOfType, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';

const longestChain = 24;
/** Of a list this many elements are followed. */
const mostHeld = 16;
const literals = new Set([
  'string',
  'template_string',
  'number',
  'regex',
  'array',
  'object',
  'true',
  'false',
  'null',
  'undefined',
]);
/** Wrappers that change the type of an expression but not its value. */
const wrappers = new Set([
  'await_expression',
  'parenthesized_expression',
  'non_null_expression',
  'as_expression',
  'satisfies_expression',
  'instantiation_expression',
]);

/** The chain of an expression; see `fileFacts.ts` for the notation. `new Foo(...)` is written `Foo()`. */
export function chainOf(tree: SyntaxTree, expression: SyntaxNode): string {
  const parts: string[] = [];
  let suffix = '';
  let node: SyntaxNode | undefined = expression;
  for (let steps = 0; node && steps < longestChain * 3; steps++) {
    if (parts.length > longestChain) break;
    switch (node.type) {
      case 'identifier':
      case 'this':
      case 'super':
      case 'shorthand_property_identifier':
      case 'type_identifier':
      case 'property_identifier':
        parts.push((node.type === 'super' ? 'super()' : tree.text(node)) + suffix);
        return parts.reverse().join('.');
      case 'member_expression':
        parts.push(tree.text(childIn(node, 'property') ?? node) + suffix);
        suffix = '';
        node = childIn(node, 'object');
        break;
      case 'call_expression': {
        const promised = promisedOf(tree, node);
        if (!promised) suffix = `()${suffix}`;
        node = promised ?? childIn(node, 'function');
        break;
      }
      case 'new_expression':
        suffix = `()${suffix}`;
        node = childIn(node, 'constructor');
        break;
      case 'subscript_expression':
        suffix = `[]${suffix}`;
        node = childIn(node, 'object');
        break;
      default:
        if (wrappers.has(node.type)) {
          node = namedChildren(node)[0];
          break;
        }
        parts.push((literals.has(node.type) ? '""' : '?') + suffix);
        return parts.reverse().join('.');
    }
  }
  return ['?', ...parts.reverse()].join('.');
}

/** `promisify(f)` of Node.js does what f does. */
function promisedOf(tree: SyntaxTree, call: SyntaxNode): SyntaxNode | undefined {
  const callee = childIn(call, 'function');
  if (!callee || !/^(?:util\.)?promisify$/.test(tree.text(callee))) return undefined;
  return namedChildren(childIn(call, 'arguments') ?? call)[0];
}

/** Chains of everything an expression may evaluate to: both sides of `||` and `??`, both arms of `? :`. */
export function valuesOf(tree: SyntaxTree, expression: SyntaxNode | undefined): string[] {
  const found: string[] = [];
  const open = expression ? [expression] : [];
  while (open.length > 0 && found.length < 8) {
    const node = open.pop()!;
    if (node.type === 'binary_expression' && /\|\||\?\?|&&/.test(operatorOf(node))) {
      open.push(...[childIn(node, 'right'), childIn(node, 'left')].filter((side) => side !== undefined));
    } else if (node.type === 'ternary_expression') {
      open.push(...[childIn(node, 'alternative'), childIn(node, 'consequence')].filter((side) => side !== undefined));
    } else if (wrappers.has(node.type)) {
      open.push(...namedChildren(node).slice(0, 1));
    } else if (node.type === 'array') {
      // What a list holds stands for the list: `x[]` of it gives the same value.
      const named = namedChildren(node)
        .map((element) => chainOf(tree, element))
        .filter(isNamed);
      found.push(...(named.length > 0 ? named.slice(0, mostHeld) : ['""']));
    } else if (node.type !== 'null' && node.type !== 'undefined' && node.type !== 'object') {
      const chain = chainOf(tree, node);
      if (!chain.startsWith('?')) found.push(chain);
    }
  }
  return found;
}

function operatorOf(node: SyntaxNode): string {
  return node.children.find((child) => child.field === 'operator')?.type ?? '';
}

/** The text of a string without placeholders, or undefined. */
export function plainString(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  if (!node) return undefined;
  if (node.type === 'binary_expression' && operatorOf(node) === '+') return joinedString(tree, node);
  if (node.type !== 'string' && node.type !== 'template_string') return undefined;
  const parts = rawParts(tree, node);
  return parts.every((part) => part !== null) ? parts.join('') : undefined;
}

/** `'a' + 'b'` of at most 64 plain strings. */
function joinedString(tree: SyntaxTree, node: SyntaxNode): string | undefined {
  const texts: string[] = [];
  let left: SyntaxNode | undefined = node;
  while (left?.type === 'binary_expression' && texts.length < 64) {
    const right = childIn(left, 'right');
    if (right?.type !== 'string') return undefined;
    texts.push(rawParts(tree, right).join(''));
    left = childIn(left, 'left');
  }
  return left?.type === 'string' ? [rawParts(tree, left).join(''), ...texts.reverse()].join('') : undefined;
}

/** Fixed parts and placeholders of a string or template. */
export function stringParts(tree: SyntaxTree, node: SyntaxNode): (string | null)[] {
  const parts = rawParts(tree, node).flatMap((part) => (part === null ? [null] : splitPlaceholders(part)));
  return parts.filter((part, index) => part !== '' && (part !== null || parts[index - 1] !== null));
}

function rawParts(tree: SyntaxTree, node: SyntaxNode): (string | null)[] {
  const parts: (string | null)[] = [];
  let from = node.start + 1;
  for (const child of node.children) {
    if (child.type !== 'template_substitution') continue;
    if (child.start > from) parts.push(decodeEscapes(tree.source.slice(from, child.start)));
    parts.push(null);
    from = child.end;
  }
  const end = Math.max(from, node.end - 1);
  if (end > from || parts.length === 0) parts.push(decodeEscapes(tree.source.slice(from, end)));
  return parts;
}

/** A type annotation without its colon. */
export function typeText(tree: SyntaxTree, node: SyntaxNode): string {
  return tree.shortText(node, 300).replace(/^:\s*/, '');
}

/** The annotated type of a field or variable, or the one its value states: `new Map<string, Tool>()`. */
export function declaredType(tree: SyntaxTree, type?: SyntaxNode, value?: SyntaxNode): { type?: string } {
  if (type) return { type: typeText(tree, type) };
  if (value?.type !== 'new_expression') return {};
  const name = childIn(value, 'constructor');
  const inner = childOfType(value, 'type_arguments');
  return name && inner ? { type: `${tree.text(name)}${tree.shortText(inner, 300)}` } : {};
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '\n': '', '0': '\0' };

function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:u\{([0-9a-fA-F]{1,6})\}|u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|([\s\S]))/g,
    (whole, braced, four, two, one) => {
      if (one !== undefined) return escapes[one as string] ?? (one as string);
      const code = Number.parseInt(String(braced ?? four ?? two), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : String(whole);
    },
  );
}
