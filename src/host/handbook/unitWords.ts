import type { BehaviourMap, Unit } from '../../core/handbook/model';
import type { SiteTouches } from '../../core/links/model';
import { commandLink } from '../commandLink';
import type { CommandId } from '../ids';
import { plainMarkdown } from '../review/plainMarkdown';
import { count } from '../traces/words';
import { UnitFinder } from './anchors';
import { failingStepWords, touchesOfUnit } from './touches';

/** Commands that Markdown of ours may run; nothing that a repository says can add to them. */
export const linkCommands: readonly CommandId[] = [
  'harnessmith.openSite',
  'harnessmith.openUnitPage',
  'harnessmith.showUnitSteps',
  'harnessmith.openMap',
];

/** `src/parser.ts:24-37`, or with one line number where start and end agree. */
export function placeOf(site: { file: string; start: number; end: number }): string {
  return `${site.file}:${site.start}${site.end === site.start ? '' : `-${site.end}`}`;
}

/** "9 failing steps in 3 tasks", empty when no failing step leads to the unit. */
export function failingWords(unit: Unit, touches: readonly SiteTouches[]): string {
  const failing = touchesOfUnit(unit, touches).steps.filter((step) => step.failing);
  return failing.length === 0 ? '' : failingStepWords(failing);
}

/** Most callers a hover names. */
const callersShown = 4;

/**
 * What a hover says about a unit: name and stage, what it does, who calls it, what fails there, and the ways on.
 * Everything from the repository is escaped; the only links are those of `linkCommands`.
 */
export function hoverMarkdown(unit: Unit, map: BehaviourMap, touches: readonly SiteTouches[]): string {
  const finder = UnitFinder.of(map);
  const stage = finder.stageOf(unit);
  const step = unit.order === undefined ? '' : `, step ${unit.order}`;
  const parts = [`**${plainMarkdown(unit.title)}**  (${plainMarkdown(stage?.title ?? unit.stage)}${step})`];
  if (unit.summary) parts.push(plainMarkdown(unit.summary));
  if (unit.edited) parts.push(`Title or description by a ${unit.edited}.`);
  const callers = unit.callers.flatMap((id) => finder.unit(id) ?? []);
  if (callers.length > 0) {
    const named = callers.slice(0, callersShown).map((caller) => siteLink(caller));
    const more = callers.length > callersShown ? ` and ${callers.length - callersShown} more` : '';
    parts.push(`Called by ${named.join(', ')}${more}`);
  }
  const failing = failingWords(unit, touches);
  const ways = [
    `[Page](${commandLink('harnessmith.openUnitPage', unit.id)})`,
    `[Map](${commandLink('harnessmith.openMap', unit.id)})`,
  ];
  if (failing) ways.push(`[${failing}](${commandLink('harnessmith.showUnitSteps', unit.id)})`);
  parts.push(ways.join(' | '));
  return parts.join('\n\n');
}

function siteLink(unit: Unit): string {
  const { file, start, end, symbol } = unit.sites[0]!;
  return `[${plainMarkdown(unit.title)}](${commandLink('harnessmith.openSite', { file, start, end, symbol })})`;
}

/** Title of the lens above an anchor: its one unit, or how many, then what fails there. */
export function lensTitle(units: readonly Unit[], map: BehaviourMap, touches: readonly SiteTouches[]): string {
  const [first] = units;
  if (!first) return '';
  const name = units.length === 1 ? first.title : count(units.length, 'behaviour');
  const stage = units.length === 1 ? UnitFinder.of(map).stageOf(first)?.title : undefined;
  const failing = failingWords({ ...first, sites: units.flatMap((unit) => unit.sites) }, touches);
  return [name, stage, failing].filter(Boolean).join(' | ');
}

/**
 * Units in which every word of a query occurs, in any case: those whose title has all of them first, then those found by
 * kind, symbol or file. Empty for an empty query.
 */
export function searchUnits(units: readonly Unit[], query: string): Unit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const has = (text: string) => words.every((word) => text.includes(word));
  const titled: Unit[] = [];
  const others: Unit[] = [];
  for (const unit of units) {
    const title = unit.title.toLowerCase();
    if (has(title)) titled.push(unit);
    else {
      const sites = unit.sites.map((site) => `${site.symbol} ${site.file}`).join(' ');
      if (has(`${title} ${unit.kind.replaceAll('_', ' ')} ${sites.toLowerCase()}`)) others.push(unit);
    }
  }
  return [...titled, ...others];
}
