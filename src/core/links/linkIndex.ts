import type { GraphNode, LiteralFact, ProgramGraph } from '../graph';
import type { BehaviourMap } from '../handbook';
import type { TraceRoot } from './context';
import { HarnessFiles } from './harnessFiles';
import { MARKER } from './markerPattern';
import { classWeight, onlyRepeats } from './pathClass';
import { type Pattern, PatternIndex } from './patternIndex';
import { type Place, Places } from './places';
import type { Checkout } from './versions';

/** Everything of a harness that steps can be linked to, ready for look-up. Immutable; build a new one after a refresh. */
export class LinkIndex {
  readonly places: Places;
  readonly patterns: PatternIndex;
  readonly files: HarnessFiles;
  /** Roots that the configuration of the harness states. */
  readonly traceRoots: readonly TraceRoot[];
  /** The version of the harness that was indexed, when it was looked up. */
  readonly checkout: Checkout | null;
  private readonly byMarker = new Map<string, Place[]>();
  private readonly byName = new Map<string, Place[]>();
  private readonly tools = new Map<string, GraphNode[]>();
  private readonly definitions = new Map<string, GraphNode[]>();

  constructor(
    readonly graph: ProgramGraph,
    map: BehaviourMap,
    { traceRoots = {}, checkout = null }: LinkSettings = {},
  ) {
    this.checkout = checkout;
    this.files = new HarnessFiles(graph.data.files);
    this.traceRoots = Object.entries(traceRoots).map(([prefix, folder]) => ({
      prefix: prefix.replace(/[\\/]+$/, ''),
      folder: folder.replace(/^\.\/?|\/+$/g, ''),
      from: 'configured',
      frames: 0,
    }));
    this.places = new Places(graph, map);
    const literals = graph.data.literals.filter((fact) => !isDocComment(graph, fact));
    this.patterns = new PatternIndex(literals);
    for (const fact of literals) this.addNames(fact);
    for (const node of graph.data.nodes) {
      if (node.kind === 'tool') append(this.tools, nameKey(node.name), node);
      if (node.kind === 'function' || node.kind === 'method' || node.kind === 'class')
        append(this.definitions, nameKey(node.name), node);
    }
  }

  /** Places whose literal is this marker and nothing else, source files first. */
  markers(marker: string): readonly Place[] {
    return this.byMarker.get(marker) ?? [];
  }

  /** Source places whose literal is this name and nothing else. */
  named(name: string): readonly Place[] {
    return this.byName.get(name) ?? [];
  }

  /** Files that hold the classes a trace names as parts of its harness. */
  filesOf(components: readonly string[] | undefined): ReadonlySet<string> {
    const files = new Set<string>();
    for (const component of components ?? []) {
      const name = component.split('.').at(-1) ?? '';
      for (const node of this.definitionsNamed(name))
        if (node.kind === 'class' && node.name === name) files.add(node.file);
    }
    return files;
  }

  /** Class names that are the name of an agent, whatever the case and separators. */
  classesNamed(agent: string | null): string[] {
    if (agent === null || agent.length < 4) return [];
    const classes = this.definitionsNamed(agent).filter((node) => node.kind === 'class' && !onlyRepeats(node.file));
    return [...new Set(classes.map((node) => node.name))];
  }

  /** Declared tools by the name the model used; prefixes of protocol servers are taken off step by step. */
  toolsNamed(name: string): readonly GraphNode[] {
    for (const candidate of spellings(name)) {
      const found = this.tools.get(nameKey(candidate));
      if (found !== undefined) return found;
    }
    return [];
  }

  /** Functions, methods and classes by name, whatever the case and separators. */
  definitionsNamed(name: string): readonly GraphNode[] {
    return this.definitions.get(nameKey(name)) ?? [];
  }

  /**
   * Where functions use a prompt or template, the likeliest first, at most three: reading the key it stands under says
   * more than naming its file.
   */
  renderers(prompt: string): Renderer[] {
    const key = prompt.split(/[#/]/).at(-1)?.split('.').at(-1) ?? '';
    const found = new Map<string, Renderer>();
    for (const edge of this.graph.in(prompt, 'uses-prompt')) {
      const node = this.graph.node(edge.from);
      if (node === undefined || (node.kind !== 'function' && node.kind !== 'method')) continue;
      if (onlyRepeats(node.file) && !onlyRepeats(prompt.replace(/^prompt:/, ''))) continue;
      const readsKey = prompt.includes('#') && (edge.text ?? '').endsWith(key);
      const rank = (readsKey ? 2 : 0) + (edge.certain === false ? 0 : 1) + classWeight(node.file);
      const inside = edge.line >= node.start && edge.line <= node.end && edge.file === node.file;
      const place = { ...this.places.ofNode(node), ...(inside ? { start: edge.line, end: edge.line } : {}) };
      const how = readsKey
        ? `reads the key ${key}`
        : edge.certain === false
          ? 'may use the template'
          : 'uses the template';
      if ((found.get(node.id)?.rank ?? -1) < rank)
        found.set(node.id, { place, rank, how, sure: readsKey || edge.certain !== false });
    }
    return [...found.values()].sort((left, right) => right.rank - left.rank).slice(0, 3);
  }

  /** A few words of a literal, for the reason of a link. */
  quote(pattern: Pattern, fragment: number, offset: number): string {
    const ids = pattern.fragments[fragment]?.ids ?? new Int32Array(0);
    const words = Array.from(ids.subarray(offset, offset + 8), (id) => this.patterns.vocabulary.word(id));
    return words.join(' ').replace(/ (?=[.,:;!?)\]>])|(?<=[([<]) /g, '');
  }

  private addNames(fact: LiteralFact): void {
    const text = fact.parts.length === 1 ? (fact.parts[0] ?? '').trim() : '';
    if (text.length < 3 || text.length > 80) return;
    const target = text.match(MARKER)?.[0] === text ? this.byMarker : /^[\w.-]+$/.test(text) ? this.byName : null;
    if (target === null || (target === this.byName && onlyRepeats(fact.file))) return;
    const place = this.places.ofLines(fact.file, fact.start, fact.end, this.graph.node(fact.owner));
    const places = [...(target.get(text) ?? []), place];
    target.set(
      text,
      places.sort((left, right) => classWeight(right.file) - classWeight(left.file)),
    );
  }
}

/** A place that puts a template into a text. */
export interface Renderer {
  place: Place;
  rank: number;
  how: string;
  sure: boolean;
}

/** What the configuration of a harness says about its traces. */
export interface LinkSettings {
  /** Folders of the machine or container that made the traces, and the folder of the harness each stands for. */
  traceRoots?: Readonly<Record<string, string>>;
  /** The version of the harness, to tell of traces of other versions. */
  checkout?: Checkout | null;
}

/** Builds the index of a harness from its program graph and handbook. Pure; a few seconds for 100,000 literals. */
export function buildLinkIndex(graph: ProgramGraph, map: BehaviourMap, settings: LinkSettings = {}): LinkIndex {
  return new LinkIndex(graph, map, settings);
}

/** A doc comment describes code for people; its text is never part of a trace by way of this literal. */
function isDocComment(graph: ProgramGraph, fact: LiteralFact): boolean {
  const owner = graph.node(fact.owner);
  if (owner?.doc === undefined || owner.kind === 'prompt') return false;
  const text = fact.parts
    .map((part) => part ?? '')
    .join('')
    .trim();
  return text.startsWith(owner.doc.slice(0, 60)) && fact.start <= owner.start + 20;
}

/** `ReadFile`, `read_file` and `read-file` are one name. */
function nameKey(name: string): string {
  return name.replace(/[^\p{L}\p{N}]/gu, '').toLowerCase();
}

function spellings(name: string): string[] {
  const parts = name.split(/__|[./:]/);
  return [name, ...parts.map((_, at) => parts.slice(at).join('_')).slice(1)];
}

function append(map: Map<string, GraphNode[]>, key: string, node: GraphNode): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [node]);
  else list.push(node);
}
