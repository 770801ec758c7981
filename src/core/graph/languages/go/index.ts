import { errorsIn } from '../../syntax/errors';
import { parse } from '../../syntax/parser';
import type { Language } from '../language';
import { analyzeGo } from './analyze';
import { goBoundaries, goBuiltinMethods, goBuiltins, goLibraryLoops } from './boundaries';
import { goModules, goPackageOf } from './modules';
import { goTypeText } from './types';

export const go: Language = {
  id: 'go',
  endings: ['.go'],
  analyze: async (text) => analyzeGo(await parse('go', text)),
  syntaxErrors: async (text) => errorsIn(await parse('go', text)),
  modules: goModules,
  boundaries: goBoundaries,
  libraryLoops: goLibraryLoops,
  externalName: (module, name) => (name === '*' ? module : `${module}.${name}`),
  builtinMethods: goBuiltinMethods,
  builtins: goBuiltins,
  // No method can have this name: Go has no constructors.
  constructorName: 'go:constructor',
  typing: 'structural',
  typeText: goTypeText,
  packageOf: goPackageOf,
};
