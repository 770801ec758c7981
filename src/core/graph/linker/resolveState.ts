import type { AccessFact } from '../fileFacts';
import type { GraphBuilder } from './graphBuilder';
import type { NameResolver } from './resolveNames';
import type { Place, TextResolver } from './resolveTexts';
import { type FileEntry, parentScope, symbolId } from './symbolTable';

/** Methods that change what they are called on. */
const mutators =
  /\.(append|extend|insert|remove|pop|popleft|clear|update|setdefault|add|discard|push|unshift|shift|splice|set|delete|sort|reverse|fill|appendleft|extendleft)$/;

/** Turns accesses into reads and writes of attributes and module variables. */
export class StateLinker {
  constructor(
    private readonly names: NameResolver,
    private readonly texts: TextResolver,
    private readonly builder: GraphBuilder,
  ) {}

  link(file: FileEntry): void {
    for (const access of file.facts.accesses) {
      if (access.callback) continue;
      if (access.write) this.add(file, access, access.chain, 'writes');
      else this.add(file, access, access.chain, 'reads');
      this.linkPrefixes(file, access);
    }
    for (const call of file.facts.calls) {
      if (!mutators.test(call.callee)) continue;
      const chain = call.callee.slice(0, call.callee.lastIndexOf('.'));
      this.add(file, { scope: call.scope, chain, line: call.line, text: call.text, write: true }, chain, 'writes');
    }
  }

  /** `self.config.limit` reads `self.config` too. */
  private linkPrefixes(file: FileEntry, access: AccessFact): void {
    const segments = access.chain.split('.');
    for (let length = segments.length - 1; length > 0; length--) {
      const prefix = segments.slice(0, length).join('.');
      // What a call returned was accessed where it was called.
      if (prefix.includes('(')) continue;
      if (length > 1 || this.isModuleState(file, access, prefix)) this.add(file, access, prefix, 'reads');
    }
  }

  private isModuleState(file: FileEntry, { scope }: AccessFact, name: string): boolean {
    for (let at = scope; at; at = parentScope(at)) {
      if (
        file.locals.get(at).has(name) ||
        file.symbols.get(at)?.parameters?.some((parameter) => parameter.name === name)
      )
        return false;
    }
    return true;
  }

  private add(file: FileEntry, access: AccessFact, chain: string, kind: 'reads' | 'writes'): void {
    const from = symbolId(file.path, access.scope);
    const edge = { from, file: file.path, line: access.line, ...(access.text ? { text: access.text } : {}) };
    if (!chain.includes('.') && !this.isModuleState(file, access, chain)) return;
    const places = this.texts.placesOf(chain, file, access.scope);
    for (const place of places) {
      const base = { ...edge, to: placeId(place), kind };
      this.builder.edge(places.length > 1 ? { ...base, certain: false } : base);
    }
    if (places.length === 0 && kind === 'reads' && chain.includes('.')) this.linkGetter(file, access, chain);
  }

  /** Reading a property runs its getter. */
  private linkGetter(file: FileEntry, access: AccessFact, chain: string): void {
    const dot = chain.lastIndexOf('.');
    const name = chain.slice(dot + 1).replace(/(\[\])+$/, '');
    for (const value of this.names.evaluate(chain.slice(0, dot), file, access.scope)) {
      if (value.kind !== 'instance') continue;
      const found = this.names.hierarchy.inClass(value.entry, name);
      if (!found?.method?.getter) continue;
      const to = symbolId(found.file.path, found.method.qualname);
      this.builder.edge({
        from: symbolId(file.path, access.scope),
        to,
        kind: 'calls',
        file: file.path,
        line: access.line,
        text: chain,
      });
    }
  }
}

export function placeId(place: Place): string {
  return place.kind === 'variable'
    ? symbolId(place.file.path, place.name)
    : symbolId(place.file.path, `${place.owner}.${place.name}`);
}
