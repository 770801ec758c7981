import type { BehaviourMap } from '../../core/handbook/model';
import type { SitePlace } from '../tree/treeNode';
import type { LocateView } from '../work/methods';
import { UnitFinder } from './anchors';
import { placeOf } from './unitWords';

/** One row of the answer: a heading, or a place to go to with the unit whose page can be opened. */
export interface LocateItem {
  heading?: boolean;
  label: string;
  description?: string;
  detail?: string;
  place?: SitePlace;
  unit?: string;
}

const unitsShown = 6;

/** The answer to "where does it live" as rows: units with reasons, places, what to look at too, and wrong premises. */
export function locateItems(answer: LocateView, map: BehaviourMap): LocateItem[] {
  const finder = UnitFinder.of(map);
  const units = answer.units.slice(0, unitsShown).flatMap(({ unit: id, reasons }): LocateItem[] => {
    const unit = finder.unit(id);
    if (!unit) return [];
    const stage = finder.stageOf(unit)?.title ?? unit.stage;
    const place = unit.sites[0]!;
    return [
      {
        label: `$(symbol-event) ${plainLabel(unit.title)}`,
        description: `${plainLabel(stage)}  ${placeOf(place)}`,
        detail: plainLabel(reasons.join('; ') || unit.summary),
        place,
        unit: id,
      },
    ];
  });
  const sites = answer.sites.map((site): LocateItem => {
    const changed = site.state === 'stale' ? '  changed since it was indexed' : '';
    return {
      label: `$(location) ${plainLabel(site.symbol || site.file)}`,
      description: `${placeOf(site)}${changed}`,
      detail: plainLabel(site.reason),
      place: { file: site.file, start: site.start, end: site.end, symbol: site.symbol },
      unit: finder.at(site.file, site.start)?.id,
    };
  });
  const also = answer.alsoLookAt.map(
    ({ file, line, reason }): LocateItem => ({
      label: `$(eye) ${plainLabel(file)}:${line}`,
      detail: plainLabel(reason),
      place: { file, start: line, end: line },
    }),
  );
  const premises = answer.premises
    .filter((premise) => !premise.found && premise.value)
    .map(
      ({ mention, value, file, line }): LocateItem => ({
        label: `$(warning) ${plainLabel(mention)} is ${plainLabel(value)} today`,
        description: `${plainLabel(file)}:${line}`,
        place: { file, start: line, end: line },
      }),
    );
  return [
    ...group('not as the request says', premises),
    ...group('behaviour units', units),
    ...group('places in the code', sites),
    ...group('also look at', also),
  ];
}

function group(heading: string, items: LocateItem[]): LocateItem[] {
  return items.length ? [{ heading: true, label: heading }, ...items] : [];
}

/** Text for a row: one line, without the marks of code, and no `$(icon)` of somebody else's making. */
export function plainLabel(text: string): string {
  return text
    .replace(/[\s`]+/g, (marks) => (/\s/.test(marks) ? ' ' : ''))
    .replace(/\$\(/g, '$ (')
    .trim();
}
