import { childIn, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';

/** Calls that make a tool of a name, a description and a function. */
export const toolMaker =
  /(^|\.)(New(Parallel)?(Agent|Function|Func|Typed|Simple|Structured)?Tool|NewToolFunc|NewTool\w*Func)(\[.*\])?$/s;

/**
 * The path of a function literal from where it stands: `run := func...`, `cobra.Command{RunE: func...}`, an element of a
 * map by its key. Undefined for literals without a name, such as `go func() {...}()`: they belong to what is around them.
 */
export function closurePath(tree: SyntaxTree, literal: SyntaxNode): string | undefined {
  const keys: string[] = [];
  let node = literal;
  for (let steps = 0; node.parent && steps < 40; steps++) {
    const { parent } = node;
    if (parent.type === 'keyed_element') {
      keys.push(clean(tree.text(childIn(parent, 'key') ?? parent)));
    } else if (parent.type === 'argument_list') {
      // As the Go runtime calls it; only what a library will run by itself needs a name.
      if (keys.length === 0 && toolMaker.test(calleeText(tree, parent))) keys.push('func1');
      break;
    } else if (parent.type === 'expression_list') {
      const bound = boundTo(tree, parent, namedChildren(parent).indexOf(node));
      if (bound) keys.push(bound);
      break;
    } else if (
      !/^(literal_element|literal_value|composite_literal|unary_expression|parenthesized_expression)$/.test(parent.type)
    ) {
      break;
    }
    node = parent;
  }
  return keys.length > 0 ? keys.reverse().join('.') : undefined;
}

function calleeText(tree: SyntaxTree, list: SyntaxNode): string {
  const callee = list.parent ? childIn(list.parent, 'function') : undefined;
  return callee ? tree.text(callee) : '';
}

/** The name at the same position on the left of `=`, `:=` or in `var`. */
function boundTo(tree: SyntaxTree, values: SyntaxNode, position: number): string | undefined {
  const statement = values.parent;
  if (!statement || values.field === 'left') return undefined;
  const left = childIn(statement, 'left');
  const names =
    statement.type === 'var_spec'
      ? statement.children.filter((child) => child.field === 'name')
      : left && namedChildren(left);
  const target = names?.[position];
  if (target?.type === 'selector_expression') return clean(tree.text(childIn(target, 'field') ?? target));
  if (target?.type !== 'identifier') return undefined;
  const name = tree.text(target);
  return name === '_' ? undefined : name;
}

function clean(key: string): string {
  return (
    key
      .replace(/^["`]|["`]$/g, '')
      .replace(/[\s.#~]+/g, '_')
      .slice(0, 80) || '?'
  );
}
