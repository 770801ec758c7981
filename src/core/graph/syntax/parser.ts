import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Language, Parser } from 'web-tree-sitter';
import { EnvironmentError } from '../../errors';
import { copyTree } from './copyTree';
import { cursorOver, type ParserModule } from './cursor';
import { SyntaxTree } from './tree';

export type Grammar = 'python' | 'typescript' | 'tsx' | 'javascript' | 'go' | 'rust';

const here = path.dirname(fileURLToPath(import.meta.url));
let runtime: Promise<void> | undefined;
/** The parser's runtime puts its functions here. */
const parserModule: ParserModule = {
  locateFile: () => wasmFile('web-tree-sitter.wasm', 'web-tree-sitter/web-tree-sitter.wasm'),
};
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
    const cursor = cursorOver(tree, parserModule);
    try {
      return new SyntaxTree(copyTree(cursor, language, hasErrors), source, hasErrors);
    } finally {
      cursor.delete();
    }
  } finally {
    // The tree lives in WebAssembly memory, which the garbage collector does not see.
    tree.delete();
  }
}

function load(grammar: Grammar): Promise<ParserFor> {
  let loading = grammars.get(grammar);
  if (!loading) {
    loading = (async () => {
      runtime ??= Parser.init(parserModule);
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
