import type { GraphData, GraphNode, LiteralFact } from '../model';
import { remembered } from './remembered';

/** More users than this of one name says the name is common, not that the file is used. */
export const maximumUsers = 24;

/** A constant string of code; `text` has `*` for placeholders. */
export interface CodeLiteral {
  fact: LiteralFact;
  text: string;
}

/** Short constant strings of code, without those of prompts and configuration. */
export function codeLiterals(data: GraphData): CodeLiteral[] {
  // Code that reads a variable of the environment has a `config` node too, and stays code.
  const isArtifact = (node: GraphNode) =>
    node.kind === 'prompt' || (node.kind === 'config' && /\.(ya?ml|jsonc?|toml)$/.test(node.file));
  const artifacts = new Set(data.nodes.filter(isArtifact).map((node) => node.file));
  const found: CodeLiteral[] = [];
  for (const fact of data.literals) {
    if (artifacts.has(fact.file)) continue;
    const text = textOf(fact);
    if (text.length > 0 && text.length <= 200) found.push({ fact, text });
  }
  return found;
}

const textOf = remembered(({ parts }: LiteralFact) => parts.map((part) => part ?? '*').join(''));
