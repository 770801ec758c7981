import { childIn, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { chainOf } from './expressions';

export interface FunctionPath {
  /** Dotted path inside the current scope. */
  path: string;
  /** The object literal that holds the function, if one does. */
  holder: SyntaxNode | null;
  /** Name under which CommonJS exports it. */
  exportedAs?: string;
  /** The outermost expression, when nothing gives it a name: an argument, a returned object. */
  loose?: SyntaxNode;
}

/**
 * The path of a function, class or object expression from where it stands: `const f = ...`, `{ tools: { run() {} } }`,
 * `exports.f = ...`. Undefined for callbacks without a name.
 */
export function pathOf(tree: SyntaxTree, expression: SyntaxNode, scope: string): FunctionPath | undefined {
  const keys: string[] = [];
  let holder: SyntaxNode | null = null;
  let node: SyntaxNode = expression;
  let isNamed = false;
  if (node.type === 'method_definition') {
    keys.push(keyText(tree, childIn(node, 'name')));
    holder = node.parent;
    node = node.parent ?? node;
  }
  for (let steps = 0; node.parent && steps < 40; steps++) {
    const { parent } = node;
    if (parent.type === 'pair') {
      keys.push(keyText(tree, childIn(parent, 'key')));
      holder ??= parent.parent;
      node = parent.parent ?? parent;
    } else if (parent.type === 'variable_declarator') {
      keys.push(tree.text(childIn(parent, 'name') ?? parent));
      isNamed = true;
      break;
    } else if (parent.type === 'assignment_expression' && node.field === 'right') {
      const chain = chainOf(tree, childIn(parent, 'left') ?? parent);
      const exportedAs = /^(?:module\.)?exports\.(\w+)$/.exec(chain)?.[1];
      if (chain !== 'module.exports') keys.push(chain.slice(chain.lastIndexOf('.') + 1));
      else if (keys.length === 0) return { path: 'exports', holder, exportedAs: 'default' };
      return { path: clean(keys), holder, ...(exportedAs && keys.length === 1 ? { exportedAs } : {}) };
    } else if (parent.type === 'export_statement') {
      if (keys.length === 0) return { path: 'default', holder, exportedAs: 'default' };
      isNamed = true;
      break;
    } else if (
      parent.type === 'arguments' &&
      parent.parent?.type === 'call_expression' &&
      (keys.length > 0 || expression.type === 'object' || scope === '')
    ) {
      // `const f = wrap(() => ...)` at module level, and `const t = tool({ execute() {} })` anywhere.
      const grand = parent.parent.parent;
      if (grand?.type !== 'variable_declarator' && grand?.type !== 'pair') break;
      const isFunction = keys.length === 0 && expression.type !== 'object';
      if (isFunction && ofLists.test(chainOf(tree, childIn(parent.parent, 'function') ?? parent))) break;
      if (isFunction && parent.children.find((child) => child.type.endsWith('function')) !== node) break;
      node = parent.parent;
    } else if (/^(parenthesized_expression|as_expression|satisfies_expression)$/.test(parent.type)) {
      node = parent;
    } else break;
  }
  if (keys.length === 0) return undefined;
  return { path: clean(keys), holder, ...(isNamed ? {} : { loose: node }) };
}

/** Methods that call a function and keep only what it gives: `const n = lines.filter((line) => ...).length`. */
const ofLists =
  /\.(map|flatMap|filter|forEach|find\w*|some|every|reduce\w*|sort|toSorted|then|catch|finally|replace|replaceAll|from|test|it)$/;

function clean(keys: string[]): string {
  return keys.reverse().join('.');
}

/** Text of a property name without quotes and brackets, dots replaced. */
export function keyText(tree: SyntaxTree, key: SyntaxNode | undefined): string {
  if (!key) return '?';
  const text = tree.text(key).replace(/^['"`[]+|['"`\]]+$/g, '');
  return text.replace(/[\s.#~]+/g, (found) => (found === '#' ? '#' : '_')).slice(0, 80) || '?';
}
