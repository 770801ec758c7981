import { errorsIn } from '../../syntax/errors';
import { parse } from '../../syntax/parser';
import { childIn, childOfType, type SyntaxNode, SyntaxTree, walk } from '../../syntax/tree';

/** Content that is no list of expressions. */
const noExpressions = /=>|;|[%?$]\s*\w|\$|^\s*\{|@/;
const neverCode =
  /(^|::)(macro_rules|include_str|include_bytes|include|concat|stringify|env|option_env|html|rsx|quote|sql|query)$/;

/**
 * The tree of a Rust source in which macros with arguments, such as `format!("{}", self.name())` and `vec![a, b]`, are
 * read as calls, because the grammar knows only tokens in them. Macros whose content is no list of expressions stay as
 * they are. Offsets are those of the source.
 */
export async function parseRust(source: string): Promise<{ tree: SyntaxTree; parseErrors: number }> {
  const tree = await parse('rust', source);
  const parseErrors = errorsIn(tree).length;
  let macros = argumentMacros(tree);
  // What cannot be read as a call shows as an error; those macros are left out the second time.
  for (let round = 0; round < 2 && macros.length > 0; round++) {
    const rewritten = await parse('rust', asCalls(source, macros));
    const broken = newErrors(rewritten, tree);
    if (broken.length === 0) return { tree: new SyntaxTree(rewritten.root, source, tree.hasErrors), parseErrors };
    macros = macros.filter(({ start, end }) => !broken.some((error) => error.start < end && start < error.end));
  }
  return { tree, parseErrors };
}

interface Macro {
  start: number;
  end: number;
  /** Offset of the `!`. */
  mark: number;
  open: number;
}

function argumentMacros(tree: SyntaxTree): Macro[] {
  const found: Macro[] = [];
  walk(tree.root, {
    enter(node) {
      if (node.type === 'macro_definition') return false;
      if (node.type !== 'macro_invocation') return true;
      collect(tree, node, found);
      return false;
    },
    leave() {},
  });
  return found;
}

function collect(tree: SyntaxTree, node: SyntaxNode, found: Macro[]): void {
  const name = childIn(node, 'macro');
  const body = childOfType(node, 'token_tree');
  if (!name || !body || node.parent?.type === 'source_file' || node.parent?.type === 'declaration_list') return;
  const text = tree.text(body);
  const mark = tree.source.indexOf('!', name.end);
  if (mark < 0 || mark >= body.start || !/^[([]/.test(text) || neverCode.test(tree.text(name))) return;
  const code = text.slice(1, -1).replace(/"(?:\\[\s\S]|[^"\\])*"/g, '""');
  if (noExpressions.test(code)) return;
  found.push({ start: node.start, end: node.end, mark, open: body.start });
}

/** The source with `!` blanked and brackets made round, so that every offset stays. */
function asCalls(source: string, macros: readonly Macro[]): string {
  const parts: string[] = [];
  let from = 0;
  const put = (at: number, character: string) => {
    parts.push(source.slice(from, at), character);
    from = at + 1;
  };
  for (const { mark, open, end } of macros) {
    put(mark, ' ');
    put(open, '(');
    const close = source.lastIndexOf(source[open] === '[' ? ']' : ')', end - 1);
    if (close > open) put(close, ')');
  }
  parts.push(source.slice(from));
  return parts.join('');
}

/** Errors that the source itself does not have. */
function newErrors(rewritten: SyntaxTree, original: SyntaxTree): SyntaxNode[] {
  if (!rewritten.hasErrors) return [];
  const known = new Set(errorsOf(original).map(({ start }) => start));
  return errorsOf(rewritten).filter(({ start }) => !known.has(start));
}

function errorsOf(tree: SyntaxTree): SyntaxNode[] {
  const errors: SyntaxNode[] = [];
  if (!tree.hasErrors) return errors;
  walk(tree.root, {
    enter(node) {
      if (node.type === 'ERROR' || node.missing) errors.push(node);
      return node.type !== 'ERROR';
    },
    leave() {},
  });
  return errors;
}
