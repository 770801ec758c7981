import type { Link } from '../links';
import type { Detector, Observation, RunView, UnitHead } from './detectors/detector';
import type { Finding, PlaceEvidence } from './model';

/** Where a finding points to, and how sure evidence led there. */
export interface Place {
  unit: string | null;
  kind: string | undefined;
  site: NonNullable<Finding['site']>;
  evidence: PlaceEvidence;
  /** Further units of the same steps, best first. */
  also: string[];
  /** Set when no link led there: the title of the only code of the harness that does such a thing. */
  sole?: string;
}

type Asked = Pick<Detector, 'unitKinds' | 'soleKinds'>;

const alsoShown = 3;
/** More steps say nothing new. */
const stepsLookedAt = 50;

/**
 * The place that explains an observation best: the unit of an expected kind that the cited steps link to, else the only
 * code of the harness that does such a thing, else what has the most weight over all steps. None when nothing leads anywhere.
 */
export function placeOf(detector: Asked, observation: Observation, view: RunView): Place | undefined {
  const unitKinds = observation.unitKinds ?? detector.unitKinds;
  const soleKinds = observation.soleKinds ?? detector.soleKinds ?? [];
  const ranked = rankedLinks(observation.steps, unitKinds, view);
  const [linked] = ranked;
  const linkedKind = linked && kindOf(linked, view);
  // An exception in the harness's own frames says where it was thrown, whatever kind of unit that is.
  const certain = linked && (linked.kind === 'frame' || linked.kind === 'recorded');
  const fits = linkedKind !== undefined && soleKinds.includes(linkedKind);
  const sole = fits || certain ? undefined : soleUnit(soleKinds, view);
  // Code of an expected kind that no step links to may still be to blame, where it is the only one of its kind.
  const only = soleKinds.flatMap((kind) => soleUnit([kind], view)?.unit ?? []);
  const also = [...only, ...ranked.flatMap((link) => link.unit ?? [])];
  if (sole) return { ...sole, also: others(also, sole.unit) };
  if (!linked) return undefined;
  return {
    unit: linked.unit,
    kind: linkedKind,
    site: siteOf(linked),
    evidence: linked.kind,
    also: others(also, linked.unit),
  };
}

function others(units: readonly string[], first: string | null): string[] {
  return [...new Set(units)].filter((unit) => unit !== first).slice(0, alsoShown);
}

/** The one unit in code of the first kind that has exactly one; a kind with several says nothing. */
function soleUnit(kinds: readonly string[], view: RunView): (Place & { sole: string }) | undefined {
  for (const kind of kinds) {
    const ofKind = view.units.filter((unit) => unit.kind === kind && inCode(unit));
    // A region that only calls the code is of the same kind, but the work is done in what it calls.
    const workers = ofKind.filter(({ calls = [] }) => !ofKind.some((other) => calls.includes(other.id)));
    const [unit, ...more] = workers;
    if (!unit || more.length > 0) continue;
    const site = siteOf(unit.sites!.find((one) => one.symbol !== '')!);
    return { unit: unit.id, kind, site, evidence: 'sole', also: [], sole: unit.title };
  }
  return undefined;
}

function inCode({ sites = [] }: UnitHead): boolean {
  return sites.some((one) => one.symbol !== '');
}

/** The surest link to each place, places of expected kinds first, then those with the most weight over all steps. */
function rankedLinks(steps: readonly number[], unitKinds: readonly string[], view: RunView): Link[] {
  const weights = new Map<string, { link: Link; weight: number; rank: number }>();
  for (const step of steps.slice(0, stepsLookedAt)) {
    for (const [key, link] of bestByPlace(view.linksOf(step))) {
      const expected = unitKinds.indexOf(kindOf(link, view) ?? '');
      // The life cycle is the weakest evidence: text that came from other code says more.
      const rank = (expected === -1 ? unitKinds.length : expected) + (link.kind === 'lifecycle' ? unitKinds.length : 0);
      const known = weights.get(key);
      if (!known) weights.set(key, { link, weight: link.confidence, rank });
      else {
        known.weight += link.confidence;
        if (link.confidence > known.link.confidence) known.link = link;
      }
    }
  }
  return [...weights.values()].sort((a, b) => a.rank - b.rank || b.weight - a.weight).map(({ link }) => link);
}

function kindOf(link: Link, view: RunView): string | undefined {
  return link.unit === null ? undefined : view.unit(link.unit)?.kind;
}

/** The surest link of each place; a place does not gain by being linked twice from one step. */
function bestByPlace(links: readonly Link[]): Map<string, Link> {
  const best = new Map<string, Link>();
  for (const link of links) {
    const key = link.unit ?? `${link.file}#${link.symbol}`;
    const known = best.get(key);
    if (!known || link.confidence > known.confidence) best.set(key, link);
  }
  return best;
}

function siteOf({ file, symbol, start, end }: NonNullable<Finding['site']>): NonNullable<Finding['site']> {
  return { file, symbol, start, end };
}
