import type { AssignmentFact, ElementFact } from '../fileFacts';
import type { ClassEntry } from './classEntry';
import type { NameResolver } from './resolveNames';
import type { FileEntry } from './symbolTable';
import { isTestFile } from './testFiles';
import { distinct, type Value } from './values';

/** A name under which more than this is given to objects says too little about which object is meant. */
const mostAssignments = 48;
const mostElements = 48;

/** Under which the elements of a name or attribute are kept in a file. */
export function elementPlace({ holder, name, attribute }: Pick<ElementFact, 'holder' | 'name' | 'attribute'>): string {
  return `${holder}${attribute ? '' : '@'}.${name}`;
}

/** What was put into the list, map or object that a name stands for in a scope, or that an attribute of a class holds. */
export function heldValues(
  names: NameResolver,
  file: FileEntry,
  holder: string,
  name: string,
  attribute = false,
): Value[] {
  const facts = file.elements.get(elementPlace({ holder, name, attribute }));
  if (!facts) return [];
  const of: Value[] = [];
  // Keys of any name: an object has some of its own.
  const named = new Map<string, Value[]>();
  for (const { key, scope, chain } of facts) {
    const values = names.evaluate(chain, file, scope);
    of.push(...values);
    if (key !== undefined && /^[A-Za-z_$]/.test(key)) named.set(key, distinct([...(named.get(key) ?? []), ...values]));
  }
  return of.length === 0
    ? []
    : [{ kind: 'container', of: distinct(of, mostElements), named: Object.fromEntries(named) }];
}

/** What other code gives to an attribute of objects of a class: `selector.onPick = handle`. */
export function assignedValues(names: NameResolver, entry: ClassEntry, name: string): Value[] {
  const given = names.table.assigned.get(name) ?? [];
  if (given.length > mostAssignments) return [];
  const values: Value[] = [];
  for (const { file, fact } of given) {
    if (isTestFile(file.path) && !isTestFile(entry.file.path)) continue;
    if (!isGivenTo(names, file, fact, entry)) continue;
    const symbol = fact.symbol === undefined ? undefined : file.symbols.get(fact.symbol);
    if (symbol) values.push({ kind: 'function', file, symbol });
    for (const chain of fact.values) values.push(...names.evaluate(chain, file, fact.scope));
  }
  return distinct(values);
}

function isGivenTo(names: NameResolver, file: FileEntry, fact: AssignmentFact, entry: ClassEntry): boolean {
  const owner = fact.chain.slice(0, fact.chain.lastIndexOf('.'));
  return names
    .evaluate(owner, file, fact.scope)
    .some((value) => value.kind === 'instance' && names.hierarchy.lineage(value.entry).includes(entry));
}
