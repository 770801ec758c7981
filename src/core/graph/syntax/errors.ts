import { type SyntaxTree, walk } from './tree';

/** Places the parser could not understand, in source order, at most `limit`. */
export function errorsIn(tree: SyntaxTree, limit = 50): { line: number; message: string }[] {
  const errors: { line: number; message: string }[] = [];
  if (!tree.hasErrors) return errors;
  walk(tree.root, {
    enter(node) {
      if (errors.length >= limit) return false;
      if (node.missing) errors.push({ line: tree.line(node), message: `Missing ${node.type}` });
      if (node.type !== 'ERROR') return true;
      errors.push({ line: tree.line(node), message: `Cannot be parsed: ${tree.shortText(node, 60)}` });
      return false;
    },
    leave() {},
  });
  return errors;
}
