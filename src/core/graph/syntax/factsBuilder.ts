import {
  type AccessFact,
  type AttributeFact,
  emptyFacts,
  type FileFacts,
  type LocalFact,
  type SymbolFact,
} from '../fileFacts';
import type { SyntaxNode, SyntaxTree } from './tree';

/** `path` is the dotted path inside the current scope when it is more than the name. */
export type NewSymbol = Omit<SymbolFact, 'qualname' | 'start' | 'end'> & { start?: number; path?: string };

interface OpenScope {
  node: SyntaxNode | null;
  symbol: SymbolFact | null;
  /** Path for what is declared in it. */
  path: string;
  /** The symbol that facts in it belong to. */
  qualname: string;
}

interface PendingElement {
  holder: string;
  chain: string;
  scope: string;
  owner?: string | undefined;
  key?: string | undefined;
}

/** Of one list or map this many elements are followed. */
const mostElements = 64;

const longestDetail = 200;
/** Strings of fewer characters say too little to be recognised elsewhere, unless they name a tool or a file of text or state. */
const shortestString = 12;
const telling =
  /^[a-z][a-z\d]*(?:_[a-z\d]+)+$|^[\w-]+\.(?:md|mdx|txt|xml|j2|jinja2?|prompt|ya?ml|jsonl?|toml|csv|log|db|sqlite3?)$/;

/** Collects the facts of one file while its tree is walked; keeps the stack of enclosing symbols. */
export class FactsBuilder {
  readonly facts: FileFacts = emptyFacts();
  private readonly open: OpenScope[] = [{ node: null, symbol: null, path: '', qualname: '' }];
  private readonly counts = new Map<string, number>();
  private readonly seenLocals = new Map<string, LocalFact>();
  private readonly pending: PendingElement[] = [];
  private readonly loose = new Map<SyntaxNode, string>();

  constructor(readonly tree: SyntaxTree) {
    this.facts.lines = tree.lines;
  }

  get scope(): string {
    return this.open.at(-1)!.qualname;
  }

  get symbol(): SymbolFact | null {
    return this.open.at(-1)!.symbol;
  }

  /** Nodes of the open scopes, the file first. */
  get openNodes(): readonly (SyntaxNode | null)[] {
    return this.open.map(({ node }) => node);
  }

  /** The innermost class around the current place. */
  get enclosingClass(): SymbolFact | null {
    for (let i = this.open.length - 1; i >= 0; i--)
      if (this.open[i]!.symbol?.kind === 'class') return this.open[i]!.symbol;
    return null;
  }

  /** The innermost function around the current place. */
  get enclosingFunction(): SymbolFact | null {
    for (let i = this.open.length - 1; i >= 0; i--) {
      const { symbol } = this.open[i]!;
      if (symbol?.kind === 'function' || symbol?.kind === 'method') return symbol;
    }
    return null;
  }

  /** Adds a symbol in the current scope without opening it. */
  add(node: SyntaxNode, { path: inner, ...symbol }: NewSymbol): SymbolFact {
    const around = this.open.at(-1)!.path;
    const path = around ? `${around}.${inner ?? symbol.name}` : (inner ?? symbol.name);
    const count = (this.counts.get(path) ?? 0) + 1;
    this.counts.set(path, count);
    const fact: SymbolFact = {
      ...symbol,
      qualname: count === 1 ? path : `${path}~${count}`,
      start: symbol.start ?? this.tree.line(node),
      end: this.tree.endLine(node),
    };
    this.facts.symbols.push(fact);
    return fact;
  }

  /** Adds a symbol and makes it the current scope until `closeScope(node)`. */
  openScope(node: SyntaxNode, symbol: NewSymbol): SymbolFact {
    const fact = this.add(node, symbol);
    this.open.push({ node, symbol: fact, path: fact.qualname, qualname: fact.qualname });
    return fact;
  }

  /** Puts a name before the paths of what is declared until `closeScope(node)`; it is no symbol itself. */
  openNamespace(node: SyntaxNode, name: string): void {
    const { path, qualname } = this.open.at(-1)!;
    this.open.push({ node, symbol: null, path: path ? `${path}.${name}` : name, qualname });
  }

  closeScope(node: SyntaxNode): void {
    if (this.open.at(-1)!.node === node) this.open.pop();
  }

  loop(node: SyntaxNode): void {
    const { symbol } = this.open.at(-1)!;
    if (symbol && symbol.kind !== 'class') {
      symbol.loops ??= [];
      symbol.loops.push({ start: this.tree.line(node), end: this.tree.endLine(node) });
    }
  }

  call(node: SyntaxNode, callee: string, construct: boolean, given: readonly string[] = []): void {
    const last = given.findLastIndex((argument) => argument !== '');
    const line = this.tree.line(node);
    const end = this.tree.endLine(node);
    this.facts.calls.push({
      scope: this.scope,
      callee,
      line,
      ...(end > line ? { end } : {}),
      text: this.tree.shortText(node, 120),
      ...(construct ? { construct } : {}),
      ...(last >= 0 ? { arguments: given.slice(0, last + 1) } : {}),
    });
  }

  /** A decorator is called with what it stands above. */
  decoration(node: SyntaxNode, callee: string, name: string): void {
    const text = this.tree.shortText(node, 120);
    const line = this.tree.line(node);
    this.facts.calls.push({ scope: this.scope, callee, line, text, arguments: [name], decorates: true });
  }

  read(node: SyntaxNode, chain: string): void {
    this.facts.accesses.push({ scope: this.scope, chain, line: this.tree.line(node) });
  }

  write(node: SyntaxNode, chain: string, statement: SyntaxNode): void {
    const text = this.tree.shortText(statement);
    this.facts.accesses.push({ scope: this.scope, chain, line: this.tree.line(node), text, write: true });
  }

  callback(node: SyntaxNode, chain: string): void {
    this.facts.accesses.push({ scope: this.scope, chain, line: this.tree.line(node), callback: true });
  }

  attribute(node: SyntaxNode, fact: Omit<AttributeFact, 'scope' | 'line' | 'end'>): void {
    this.facts.attributes.push({
      ...fact,
      scope: this.scope,
      line: this.tree.line(node),
      end: this.tree.endLine(node),
    });
  }

  /** Adds what a name may stand for; several assignments to one name are joined. */
  local(name: string, stands: { type?: string; values?: string[]; alias?: boolean; scope?: string }): void {
    const scope = stands.scope ?? this.scope;
    const key = `${scope}\0${name}`;
    const values = stands.values?.length ? stands.values : undefined;
    const known = this.seenLocals.get(key);
    if (known) {
      known.type ??= stands.type;
      if (values) known.values = [...new Set([...(known.values ?? []), ...values])].slice(0, 16);
      return;
    }
    const fact: LocalFact = { scope, name };
    if (stands.type) fact.type = stands.type;
    if (values) fact.values = values;
    if (stands.alias) fact.alias = true;
    this.seenLocals.set(key, fact);
    this.facts.locals.push(fact);
  }

  /** A name for an object literal that has none: its number among those of a scope. */
  looseName(object: SyntaxNode, scope: string): string {
    const known = this.loose.get(object);
    if (known) return known;
    const count = (this.counts.get(`${scope}@`) ?? 0) + 1;
    this.counts.set(`${scope}@`, count);
    this.loose.set(object, `${scope}@${count}`);
    return `${scope}@${count}`;
  }

  /** A key, variable or flag that a node reads or declares, with what it is otherwise; `shown` is what says so. */
  configuration(node: SyntaxNode, key: string, otherwise?: SyntaxNode | string, shown = node): void {
    const value = typeof otherwise === 'object' ? this.tree.shortText(otherwise) : otherwise;
    this.facts.configurations.push({
      key,
      scope: this.scope,
      line: this.tree.line(node),
      text: this.tree.shortText(shown),
      ...(value ? { default: value } : {}),
    });
  }

  /** Notes what is put into something that has a name, or that is an attribute of the own object. */
  element(holder: string, chain: string, key?: string): void {
    this.pending.push({ holder, chain, scope: this.scope, owner: this.enclosingClass?.qualname, key });
  }

  /** Adds the keys of an object literal that holds functions. */
  object(path: string, keys: string[]): void {
    const known = this.facts.objects.find((fact) => fact.path === path);
    if (known) known.keys = [...new Set([...known.keys, ...keys])];
    else this.facts.objects.push({ path, keys });
  }

  /** Adds a string when its fixed text is long enough to be recognised. */
  string(node: SyntaxNode, parts: (string | null)[]): void {
    const length = parts.reduce((sum, part) => sum + (part?.trim().length ?? 0), 0);
    if (length < shortestString && !telling.test(parts.length === 1 ? (parts[0] ?? '') : '')) return;
    this.facts.strings.push({ scope: this.scope, start: this.tree.line(node), end: this.tree.endLine(node), parts });
  }

  /** Source text of a value, shortened for `detail`. */
  detail(node: SyntaxNode | undefined): string | undefined {
    return node ? this.tree.shortText(node, longestDetail) : undefined;
  }

  /**
   * The finished facts. Accesses of plain names stay only when the name is module state or imported, because all other
   * plain names are locals; handed over names only when they may be functions.
   */
  finish(): FileFacts {
    const { facts } = this;
    const moduleNames = new Set(
      facts.symbols.filter((symbol) => !symbol.qualname.includes('.')).map((symbol) => symbol.name),
    );
    for (const imported of facts.imports) moduleNames.add(imported.local);
    const localNames = new Set(facts.locals.map((local) => `${local.scope}\0${local.name}`));
    for (const { qualname, parameters } of facts.symbols)
      for (const { name } of parameters ?? []) localNames.add(`${qualname}\0${name}`);
    this.addElements(localNames, moduleNames);
    const callable = new Set(facts.symbols.map(({ name }) => name));
    for (const { local } of facts.imports) callable.add(local);
    for (const { name, values } of facts.locals) if (values) callable.add(name);
    const isLocal = ({ scope, chain }: AccessFact): boolean => {
      for (let at = scope; at; at = facts.package ? at.slice(0, Math.max(0, at.lastIndexOf('.'))) : '')
        if (localNames.has(`${at}\0${chain}`)) return true;
      return false;
    };
    const seen = new Set<string>();
    facts.accesses = facts.accesses.filter((access) => {
      if (access.callback && !access.chain.includes('.')) {
        // Other files of the package may declare it.
        if (facts.package ? isLocal(access) && !callable.has(access.chain) : !callable.has(access.chain)) return false;
      }
      if (!access.chain.includes('.') && !access.callback) {
        if (!facts.package && !moduleNames.has(access.chain)) return false;
        if (isLocal(access)) return false;
      }
      const key = `${access.scope}\0${access.chain}\0${access.line}\0${access.write ?? ''}${access.callback ?? ''}`;
      if (seen.has(key)) return false;
      seen.add(key);
      return true;
    });
    return facts;
  }

  /** Elements belong to the innermost scope that knows the name of what holds them. */
  private addElements(locals: ReadonlySet<string>, moduleNames: ReadonlySet<string>): void {
    const counts = new Map<string, number>();
    for (const { holder, chain, scope, owner, key } of this.pending) {
      const attribute = /^(?:self|this|cls)\.([\w$#]+)$/.exec(holder)?.[1];
      let at: string | undefined = attribute ? owner : scope;
      if (!attribute) {
        if (holder.includes('.')) continue;
        while (at && !locals.has(`${at}\0${holder}`)) at = at.includes('.') ? at.slice(0, at.lastIndexOf('.')) : '';
        if (!at && !moduleNames.has(holder)) continue;
      }
      if (at === undefined) continue;
      const name = attribute ?? holder;
      const place = `${at}\0${name}`;
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      if (count > mostElements) continue;
      this.facts.elements.push({
        holder: at,
        name,
        scope,
        chain,
        ...(attribute ? { attribute: true } : {}),
        ...(key !== undefined ? { key } : {}),
      });
    }
  }
}

/**
 * Splits fixed text at `{{ name }}` and `{% block %}`; null stands for a placeholder. With `braces` it is a format string
 * of Python's `str.format` instead, split at `{name}`; with `percent` also at `%s`. Doubled signs stand for one there.
 */
export function splitPlaceholders(
  text: string,
  style: { braces?: boolean; percent?: boolean } = {},
): (string | null)[] {
  const patterns = style.braces ? ['\\{\\{|\\}\\}', '\\{[^{}\\n]*\\}'] : ['\\{\\{[^{}]*\\}\\}', '\\{%[^%]*%\\}'];
  if (style.percent) patterns.push('%%|%(?:\\(\\w+\\)|\\[\\d+\\])?[-+ #0]*(?:\\d+|\\*)?(?:\\.\\d+)?[sdifrxgvqwtTXUeE]');
  const parts: (string | null)[] = [];
  const addText = (part: string) => {
    const last = parts.at(-1);
    if (typeof last === 'string') parts[parts.length - 1] = last + part;
    else if (part !== '') parts.push(part);
  };
  let from = 0;
  for (const { 0: found, index } of text.matchAll(new RegExp(patterns.join('|'), 'g'))) {
    addText(text.slice(from, index));
    if (found === '{{' || found === '}}' || found === '%%') addText(found[0]!);
    else if (parts.at(-1) !== null || parts.length === 0) parts.push(null);
    from = index + found.length;
  }
  addText(text.slice(from));
  return parts.length > 0 ? parts : [''];
}

/** First sentence of a comment or doc string, white space collapsed. The point of "e.g." does not end one. */
export function firstSentence(text: string): string | undefined {
  const paragraph = text
    .trim()
    .split(/\n\s*\n/)[0]!
    .replace(/\s+/g, ' ')
    .trim();
  const sentence = /^.*?(?<!\b(?:e\.g|i\.e|cf|vs))[.!?](?=\s|$)/i.exec(paragraph)?.[0] ?? paragraph;
  return sentence ? sentence.slice(0, 300) : undefined;
}
