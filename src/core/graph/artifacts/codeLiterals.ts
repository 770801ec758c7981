import type { GraphData, GraphNode, LiteralFact } from '../model';
import type { GraphLists } from './facts';
import { remembered } from './remembered';

/** More users than this of one name says the name is common, not that the file is used. */
export const maximumUsers = 24;

/** A constant string of code; `text` has `*` for placeholders. */
export interface CodeLiteral {
  fact: LiteralFact;
  text: string;
  /** What follows its last dot. */
  lastName: string;
  /** The path it may be, without what leads there from elsewhere. */
  path?: string;
  /** Whether it may be an import path such as `package.module.name`. */
  isImportPath: boolean;
}

const importPath = /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?::[A-Za-z_]\w*)?$/;

/** Short constant strings of code, without those of prompts and configuration. */
export function codeLiterals(data: GraphData, { literals }: Pick<GraphLists, 'literals'>): CodeLiteral[] {
  // Code that reads a variable of the environment has a `config` node too, and stays code.
  const isArtifact = (node: GraphNode) =>
    node.kind === 'prompt' || (node.kind === 'config' && /\.(ya?ml|jsonc?|toml)$/.test(node.file));
  const artifacts = new Set(data.nodes.filter(isArtifact).map((node) => node.file));
  return shortLiterals(literals).filter(({ fact }) => !artifacts.has(fact.file));
}

const shortLiterals = remembered((list: readonly LiteralFact[]) => {
  const found: CodeLiteral[] = [];
  for (const fact of list) {
    const text = fact.parts.map((part) => part ?? '*').join('');
    if (text.length === 0 || text.length > 200) continue;
    const literal: CodeLiteral = {
      fact,
      text,
      lastName: text.slice(text.lastIndexOf('.') + 1),
      isImportPath: importPath.test(text),
    };
    const path = text.replace(/^\.?\.?\//, '').replace(/^(\.\.\/)+/, '');
    if (fileName.test(path)) literal.path = path;
    found.push(literal);
  }
  return found;
});

/** Ends in the name of a file, which has no slash. */
const fileName = /\.[a-z0-9]{1,8}$/i;
