import { isNamed } from '../../syntax/chains';
import { splitPlaceholders } from '../../syntax/factsBuilder';
import { childIn, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { closurePath } from './closures';

const longestChain = 24;
const mostHeld = 64;
const literals =
  /^(interpreted_string_literal|raw_string_literal|int_literal|float_literal|rune_literal|true|false|nil|iota)$/;

/** The chain of an expression; see `fileFacts.ts` for the notation. A value of type `T` made or asserted is `T()`. */
export function chainOf(tree: SyntaxTree, expression: SyntaxNode): string {
  const parts: string[] = [];
  let suffix = '';
  let node: SyntaxNode | undefined = expression;
  for (let steps = 0; node && steps < longestChain * 3 && parts.length <= longestChain; steps++) {
    switch (node.type) {
      case 'selector_expression':
        parts.push(tree.text(childIn(node, 'field') ?? node) + suffix);
        suffix = '';
        node = childIn(node, 'operand');
        break;
      case 'call_expression': {
        const callee: SyntaxNode | undefined = childIn(node, 'function');
        const isMade = callee?.type === 'identifier' && /^(new|make)$/.test(tree.text(callee));
        suffix = `()${suffix}`;
        node = isMade ? givenTo(node)[0] : callee;
        break;
      }
      case 'type_conversion_expression':
      case 'composite_literal':
      case 'type_assertion_expression':
        suffix = `()${suffix}`;
        node = childIn(node, 'type');
        break;
      case 'index_expression':
        suffix = `[]${suffix}`;
        node = childIn(node, 'operand');
        break;
      case 'unary_expression':
        if (/^<-/.test(tree.text(node))) suffix = `[]${suffix}`;
        node = /^(&|\*|<-)/.test(tree.text(node)) ? childIn(node, 'operand') : undefined;
        if (!node) parts.push(`""${suffix}`);
        break;
      case 'slice_expression':
        node = childIn(node, 'operand');
        break;
      case 'parenthesized_expression':
      case 'pointer_type':
      case 'parenthesized_type':
        node = namedChildren(node)[0];
        break;
      case 'generic_type':
        node = childIn(node, 'type');
        break;
      case 'type_instantiation_expression':
        node = namedChildren(node)[0];
        break;
      case 'identifier':
      case 'type_identifier':
      case 'package_identifier':
        parts.push(tree.text(node) + suffix);
        return parts.reverse().join('.');
      case 'qualified_type':
        parts.push(tree.text(childIn(node, 'name') ?? node) + suffix, tree.text(childIn(node, 'package') ?? node));
        return parts.reverse().join('.');
      default:
        parts.push((literals.test(node.type) || /_type$|^binary_expression$/.test(node.type) ? '""' : '?') + suffix);
        return parts.reverse().join('.');
    }
  }
  return ['?', ...parts.reverse()].join('.');
}

/** Arguments of a call or conversion. */
export function givenTo(call: SyntaxNode): SyntaxNode[] {
  const list = childIn(call, 'arguments');
  return list ? namedChildren(list) : [childIn(call, 'operand')].filter((operand) => operand !== undefined);
}

/** The expression without `&`, `*` and parentheses around it. */
export function plainOf(node: SyntaxNode | undefined): SyntaxNode | undefined {
  let inner = node;
  while (inner && /^(unary_expression|parenthesized_expression|literal_element)$/.test(inner.type))
    inner = childIn(inner, 'operand') ?? namedChildren(inner)[0];
  return inner;
}

/** What an expression may evaluate to: chains, or what a list or map that is written out holds. */
export function valuesOf(tree: SyntaxTree, expression: SyntaxNode | undefined): string[] {
  const found: string[] = [];
  const open = expression ? [expression] : [];
  while (open.length > 0 && found.length < mostHeld) {
    const first = open.shift()!;
    const node = first.type === 'literal_element' ? namedChildren(first)[0] : first;
    const plain = plainOf(node);
    if (!node || !plain) continue;
    if (plain.type === 'composite_literal' && holds(plain)) {
      open.push(...elementsIn(childIn(plain, 'body')));
    } else if (plain.type === 'literal_value') {
      const type = elementType(plain);
      if (type) found.push(`${chainOf(tree, type)}()`);
    } else if (plain.type === 'call_expression' && /^(append|cmp\.Or)$/.test(tree.text(childIn(plain, 'function')!))) {
      open.push(...givenTo(plain));
    } else if (plain.type === 'func_literal') {
      const path = closurePath(tree, plain);
      if (path && !path.includes('.')) found.push(path);
    } else {
      const chain = chainOf(tree, node);
      if (isNamed(chain) && plain.type !== 'nil') found.push(chain);
    }
  }
  return [...new Set(found)];
}

/** Whether a composite literal is a list or map rather than a struct. */
export function holds(composite: SyntaxNode): boolean {
  return /^(slice_type|array_type|implicit_length_array_type|map_type)$/.test(childIn(composite, 'type')?.type ?? '');
}

/** Values in the braces of a literal. */
export function elementsIn(body: SyntaxNode | undefined): SyntaxNode[] {
  if (!body) return [];
  return namedChildren(body).flatMap((element) => {
    const value = element.type === 'keyed_element' ? childIn(element, 'value') : element;
    return namedChildren(value ?? element).slice(0, 1);
  });
}

/** The type that `{...}` inside the braces of a list or map leaves out. */
export function elementType(literal: SyntaxNode): SyntaxNode | undefined {
  let node: SyntaxNode | null = literal.parent;
  while (node && /^(literal_element|keyed_element|literal_value)$/.test(node.type)) node = node.parent;
  const type = node?.type === 'composite_literal' ? childIn(node, 'type') : undefined;
  return type ? (childIn(type, 'element') ?? childIn(type, 'value')) : undefined;
}

/** Type of a value where the expression spells it: `make(T)`, `[]T{...}`. */
export function typeOfValue(tree: SyntaxTree, expression: SyntaxNode | undefined): string | undefined {
  const plain = plainOf(expression);
  if (plain?.type === 'composite_literal' && holds(plain)) return tree.shortText(childIn(plain, 'type')!);
  const callee = plain?.type === 'call_expression' ? childIn(plain, 'function') : undefined;
  const [first] = plain && callee?.type === 'identifier' && tree.text(callee) === 'make' ? givenTo(plain) : [];
  return first ? tree.shortText(first) : undefined;
}

/** The text of a string literal, of a conversion of one, or of literals joined by `+`; undefined for anything else. */
export function plainString(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  if (!node) return undefined;
  const parts = joinedParts(tree, node);
  return parts.every((part) => part !== null) ? parts.join('') : undefined;
}

/** Fixed parts and placeholders of a literal or of a sum of literals; `%s` counts in calls such as `fmt.Sprintf`. */
export function stringParts(tree: SyntaxTree, node: SyntaxNode): (string | null)[] {
  const call = node.parent?.type === 'argument_list' ? node.parent.parent : null;
  const callee = call ? childIn(call, 'function') : undefined;
  const percent = callee !== undefined && /[a-z]f$/.test(tree.text(callee));
  const parts = joinedParts(tree, node).flatMap((part) =>
    part === null ? [null] : splitPlaceholders(part, { percent }),
  );
  return parts.filter((part, index) => part !== '' && (part !== null || parts[index - 1] !== null));
}

function joinedParts(tree: SyntaxTree, node: SyntaxNode): (string | null)[] {
  const parts: (string | null)[] = [];
  const open = [node];
  while (open.length > 0) {
    const next = open.pop()!;
    if (isSum(next)) {
      open.push(...[childIn(next, 'right'), childIn(next, 'left')].filter((side) => side !== undefined));
      continue;
    }
    const text = isString(next) ? textOf(tree, next) : null;
    const last = parts.at(-1);
    if (typeof text === 'string' && typeof last === 'string') parts[parts.length - 1] = last + text;
    else parts.push(text);
  }
  return parts;
}

export function isString(node: SyntaxNode): boolean {
  return node.type === 'interpreted_string_literal' || node.type === 'raw_string_literal';
}

function isSum(node: SyntaxNode): boolean {
  return node.type === 'binary_expression' && node.children.some((child) => child.type === '+');
}

/** The outermost sum that a string literal is part of, else the literal itself. */
export function wholeString(literal: SyntaxNode): SyntaxNode {
  let node = literal;
  while (node.parent && isSum(node.parent)) node = node.parent;
  return node;
}

function textOf(tree: SyntaxTree, node: SyntaxNode): string {
  const text = tree.text(node).slice(1, -1);
  return node.type === 'raw_string_literal' ? text.replaceAll('\r', '') : decodeEscapes(text);
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', f: '\f', v: '\v' };

/** Escapes as in "Rune literals" of the Go language specification. */
function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([0-7]{3})|([\s\S]))/g,
    (whole: string, two?: string, four?: string, eight?: string, octal?: string, one?: string) => {
      if (one !== undefined) return escapes[one] ?? one;
      const code = octal === undefined ? Number.parseInt(two ?? four ?? eight ?? '', 16) : Number.parseInt(octal, 8);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
