import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { Language, Parser } from 'web-tree-sitter';
import type { Run } from './processes';

const grammars = new Map([
  ['.ts', 'typescript'],
  ['.tsx', 'tsx'],
  ['.js', 'javascript'],
  ['.mjs', 'javascript'],
  ['.cjs', 'javascript'],
  ['.jsx', 'javascript'],
  ['.py', 'python'],
  ['.go', 'go'],
  ['.rs', 'rust'],
]);

/**
 * Parses every source file of a folder and throws the tree away: what the parser alone takes, on one thread and without
 * reading anything out of the trees.
 *
 * @param wasm folder with the parser and its grammars
 */
export async function parseRun(folder: string, wasm: string): Promise<Run> {
  await Parser.init({ locateFile: () => join(wasm, 'web-tree-sitter.wasm') });
  const parsers = new Map<string, Parser>();
  for (const name of new Set(grammars.values())) {
    const parser = new Parser();
    parser.setLanguage(await Language.load(join(wasm, `tree-sitter-${name}.wasm`)));
    parsers.set(name, parser);
  }
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    grammars.has(extname(file)),
  );
  const began = performance.now();
  const before = process.cpuUsage();
  for (const file of files)
    parsers
      .get(grammars.get(extname(file))!)!
      .parse(readFileSync(join(folder, file), 'utf8'))
      ?.delete();
  const { user, system } = process.cpuUsage(before);
  return { wall: (performance.now() - began) / 1000, cpu: (user + system) / 1e6, memory: Number.NaN };
}
