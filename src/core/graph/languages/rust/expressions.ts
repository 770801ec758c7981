import { isNamed } from '../../syntax/chains';
import { splitPlaceholders } from '../../syntax/factsBuilder';
import { childIn, namedChildren, type SyntaxNode, type SyntaxTree } from '../../syntax/tree';
import { pathChain } from './types';

const longestChain = 24;
const mostHeld = 64;
const literals =
  /^(string_literal|raw_string_literal|char_literal|integer_literal|float_literal|boolean_literal|unit_expression|range_expression|array_expression|tuple_expression|binary_expression|macro_invocation)$/;
/** Calls that give their argument back, wrapped. */
const wrapping =
  /^(?:(?:[a-z_]+::)*(?:Some|Ok|Err|Arc::new|Rc::new|Box::new|Box::pin|Mutex::new|RwLock::new|RefCell::new|Cell::new|Pin::new|Cow::(?:Borrowed|Owned)|Arc::clone|Rc::clone|LazyLock::new|Lazy::new|OnceCell::from|Into::into|From::from))$/;
/** Methods that give the receiver back, unwrapped, borrowed, locked or copied. */
const same = new Set(
  (
    'iter iter_mut into_iter clone cloned copied as_ref as_mut as_deref as_deref_mut unwrap expect unwrap_or unwrap_or_default unwrap_or_else ' +
    'borrow borrow_mut lock try_lock read write to_owned ok err context with_context map_err ok_or ok_or_else into into_inner to_vec collect ' +
    'deref deref_mut boxed boxed_local filter rev skip take enumerate peekable chain by_ref or or_else inspect instrument fuse values values_mut ' +
    'into_values load_full as_slice sorted dedup step_by await'
  ).split(' '),
);
const element = new Set(
  'first last pop_front pop_back pop get get_mut nth peek remove find max_by_key min_by_key next_back'.split(' '),
);

/** The chain of an expression; see `fileFacts.ts` for the notation. Paths are written with dots, `::` marks their root. */
export function chainOf(tree: SyntaxTree, expression: SyntaxNode): string {
  const parts: string[] = [];
  let suffix = '';
  let node: SyntaxNode | undefined = expression;
  for (let steps = 0; node && steps < longestChain * 4 && parts.length <= longestChain; steps++) {
    switch (node.type) {
      case 'field_expression':
        parts.push(tree.text(childIn(node, 'field') ?? node) + suffix);
        suffix = '';
        node = childIn(node, 'value');
        break;
      case 'call_expression': {
        const callee: SyntaxNode | undefined = childIn(node, 'function');
        const text: string = callee ? tree.text(callee) : '';
        if (callee?.type === 'field_expression') {
          const name = tree.text(childIn(callee, 'field') ?? callee);
          const isElement = element.has(name);
          if (isElement || same.has(name)) {
            if (isElement) suffix = `[]${suffix}`;
            node = childIn(callee, 'value');
            break;
          }
        }
        const made = /^[\w:]*?\b[A-Z]\w*(?=::(?:default|parse|parse_from|try_parse_from|try_parse)$)/.exec(text)?.[0];
        if (made && made !== 'Default') {
          parts.push(`${pathChain(made)}()${suffix}`);
          return parts.reverse().join('.');
        }
        if (wrapping.test(text)) {
          node = givenTo(node)[0];
          break;
        }
        suffix = `()${suffix}`;
        node = callee;
        break;
      }
      case 'struct_expression':
        suffix = `()${suffix}`;
        node = childIn(node, 'name');
        break;
      case 'index_expression':
        suffix = `[]${suffix}`;
        node = namedChildren(node)[0];
        break;
      case 'await_expression':
      case 'try_expression':
      case 'parenthesized_expression':
      case 'reference_expression':
      case 'unary_expression':
      case 'type_cast_expression':
      case 'async_block':
      case 'let_condition':
        node = childIn(node, 'value') ?? namedChildren(node).find((child) => child.type !== 'mutable_specifier');
        break;
      case 'generic_function':
        node = childIn(node, 'function');
        break;
      case 'generic_type':
      case 'generic_type_with_turbofish':
        node = childIn(node, 'type');
        break;
      case 'identifier':
      case 'type_identifier':
      case 'self':
      case 'crate':
      case 'super':
        parts.push((node.type === 'crate' || node.type === 'super' ? `::${node.type}` : tree.text(node)) + suffix);
        return parts.reverse().join('.');
      case 'scoped_identifier':
      case 'scoped_type_identifier':
        parts.push(pathChain(pathText(tree.text(node))) + suffix);
        return parts.reverse().join('.');
      default:
        parts.push((literals.test(node.type) ? '""' : '?') + suffix);
        return parts.reverse().join('.');
    }
  }
  return ['?', ...parts.reverse()].join('.');
}

/** `Vec::<A>::new` and `<T as Tool>::call` without what stands in angle brackets, but for the trait. */
function pathText(text: string): string {
  let path = text.replace(/\s+/g, '').replace(/^<(?:[^<>]|<[^<>]*>)*?as([A-Z]\w*)(?:<.*?>)?>/, '$1');
  for (let depth = 0; depth < 6 && path.includes('<'); depth++) path = path.replace(/(::)?<[^<>]*>/g, '');
  return path.replace(/>/g, '');
}

/** Arguments of a call. */
export function givenTo(call: SyntaxNode): SyntaxNode[] {
  const list = childIn(call, 'arguments');
  return list ? codeChildren(list) : [];
}

/** Children without comments and attributes. */
export function codeChildren(node: SyntaxNode): SyntaxNode[] {
  return node.children.filter(
    (child) => child.named && !/^(line_comment|block_comment|attribute_item|inner_attribute_item)$/.test(child.type),
  );
}

/** What an expression may evaluate to: the ends of blocks, arms and branches, what a list holds, else its chain. */
export function valuesOf(tree: SyntaxTree, expression: SyntaxNode | undefined): string[] {
  const found: string[] = [];
  const open = expression ? [expression] : [];
  for (let steps = 0; open.length > 0 && found.length < mostHeld && steps < 400; steps++) {
    const node = open.shift()!;
    switch (node.type) {
      case 'array_expression':
        open.push(...codeChildren(node));
        break;
      case 'block':
      case 'unsafe_block':
      case 'else_clause':
        open.push(...codeChildren(node).slice(-1));
        break;
      case 'if_expression':
        open.push(...[childIn(node, 'consequence'), childIn(node, 'alternative')].filter((each) => each !== undefined));
        break;
      case 'match_expression':
        for (const arm of codeChildren(childIn(node, 'body') ?? node))
          open.push(...[childIn(arm, 'value')].filter((each) => each !== undefined));
        break;
      case 'call_expression':
        if (isMacro(tree, node, 'vec')) {
          open.push(...givenTo(node));
          break;
        }
        found.push(chainOf(tree, node));
        break;
      case 'reference_expression':
      case 'parenthesized_expression':
        open.push(...[childIn(node, 'value') ?? codeChildren(node)[0]].filter((each) => each !== undefined));
        break;
      case 'closure_expression':
      case 'expression_statement':
      case 'return_expression':
        break;
      default:
        found.push(chainOf(tree, node));
    }
  }
  return [...new Set(found.filter(isNamed))];
}

/** Whether a call is a macro that was read as one, by its name. */
export function isMacro(tree: SyntaxTree, call: SyntaxNode, name?: string): boolean {
  const callee = childIn(call, 'function');
  if (!callee || tree.source[callee.end] !== '!') return false;
  return name === undefined || tree.text(callee) === name;
}

export function isString(node: SyntaxNode | undefined): boolean {
  return node?.type === 'string_literal' || node?.type === 'raw_string_literal';
}

/** The text of a string literal, also of `"x".to_string()`, `String::from("x")` and `"x".into()`. */
export function plainString(tree: SyntaxTree, node: SyntaxNode | undefined): string | undefined {
  let inner = node;
  for (let steps = 0; inner && steps < 6; steps++) {
    if (isString(inner)) return textOf(tree, inner);
    const callee = inner.type === 'call_expression' ? childIn(inner, 'function') : undefined;
    if (
      callee?.type === 'field_expression' &&
      /^(to_string|to_owned|into|as_str|as_ref)$/.test(tree.text(childIn(callee, 'field')!))
    )
      inner = childIn(callee, 'value');
    else if (callee && /(^|::)(from|Some|new|Borrowed|concat)$/.test(tree.text(callee))) inner = givenTo(inner)[0];
    else inner = inner.type === 'reference_expression' ? childIn(inner, 'value') : undefined;
  }
  return undefined;
}

const formatting =
  /(^|::)(format|format_args|print|println|eprint|eprintln|write|writeln|panic|unreachable|todo|unimplemented|assert\w*|debug_assert\w*|anyhow|bail|ensure|eyre|trace|debug|info|warn|error|log)$/;

/** Fixed parts and placeholders of a literal; `{x}` counts in macros that format. */
export function stringParts(tree: SyntaxTree, node: SyntaxNode): (string | null)[] {
  const call = node.parent?.type === 'arguments' ? node.parent.parent : null;
  const callee = call && isMacro(tree, call) ? childIn(call, 'function') : undefined;
  const braces = callee !== undefined && formatting.test(tree.text(callee));
  return splitPlaceholders(textOf(tree, node), { braces }).filter((part) => part !== '');
}

function textOf(tree: SyntaxTree, node: SyntaxNode): string {
  const text = tree.text(node);
  const open = text.indexOf('"') + 1;
  const inner = text.slice(open, Math.max(open, text.lastIndexOf('"')));
  return node.type === 'raw_string_literal' ? inner : decodeEscapes(inner);
}

const escapes: Record<string, string> = { n: '\n', t: '\t', r: '\r', '0': '\0', '\\': '\\', "'": "'", '"': '"' };

/** Escapes as in "Tokens" of the Rust reference; a line that ends in `\` goes on with the next word. */
function decodeEscapes(text: string): string {
  if (!text.includes('\\')) return text;
  return text.replace(
    /\\(?:\r?\n\s*|x([0-9a-fA-F]{2})|u\{([0-9a-fA-F_]{1,8})\}|([\s\S]))/g,
    (whole: string, two?: string, point?: string, one?: string) => {
      if (one !== undefined) return escapes[one] ?? whole;
      if (two === undefined && point === undefined) return '';
      const code = Number.parseInt(two ?? point!.replaceAll('_', ''), 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
