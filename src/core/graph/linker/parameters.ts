import type { ParameterFact, SymbolFact } from '../fileFacts';
import type { NameResolver } from './resolveNames';
import { type FileEntry, parentScope } from './symbolTable';
import { isTestFile } from './testFiles';
import { distinct, type Value } from './values';

/** A function with more callers is too general for what they hand over to say much. */
const mostCallers = 8;
/** A decorator is there to collect functions. */
const mostDecorated = 48;

/**
 * What a parameter may hold: what its annotation or default says, else what the callers hand over. The last matters in
 * sources without types, where a loop gets its model function and its tools as parameters.
 */
export function parameterValues(
  names: NameResolver,
  file: FileEntry,
  symbol: SymbolFact,
  parameter: ParameterFact,
): Value[] {
  const position = symbol.parameters!.indexOf(parameter);
  const declared = file.declarations?.symbols.get(symbol.qualname)?.parameters?.[position];
  const stated = distinct([
    ...(declared?.type ? names.typed(declared.type, file.declarations!, symbol.qualname) : []),
    ...(parameter.type ? names.typed(parameter.type, file, symbol.qualname) : []),
    ...(parameter.value ? names.evaluate(parameter.value, file, symbol.qualname) : []),
  ]);
  return stated.length > 0 ? stated : handedOver(names, file, symbol, position);
}

function handedOver(names: NameResolver, file: FileEntry, symbol: SymbolFact, position: number): Value[] {
  const isConstructor = symbol.name === file.language.constructorName;
  const calledAs = isConstructor ? ownerName(symbol) : symbol.name;
  const plain = names.table.callers.get(calledAs) ?? [];
  // `register('x')(f)`, which a decorator is too: what a function returns is called under the name of that function.
  const outer = symbol.kind === 'function' ? file.symbols.get(parentScope(symbol.qualname)) : undefined;
  const made = outer && outer.kind !== 'class' ? (names.table.callers.get(`${outer.name}()`) ?? []) : [];
  const callers = [...(plain.length > mostCallers ? [] : plain), ...(made.length > mostDecorated ? [] : made)];
  // In Python the receiver is a parameter but no argument.
  const isBound = symbol.kind === 'method' && /^(self|cls)$/.test(symbol.parameters?.[0]?.name ?? '');
  const values: Value[] = [];
  for (const { file: caller, call } of callers) {
    const chain = call.arguments?.[isBound ? position - 1 : position];
    if (isTestFile(caller.path) && !isTestFile(file.path)) continue;
    if (!chain || chain.startsWith('"') || caller.language.constructorName !== file.language.constructorName) continue;
    const means = names.evaluate(call.callee, caller, call.scope).some((value) => {
      if (value.kind === 'class') return isConstructor && value.entry.members.get(symbol.name) === symbol;
      return value.kind === 'function' && value.symbol === symbol;
    });
    if (means) values.push(...names.evaluate(chain, caller, call.scope));
  }
  return distinct(values);
}

function ownerName(symbol: SymbolFact): string {
  return symbol.qualname.split('.').at(-2) ?? symbol.name;
}
