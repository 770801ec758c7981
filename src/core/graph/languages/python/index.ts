import { errorsIn } from '../../syntax/errors';
import { parse } from '../../syntax/parser';
import type { Language } from '../language';
import { analyzePython } from './analyze';
import { pythonBoundaries, pythonBuiltinMethods, pythonBuiltins } from './boundaries';
import { pythonModules } from './modules';

export const python: Language = {
  id: 'python',
  endings: ['.py', '.pyi'],
  analyze: async (text) => analyzePython(await parse('python', text)),
  syntaxErrors: async (text) => errorsIn(await parse('python', text)),
  modules: (files) => pythonModules(files),
  boundaries: pythonBoundaries,
  externalName: (module, name) => (name === '*' ? module : `${module}.${name}`),
  builtinMethods: pythonBuiltinMethods,
  builtins: pythonBuiltins,
  constructorName: '__init__',
};
