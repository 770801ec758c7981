import type { NameResolver } from './resolveNames';
import type { FileEntry } from './symbolTable';

/** Where the value of a name is kept. */
export type Place =
  | { kind: 'variable'; file: FileEntry; name: string }
  | { kind: 'attribute'; file: FileEntry; owner: string; name: string; detail?: string | undefined };

/** Finds module variables and attributes that chains name, and the text they hold. */
export class TextResolver {
  constructor(private readonly names: NameResolver) {}

  /** The variable or attribute a chain ends in, undefined for locals, functions and the outside. */
  placesOf(chain: string, file: FileEntry, scope: string): Place[] {
    const dot = chain.lastIndexOf('.');
    if (chain.endsWith(')')) return [];
    const plain = chain.replace(/(\[\])+$/, '');
    if (dot < 0) {
      const found = this.variable(plain, file, 0);
      return found ? [found] : [];
    }
    const name = plain.slice(dot + 1);
    const places: Place[] = [];
    for (const value of this.names.evaluate(chain.slice(0, dot), file, scope)) {
      if (value.kind === 'module') {
        const found = this.variable(name, value.file, 0);
        if (found) places.push(found);
      }
      if (value.kind !== 'instance' && value.kind !== 'class') continue;
      // The base that first declares an attribute owns it, so that all subclasses share one register.
      const owner = this.names.hierarchy.lineage(value.entry).findLast((each) => each.attributes.has(name));
      if (!owner || owner.literal) continue;
      const known = owner.attributes.get(name)!;
      const detail = known.find(({ fact }) => fact.detail)?.fact.detail;
      places.push({ kind: 'attribute', file: owner.file, owner: owner.symbol.qualname, name, detail });
    }
    return places.slice(0, 4);
  }

  /** The text a chain stands for: a quoted argument itself, or the literal kept in a variable or attribute. */
  textOf(chain: string, file: FileEntry, scope: string): string | undefined {
    if (chain.startsWith('"')) return chain.slice(1, -1);
    for (const place of this.placesOf(chain, file, scope)) {
      const detail = place.kind === 'attribute' ? place.detail : place.file.symbols.get(place.name)?.detail;
      const text = detail
        ? /^(?:[a-zA-Z]{0,2})(["'`])([\s\S]*)\1$/.exec(detail.replace(/ as const$/, ''))?.[2]
        : undefined;
      if (text !== undefined) return text;
    }
    return undefined;
  }

  private variable(name: string, file: FileEntry, depth: number): Place | undefined {
    const symbol = file.symbols.get(name);
    if (symbol) return symbol.kind === 'variable' ? { kind: 'variable', file, name } : undefined;
    const imported = file.imports.get(name);
    const exported = file.exports.get(name) ?? file.package?.exports.get(name);
    const module = imported && imported.name !== '*' ? imported.module : exported?.module;
    const target = module && depth < 8 ? this.names.fileOf(module, file) : null;
    if (target) return this.variable(imported ? imported.name : exported!.chain, target, depth + 1);
    for (const open of depth < 8 ? file.openExports : []) {
      const from = this.names.fileOf(open, file);
      const found = from ? this.variable(name, from, depth + 1) : undefined;
      if (found) return found;
    }
    return undefined;
  }
}
