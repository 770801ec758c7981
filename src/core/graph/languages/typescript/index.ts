import { errorsIn } from '../../syntax/errors';
import { type Grammar, parse } from '../../syntax/parser';
import type { Language } from '../language';
import { analyzeTypeScript } from './analyze';
import {
  typeScriptBoundaries,
  typeScriptBuiltinMethods,
  typeScriptBuiltins,
  typeScriptExternalName,
} from './boundaries';
import { typeScriptModules } from './modules';

function language(id: Grammar, endings: string[]): Language {
  return {
    id,
    endings,
    analyze: async (text) => analyzeTypeScript(await parse(id, text)),
    syntaxErrors: async (text) => errorsIn(await parse(id, text)),
    modules: typeScriptModules,
    boundaries: typeScriptBoundaries,
    externalName: typeScriptExternalName,
    builtinMethods: typeScriptBuiltinMethods,
    builtins: typeScriptBuiltins,
    constructorName: 'constructor',
  };
}

/** TypeScript, TypeScript with JSX, and JavaScript share everything but their grammar. */
export const typeScriptFamily: readonly Language[] = [
  language('typescript', ['.ts', '.mts', '.cts']),
  language('tsx', ['.tsx']),
  language('javascript', ['.js', '.jsx', '.mjs', '.cjs']),
];
