import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser, type Tree } from 'web-tree-sitter';
import { EnvironmentError } from '../../errors';
import { type SyntaxNode, SyntaxTree } from './tree';

export type Grammar = 'python' | 'typescript' | 'tsx' | 'javascript' | 'go' | 'rust';

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
const punctuation = new Set(['(', ')', '[', ']', '{', '}', ',', '.', ':', ';', '"', "'", '`', '<', '>', '/', '=>']);
/** Nodes of which only the text is used. */
const opaque = new Set(
  (
    'type_annotation type_arguments type_parameters type regex comment identifier property_identifier type_identifier ' +
    'shorthand_property_identifier shorthand_property_identifier_pattern private_property_identifier number integer float ' +
    'string_fragment string_content interpreted_string_literal_content raw_string_literal_content escape_sequence statement_identifier true false null none this super jsx_text'
  ).split(' '),
);
const noChildren: SyntaxNode[] = [];

interface NodeType {
  name: string;
  named: boolean;
  left: boolean;
  leaf: boolean;
}

function copy(tree: Tree, language: Language, hasErrors: boolean): SyntaxNode {
  const cursor = tree.walk();
  const { fields } = language;
  const types = typesOf(language);
  const node = (parent: SyntaxNode | null, type: NodeType): SyntaxNode => {
    const field = fields[cursor.currentFieldId] ?? '';
    // Every question to the cursor crosses into WebAssembly; where a token stands is never asked.
    const start = type.named || hasErrors ? cursor.startIndex : (parent?.start ?? 0);
    const end = type.named || hasErrors ? cursor.endIndex : start;
    return { type: type.name, field, start, end, named: type.named, parent, children: noChildren };
  };
  try {
    const root = node(null, types(cursor.nodeTypeId));
    let parent = root;
    let deeper = cursor.gotoFirstChild();
    while (deeper) {
      const type = types(cursor.nodeTypeId);
      const missing = hasErrors && cursor.nodeIsMissing;
      if (!type.left || missing) {
        const current = node(parent, type);
        if (missing) current.missing = true;
        if (parent.children === noChildren) parent.children = [current];
        else parent.children.push(current);
        if ((!type.leaf || hasErrors) && cursor.gotoFirstChild()) {
          parent = current;
          continue;
        }
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

/** What the copy needs to know of each node type, by its number. */
function typesOf(language: Language): (id: number) => NodeType {
  const known = language.types.map((name, id): NodeType => {
    const named = language.nodeTypeIsNamed(id);
    return { name, named, left: !named && punctuation.has(name), leaf: !named || opaque.has(name) };
  });
  const error: NodeType = { name: 'ERROR', named: true, left: false, leaf: false };
  return (id) => known[id] ?? error;
}
