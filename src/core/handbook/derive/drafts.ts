import type { GraphNode } from '../../graph';
import type { Site, StageKind, UnitKind } from '../model';
import { kindWords } from '../vocabulary';
import type { Sources } from './sources';

/** A unit while it is put together; relations and words come later. */
export interface Draft {
  id: string;
  kind: UnitKind;
  title: string;
  stage: StageKind;
  /** Folder of a subsystem stage. */
  folder?: string;
  order?: number;
  /** Title of the well-known concern its code is named for. */
  area?: string;
  sites: Site[];
  members: string[];
  reasons: string[];
  /** A region of functions whose home is another unit. */
  region: boolean;
  /** Holds other units, whose regions count as its own. */
  absorbed?: boolean;
}

/** Units under construction; keeps the rule that every graph node has at most one home. */
export class Drafts {
  private readonly drafts = new Map<string, Draft>();
  private readonly homes = new Map<string, string>();

  constructor(private readonly sources: Sources) {}

  all(): Draft[] {
    return [...this.drafts.values()];
  }

  get(id: string): Draft | undefined {
    return this.drafts.get(id);
  }

  /** Id of the unit that is the home of a node. */
  homeOf(nodeId: string): string | undefined {
    return this.homes.get(nodeId);
  }

  /** The draft of this id, made when missing. */
  open(kind: UnitKind, place: string, subject: string, options: Partial<Draft> = {}): Draft {
    const id = options.id ?? `unit:${kind}:${place}`;
    const known = this.drafts.get(id);
    if (known) return known;
    const draft: Draft = {
      id,
      kind,
      title: `${kindWords[kind].title}: ${subject}`,
      stage: kindWords[kind].stage,
      sites: [],
      members: [],
      reasons: [],
      region: false,
      ...options,
    };
    this.drafts.set(id, draft);
    return draft;
  }

  /** Gives a node its home, unless it has one. True when it was given. */
  adopt(draft: Draft, node: GraphNode, reason?: string): boolean {
    if (this.homes.has(node.id)) return false;
    this.homes.set(node.id, draft.id);
    draft.members.push(node.id);
    this.addSite(draft, this.sources.nodeSite(node));
    if (reason && draft.reasons.length < 6) draft.reasons.push(reason);
    return true;
  }

  /** Gives a node its home without a site of its own, as its lines lie inside one already. */
  adoptQuietly(draft: Draft, nodeId: string): boolean {
    if (this.homes.has(nodeId)) return false;
    this.homes.set(nodeId, draft.id);
    draft.members.push(nodeId);
    return true;
  }

  addSite(draft: Draft, site: Site): void {
    const covered = draft.sites.some(
      (other) => other.file === site.file && other.start <= site.start && site.end <= other.end,
    );
    if (!covered) draft.sites.push(site);
  }

  /** Gives a node of one unit another home. */
  rehome(nodeId: string, from: Draft, to: Draft): void {
    this.homes.set(nodeId, to.id);
    from.members = from.members.filter((id) => id !== nodeId);
    to.members.push(nodeId);
  }

  /** Makes one unit a part of another one; its id is no unit any more. */
  absorb(unit: Draft, into: Draft): void {
    for (const member of unit.members) this.homes.set(member, into.id);
    into.members.push(...unit.members);
    for (const site of unit.sites) this.addSite(into, site);
    into.reasons.push(...unit.reasons.slice(0, Math.max(0, 6 - into.reasons.length)));
    into.absorbed = true;
    this.drafts.delete(unit.id);
  }

  /** A region unit of a function; regions of one kind in one function are told apart by words of their text. */
  region(
    kind: UnitKind,
    node: GraphNode,
    start: number,
    end: number,
    detail: string,
    options: Partial<Draft> = {},
  ): Draft {
    const base = `unit:${kind}:${node.id}:${slug(detail)}`;
    let id = base;
    for (let copy = 2; this.drafts.has(id); copy++) id = `${base}~${copy}`;
    const draft = this.open(kind, '', `${node.qualname} (${slug(detail).replaceAll('-', ', ')})`, {
      id,
      region: true,
      ...options,
    });
    draft.sites.push(this.sources.site(node.file, node.qualname, start, end));
    return draft;
  }
}

const empty = new Set([
  'self',
  'this',
  'await',
  'return',
  'const',
  'let',
  'if',
  'not',
  'else',
  'async',
  'new',
  'true',
  'false',
  'none',
  'null',
  'and',
  'or',
  'in',
  'as',
  'for',
  'except',
  'raise',
  'throw',
  'catch',
  'get',
  'the',
]);

/**
 * Up to three names of a text, for ids and titles: `if self.turn >= 40:` is `turn`. Numbers and strings stay out, so that
 * editing a constant leaves the id alone.
 */
export function slug(text: string): string {
  const bare = text.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, ' ');
  const words = (/[A-Za-z_$]/.test(bare) ? bare : text).match(/[A-Za-z_$][\w$]*/g) ?? [];
  const kept = words.filter((word) => !empty.has(word.toLowerCase()));
  return (kept.length > 0 ? kept : ['region']).slice(0, 3).join('-');
}
