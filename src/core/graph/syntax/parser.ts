import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import { EnvironmentError } from '../../errors';
import { type SyntaxNode, SyntaxTree } from './tree';

export type Grammar = 'python' | 'typescript' | 'tsx' | 'javascript';

const here = path.dirname(fileURLToPath(import.meta.url));
let runtime: Promise<void> | undefined;
const grammars = new Map<Grammar, Promise<ParserFor>>();

interface ParserFor {
  parser: Parser;
  language: Language;
}

/** Parses a text. The tree is complete even for broken sources; see `hasErrors`. */
export async function parse(grammar: Grammar, source: string): Promise<SyntaxTree> {
  const { parser, language } = await load(grammar);
  const tree = parser.parse(source);
  if (!tree)
    throw new EnvironmentError(`The ${grammar} parser gave no tree.`, {
      code: 'parser-failed',
      nextStep: 'Run the index again.',
    });
  try {
    const hasErrors = tree.rootNode.hasError;
    return new SyntaxTree(copy(tree, language, hasErrors), source, hasErrors);
  } finally {
    // The tree lives in WebAssembly memory, which the garbage collector does not see.
    tree.delete();
  }
}

function load(grammar: Grammar): Promise<ParserFor> {
  let loading = grammars.get(grammar);
  if (!loading) {
    loading = (async () => {
      runtime ??= Parser.init({
        locateFile: () => wasmFile('web-tree-sitter.wasm', 'web-tree-sitter/web-tree-sitter.wasm'),
      });
      await runtime;
      const name = `tree-sitter-${grammar}.wasm`;
      const language = await Language.load(wasmFile(name, `@vscode/tree-sitter-wasm/wasm/${name}`));
      const parser = new Parser();
      parser.setLanguage(language);
      return { parser, language };
    })();
    grammars.set(grammar, loading);
  }
  return loading;
}

/** In a bundle the files lie in `wasm/` beside it; from source they come from their packages. */
function wasmFile(name: string, inPackage: string): string {
  const beside = path.join(here, 'wasm', name);
  if (existsSync(beside)) return beside;
  try {
    return createRequire(import.meta.url).resolve(inPackage);
  } catch (cause) {
    throw new EnvironmentError(`The parser file ${name} is missing beside ${here}.`, {
      code: 'parser-missing',
      nextStep: 'Install the extension again, or run npm install and npm run build.',
      cause,
    });
  }
}

/** Tokens that carry no fact; leaving them out halves the tree. */
const punctuation = new Set(['(', ')', '[', ']', '{', '}', ',', '.', ':', ';', '"', "'", '`', '<', '>', '/']);
const errorType = 65535;

function copy(tree: Tree, language: Language, hasErrors: boolean): SyntaxNode {
  const cursor = tree.walk();
  const { types, fields } = language;
  const named = types.map((_, id) => language.nodeTypeIsNamed(id));
  const node = (parent: SyntaxNode | null): SyntaxNode | null => {
    const id = cursor.nodeTypeId;
    const type = id === errorType ? 'ERROR' : (types[id] ?? '');
    const isNamed = id === errorType || named[id] === true;
    const missing = hasErrors && cursor.nodeIsMissing;
    if (!isNamed && !missing && punctuation.has(type)) return null;
    const field = fields[cursor.currentFieldId] ?? '';
    return {
      type,
      field,
      start: cursor.startIndex,
      end: cursor.endIndex,
      named: isNamed,
      missing,
      parent,
      children: [],
    };
  };
  try {
    const root = node(null)!;
    let parent = root;
    let deeper = cursor.gotoFirstChild();
    while (deeper) {
      const current = node(parent);
      if (current) parent.children.push(current);
      if (current && cursor.gotoFirstChild()) {
        parent = current;
        continue;
      }
      deeper = cursor.gotoNextSibling();
      while (!deeper && parent !== root) {
        cursor.gotoParent();
        parent = parent.parent!;
        deeper = cursor.gotoNextSibling();
      }
    }
    return root;
  } finally {
    cursor.delete();
  }
}
