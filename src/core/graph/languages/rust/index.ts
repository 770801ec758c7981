import { errorsIn } from '../../syntax/errors';
import { parse } from '../../syntax/parser';
import type { Language } from '../language';
import { analyzeRust } from './analyze';
import { rustBoundaries, rustBuiltinMethods, rustBuiltins, rustLibraryLoops } from './boundaries';
import { parseRust } from './macros';
import { rustModules } from './modules';
import { rustTypeText } from './types';

export const rust: Language = {
  id: 'rust',
  endings: ['.rs'],
  analyze: async (text) => {
    const { tree, parseErrors } = await parseRust(text);
    return analyzeRust(tree, parseErrors);
  },
  syntaxErrors: async (text) => errorsIn(await parse('rust', text)),
  modules: rustModules,
  boundaries: rustBoundaries,
  libraryLoops: rustLibraryLoops,
  externalName: (module, name) => (name === '*' ? module : `${module}.${name}`).replaceAll('::', '.'),
  builtinMethods: rustBuiltinMethods,
  builtins: rustBuiltins,
  // No method can have this name: what makes a value is an ordinary function.
  constructorName: 'rust:constructor',
  typing: 'nominal',
  typeText: rustTypeText,
};
