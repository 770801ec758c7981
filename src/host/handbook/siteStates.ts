import type { SiteState, Unit } from '../../core/handbook/model';

type Changed = Exclude<SiteState, 'fresh'>;

/** Sites that are not as they were indexed, by `siteKey`. Sites that are missing here are as they were. */
export type SiteStates = ReadonlyMap<string, Changed>;

export const stateWords: Record<Changed, string> = { moved: 'moved since', stale: 'changed since' };

interface Lines {
  file: string;
  start: number;
  end: number;
}

export function siteKey({ file, start, end }: Lines): string {
  return `${file}:${start}-${end}`;
}

/** What the worker found, as a table. */
export function siteStatesOf(found: readonly (Lines & { state: SiteState })[]): SiteStates {
  return new Map(
    found.flatMap((one): [string, Changed][] => (one.state === 'fresh' ? [] : [[siteKey(one), one.state]])),
  );
}

export function stateOfSite(site: Lines, states: SiteStates): Changed | null {
  return states.get(siteKey(site)) ?? null;
}

/** The worst state of a unit's sites; null when all are as they were. */
export function stateOfUnit(unit: Pick<Unit, 'sites'>, states: SiteStates): Changed | null {
  if (states.size === 0) return null;
  const found = unit.sites.map((site) => stateOfSite(site, states));
  return found.includes('stale') ? 'stale' : found.includes('moved') ? 'moved' : null;
}
