import type { GraphNode, LiteralFact, ProgramGraph } from '../graph';
import type { BehaviourMap } from '../handbook/model';
import { MARKER } from './markers';
import { classWeight } from './pathClass';
import { type Pattern, PatternIndex } from './patternIndex';
import { type Place, Places } from './places';

/** Everything of a harness that steps can be linked to, ready for look-up. Immutable; build a new one after a refresh. */
export class LinkIndex {
  readonly places: Places;
  readonly patterns: PatternIndex;
  private readonly byMarker = new Map<string, Place[]>();
  private readonly tools = new Map<string, GraphNode[]>();
  private readonly definitions = new Map<string, GraphNode[]>();

  constructor(
    readonly graph: ProgramGraph,
    map: BehaviourMap,
  ) {
    this.places = new Places(graph, map);
    const literals = graph.data.literals.filter((fact) => !isDocComment(graph, fact));
    this.patterns = new PatternIndex(literals);
    for (const fact of literals) this.addMarkers(fact);
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

  /** Functions that use a prompt or template, the certain ones first. At most three. */
  renderers(prompt: string): { node: GraphNode; certain: boolean }[] {
    const found = new Map<string, { node: GraphNode; certain: boolean }>();
    for (const edge of this.graph.in(prompt, 'uses-prompt')) {
      const node = this.graph.node(edge.from);
      if (node === undefined || (node.kind !== 'function' && node.kind !== 'method')) continue;
      const certain = edge.certain !== false || (found.get(node.id)?.certain ?? false);
      found.set(node.id, { node, certain });
    }
    return [...found.values()].sort((left, right) => Number(right.certain) - Number(left.certain)).slice(0, 3);
  }

  /** A few words of a literal, for the reason of a link. */
  quote(pattern: Pattern, fragment: number, offset: number): string {
    const ids = pattern.fragments[fragment]?.ids ?? new Int32Array(0);
    const words = Array.from(ids.subarray(offset, offset + 8), (id) => this.patterns.vocabulary.word(id));
    return words.join(' ').replace(/ (?=[.,:;!?)\]>])|(?<=[([<]) /g, '');
  }

  private addMarkers(fact: LiteralFact): void {
    const text = fact.parts.length === 1 ? (fact.parts[0] ?? '').trim() : '';
    if (text.length < 8 || text.length > 80 || text.match(MARKER)?.[0] !== text) return;
    const owner = this.graph.node(fact.owner);
    const places = this.byMarker.get(text) ?? [];
    places.push(this.places.ofLines(fact.file, fact.start, fact.end, owner));
    this.byMarker.set(
      text,
      places.sort((left, right) => classWeight(right.file) - classWeight(left.file)),
    );
  }
}

/** Builds the index of a harness from its program graph and handbook. Pure; a few seconds for 100,000 literals. */
export function buildLinkIndex(graph: ProgramGraph, map: BehaviourMap): LinkIndex {
  return new LinkIndex(graph, map);
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
